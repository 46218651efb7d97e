// The SQL of the audit log. A row commits with the change that it records (behaviour U1).
import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable } from '../postgres/database.ts';

/**
 * The user, the credential and the request that made a change. `mail_link`: a link from a mail, and `id` says what for. `none`:
 * somebody who could not sign in.
 */
export type Actor = {
  readonly userId: string;
  readonly credential: {
    readonly kind: 'session' | 'token' | 'mail_link' | 'provider' | 'task' | 'command' | 'none';
    readonly id: string;
  };
  readonly requestId: string;
};

/** The actor of a change that a scheduled task or the engine makes. */
export const systemActor = (task: string): Actor => ({
  userId: 'system',
  credential: { kind: 'task', id: task },
  requestId: '',
});

/** The actor of a command of the command line, such as `keys rotate`. */
export const commandActor = (command: string): Actor => ({
  userId: 'command line',
  credential: { kind: 'command', id: command },
  requestId: '',
});

export type AuditEntry = {
  readonly actor: Actor;
  /** Bare UUID. Null: the change does not concern a partner. */
  readonly partnerId: string | null;
  /** Noun and verb, such as `agreement.update`. */
  readonly action: string;
  /** The id of the object that changed. */
  readonly target: string | null;
  readonly outcome?: 'done' | 'intended' | 'failed' | 'denied';
  /** Must not hold secrets or personal data: rows are never changed. */
  readonly details?: object;
  /** Stored in a table of its own, where they can be erased. */
  readonly email?: string;
  readonly address?: string;
};

export async function recordAction(on: Queryable, entry: AuditEntry): Promise<void> {
  const { actor, partnerId, action, target, outcome = 'done', details = {}, email = null, address = null } = entry;
  const credential = `${actor.credential.kind} ${actor.credential.id}`;
  const person = email === null && address === null ? null : randomUUIDv7();
  if (person !== null)
    await on.query(sql`insert into audit_person (id, email, address) values (${person}, ${email}, ${address})`);
  await on.query(sql`
    insert into audit_log (request_id, actor_id, credential, partner_id, action, target, outcome, details, person_id)
    values (${actor.requestId}, ${actor.userId}, ${credential}, ${partnerId}, ${action}, ${target},
      ${outcome}, ${JSON.stringify(details)}, ${person})`);
}

/** Writes the entry to the log of each of these partners (bare UUIDs), in one statement. */
export async function recordForPartners(
  on: Queryable,
  { actor, action, target, details = {} }: Pick<AuditEntry, 'actor' | 'action' | 'target' | 'details'>,
  partnerIds: readonly string[],
): Promise<void> {
  const credential = `${actor.credential.kind} ${actor.credential.id}`;
  await on.query(sql`
    insert into audit_log (request_id, actor_id, credential, partner_id, action, target, outcome, details)
    select ${actor.requestId}, ${actor.userId}, ${credential}, partner_id, ${action}, ${target}, 'done', ${JSON.stringify(details)}
    from unnest(${partnerIds}::uuid[]) as partner_id`);
}
