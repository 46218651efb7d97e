// One record of the audit log: who, how, and each member before and after.
import type { AuditRecord } from '@concord/client';
import { formatExactTime } from '../../format/time.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Scroll } from '../../ui/layout/scroll.tsx';
import { Fact, Facts, Faint, Id } from '../../ui/text/text.tsx';
import css from './audit.module.css';
import { actorKinds, credentialKinds, nameAction, outcomes } from './messages.ts';

export function RecordDialog({ record, onClose }: { record: AuditRecord; onClose: () => void }) {
  const { at, actor, credential, request_id, action, target, outcome, details, changes, email, erased } = record;
  return (
    <Dialog title={nameAction(action)} onClose={onClose} isWide>
      <Facts>
        <Fact name="Time">{formatExactTime(at)}</Fact>
        <Fact name="Outcome">{outcomes[outcome].name}</Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name={actorKinds[actor.kind]}>
          <Id id={actor.id} />
        </Fact>
        <Fact name="From the address">{actor.address ?? '–'}</Fact>
        <Fact name={credentialKinds[credential.kind]}>{credential.id === '' ? '–' : <Id id={credential.id} />}</Fact>
        <Fact name="Target">{target === null ? '–' : <Id id={target} />}</Fact>
        {email !== null && <Fact name="About">{email}</Fact>}
        <Fact name="Request">{request_id === null ? '–' : <Id id={request_id} />}</Fact>
        {Object.entries(details).map(([name, value]) => (
          <Fact key={name} name={name}>
            {show(value)}
          </Fact>
        ))}
      </Facts>
      <Changes changes={changes} />
      {erased && <Faint>Personal values of this record were erased.</Faint>}
    </Dialog>
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
