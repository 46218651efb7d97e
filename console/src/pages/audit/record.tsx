// One record of the audit log: who, how, and each member before and after.
import type { AuditRecord } from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '#api/read.ts';
import { formatExactTime } from '#format/time.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Row, Section } from '#ui/layout/page.tsx';
import { Scroll } from '#ui/layout/scroll.tsx';
import { Fact, Facts, Faint, Id, Status } from '#ui/text/text.tsx';
import css from './audit.module.css';
import type { LinkTarget } from './audit-table.tsx';
import { actorKinds, credentialKinds, nameAction, outcomes } from './messages.ts';
import { endpointOf, type Names, useNames } from './names.ts';
import { Named } from './who.tsx';

type Props = {
  query: UseQueryResult<Answer<AuditRecord>>;
  list: { to: '/p/$partner/audit' | '/admin/audit'; params?: { partner: string } };
  linkTarget: LinkTarget;
  denied?: ReactNode;
  /** Around the record: it is shown to those who may see it. */
  frame?: (shown: ReactNode) => ReactNode;
};

export function RecordPage({ query, list, linkTarget, denied, frame = (shown) => shown }: Props) {
  const record = query.data?.data;
  const names = useNames({
    partner: record?.partner_id ?? null,
    groups: JSON.stringify([record?.changes, record?.details]).includes('"apg_'),
    endpoints: record?.target?.startsWith('whe_') ?? false,
  });
  return (
    <Page
      title={record === undefined ? 'Record' : nameAction(record.action)}
      above={<Link {...list}>Audit log</Link>}
      beside={record && <Status {...outcomes[record.outcome]} />}
    >
      {frame(
        <Loaded
          query={query}
          lines={8}
          denied={denied}
          missing={<Empty>This record does not exist, or you have no access to it.</Empty>}
        >
          {({ data }) => (
            <>
              <About record={data} names={names} linkTarget={linkTarget} />
              <MoreLinks list={list} record={data} />
              <Section title="Changes">
                <Changes changes={data.changes} names={names} />
              </Section>
            </>
          )}
        </Loaded>,
      )}
    </Page>
  );
}

function MoreLinks({ list, record: { actor, target } }: Pick<Props, 'list'> & { record: AuditRecord }) {
  return (
    <Row>
      <Link {...list} search={{ actor: actor.id }}>
        All records of this actor
      </Link>
      {target !== null && target !== actor.id && (
        <Link {...list} search={{ target }}>
          All records about this target
        </Link>
      )}
    </Row>
  );
}

type AboutProps = { record: AuditRecord; names: Names; linkTarget: LinkTarget };
function About({ record, names, linkTarget }: AboutProps) {
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
        <Fact name="Actor">
          <Named name={actor.name} email={actor.email} otherwise={null} />
          {actor.kind !== 'person' && actor.name !== actorKinds[actor.kind] && (
            <div>{actorKinds[actor.kind]}</div>
          )}
          <Id id={actor.id} />
        </Fact>
        <Fact name="From the address">{actor.address ?? '–'}</Fact>
        <Fact name={credentialKinds[credential.kind]}>
          {credential.id === '' ? '–' : <Id id={credential.id} />}
        </Fact>
        <Fact name="Target">
          <Named
            name={target_name}
            email={email}
            link={linkTarget(record, endpointOf(names, target, target_name)?.url)}
            otherwise={null}
          />
          {target === null ? '–' : <Id id={target} />}
        </Fact>
        {partner_name !== null && <Fact name="Partner">{partner_name}</Fact>}
        <Fact name="Request">{request_id === null ? '–' : <Id id={request_id} />}</Fact>
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            <Value value={value} names={names} />
          </Fact>
        ))}
      </Facts>
      {erased && <Faint>Personal values of this record were erased.</Faint>}
    </>
  );
}

function Changes({ changes, names }: Pick<AuditRecord, 'changes'> & { names: Names }) {
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
              <td>
                <Value value={before} names={names} />
              </td>
              <td>
                <Value value={after} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Ids of groups by their names. The id is the title. */
function Value({ value, names }: { value: unknown; names: Names }) {
  const ids = Array.isArray(value) ? value : [value];
  if (ids.length === 0 || !ids.every((id) => typeof id === 'string' && names.groups.has(id)))
    return show(value);
  return ids.map((id: string, index) => (
    <span key={id} title={id}>
      {index > 0 && ', '}
      {names.groups.get(id)}
    </span>
  ));
}

/** Longer values are shown in lines. */
const lineLength = 60;
/** Texts as they are, everything else as JSON. Null can mean all, and an empty list never does. */
function show(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  const line = JSON.stringify(value);
  if (line === '[]') return 'None';
  return line.length <= lineLength ? line : JSON.stringify(value, null, 2);
}
