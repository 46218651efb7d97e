// Who a record of the audit log is about: a name with its address, as the log has them.
import type { AuditRecord } from '@concord/client';
import type { ReactNode } from 'react';
import { classNames } from '#ui/class-names.ts';
import { Faint, Id, Soft } from '#ui/text/text.tsx';
import css from './audit.module.css';
import { actorKinds } from './messages.ts';

type NamedProps = {
  name: string | null;
  email: string | null;
  /** What is shown of the target: a link whose text is its name, or its address. */
  link?: ReactNode;
  otherwise: ReactNode;
  /** In a row of a list: long ones are cut. */
  isCut?: boolean;
};

export function Named({ name, email, link = null, otherwise, isCut = false }: NamedProps) {
  if (name === null && email === null) return link ?? otherwise;
  const below = name === null ? null : email;
  return (
    <span
      className={classNames(css.who, isCut && css.cut)}
      {...(isCut && { title: [name, email].filter(Boolean).join(', ') })}
    >
      <span>{link ?? name ?? email}</span>
      {below !== null && <Faint>{below}</Faint>}
    </span>
  );
}

/** Earlier versions recorded no names, and a deleted user has none any more. */
export function Actor({ kind, id, name, email }: AuditRecord['actor']) {
  if (kind === 'task' || kind === 'command' || kind === 'nobody') return <Soft>{actorKinds[kind]}</Soft>;
  const role = kind === 'person' || actorKinds[kind] === name ? null : actorKinds[kind];
  return (
    <Named
      name={name}
      email={name === null ? null : (email ?? role)}
      isCut
      otherwise={
        <span>
          <Soft>{actorKinds[kind]}</Soft> <Id id={id} />
        </span>
      }
    />
  );
}
