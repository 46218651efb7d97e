// The SQL of the audit log. A row commits with the change that it records (behaviour U1).
import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable } from '../postgres/database.ts';

/** The user, the credential and the request that made a change. `mail_link`: a link from a mail, and `id` says what for. */
export type Actor = {
  readonly userId: string;
  readonly credential: { readonly kind: 'session' | 'token' | 'mail_link' | 'task'; readonly id: string };
  readonly requestId: string;
};

/** The actor of a change that a scheduled task or the engine makes. */
export const systemActor = (task: string): Actor => ({
  userId: 'system',
  credential: { kind: 'task', id: task },
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
  /** Stored in a table of its own, where it can be erased. */
  readonly email?: string;
};

export async function recordAction(on: Queryable, entry: AuditEntry): Promise<void> {
  const { actor, partnerId, action, target, outcome = 'done', details = {}, email } = entry;
  const credential = `${actor.credential.kind} ${actor.credential.id}`;
  const person = email === undefined ? null : randomUUIDv7();
  if (person !== null) await on.query(sql`insert into audit_person (id, email) values (${person}, ${email})`);
  await on.query(sql`
    insert into audit_log (request_id, actor_id, credential, partner_id, action, target, outcome, details, person_id)
    values (${actor.requestId}, ${actor.userId}, ${credential}, ${partnerId}, ${action}, ${target},
      ${outcome}, ${JSON.stringify(details)}, ${person})`);
}
