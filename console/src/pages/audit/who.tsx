// Who a record of the audit log is about: a name with its address, as the log has them.
import type { AuditRecord } from '@concord/client';
import type { ReactNode } from 'react';
import { Faint, Id, Soft } from '../../ui/text/text.tsx';
import css from './audit.module.css';
import { actorKinds } from './messages.ts';

/** A name above its address. Without both: `otherwise`. */
export function Named({ name, email, otherwise }: { name: ReactNode; email: string | null; otherwise: ReactNode }) {
  if (name === null && email === null) return otherwise;
  return (
    <span className={css.who}>
      <span>{name ?? email}</span>
      {name !== null && email !== null && <Faint>{email}</Faint>}
    </span>
  );
}

/** Earlier versions recorded no names, and a deleted user has none any more. */
export function Actor({ kind, id, name, email }: AuditRecord['actor']) {
  if (kind === 'task' || kind === 'command' || kind === 'nobody') return <Soft>{actorKinds[kind]}</Soft>;
  const role = kind === 'person' ? null : actorKinds[kind];
  return (
    <Named
      name={name}
      email={email ?? role}
      otherwise={
        <span>
          <Soft>{actorKinds[kind]}</Soft> <Id id={id} />
        </span>
      }
    />
  );
}
