// One record of the audit log: who, how, and each member before and after.
import type { AuditRecord } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/read.ts';
import { formatExactTime } from '../../format/time.ts';
import { Empty } from '../../ui/feedback/empty.tsx';
import { Loaded } from '../../ui/feedback/loaded.tsx';
import { Page, Section } from '../../ui/layout/page.tsx';
import { Scroll } from '../../ui/layout/scroll.tsx';
import { Fact, Facts, Faint, Id, Status } from '../../ui/text/text.tsx';
import css from './audit.module.css';
import { actorKinds, credentialKinds, nameAction, outcomes } from './messages.ts';
import { Named } from './who.tsx';

type Props = {
  query: UseQueryResult<Answer<AuditRecord>>;
  /** The way back to the list. */
  above: ReactNode;
  linkTarget: (record: AuditRecord) => ReactNode;
  /** The list of what else the actor did, and of what else happened to the target. */
  more: (record: AuditRecord) => ReactNode;
  denied?: ReactNode;
};

export function RecordPage({ query, above, linkTarget, more, denied }: Props) {
  const record = query.data?.data;
  return (
    <Page
      title={record === undefined ? 'Record' : nameAction(record.action)}
      above={above}
      beside={record && <Status tone={outcomes[record.outcome].tone}>{outcomes[record.outcome].name}</Status>}
    >
      <Loaded
        query={query}
        lines={8}
        denied={denied}
        missing={<Empty>This record does not exist, or you have no access to it.</Empty>}
      >
        {({ data }) => (
          <>
            <About record={data} target={linkTarget(data)} />
            {more(data)}
            <Section title="What changed">
              <Changes changes={data.changes} />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ record, target: link }: { record: AuditRecord; target: ReactNode }) {
  const {
    at,
    partner_name,
    actor,
    credential,
    request_id,
    action,
    target,
    target_name,
    details,
    email,
    erased,
  } = record;
  return (
    <>
      <Facts>
        <Fact name="Time">{formatExactTime(at)}</Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name={actorKinds[actor.kind]}>
          <Named name={actor.name} email={actor.email} otherwise={null} />
          <Id id={actor.id} />
        </Fact>
        <Fact name="From the address">{actor.address ?? '–'}</Fact>
        <Fact name={credentialKinds[credential.kind]}>
          {credential.id === '' ? '–' : <Id id={credential.id} />}
        </Fact>
        <Fact name="Target">
          <Named name={target_name} email={email} link={link} otherwise={null} />
          {target === null ? '–' : <Id id={target} />}
        </Fact>
        {partner_name !== null && <Fact name="Partner">{partner_name}</Fact>}
        <Fact name="Request">{request_id === null ? '–' : <Id id={request_id} />}</Fact>
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            {show(value)}
          </Fact>
        ))}
      </Facts>
      {erased && <Faint>Personal values of this record were erased.</Faint>}
    </>
  );
}

function Changes({ changes }: Pick<AuditRecord, 'changes'>) {
  const members = Object.entries(changes);
  if (members.length === 0) return <Faint>The record has no changed members.</Faint>;
  return (
    <Scroll label="Changes">
      <table className={css.changes}>
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {members.map(([name, { before, after }]) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{show(before)}</td>
              <td>{show(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Longer values are shown in lines. */
const lineLength = 60;
/** Texts as they are, everything else as JSON. */
function show(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value);
  return line.length <= lineLength ? line : JSON.stringify(value, null, 2);
}
