// The SQL of the audit log. A row commits with the change that it records (behaviour U1).
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../base/postgres/database.ts';
import type { ScheduledTask } from '../base/postgres/scheduled-tasks.ts';
import { deleteSome } from '../base/postgres/sql/deletion.ts';
import { hasRows, queryValues } from '../base/postgres/sql/rows.ts';
import type { Actor } from './actor.ts';
import type { Changes } from './changes.ts';

export const outcomes = ['done', 'intended', 'failed', 'denied'] as const;

export type AuditEntry = {
  readonly actor: Actor;
  /** Bare UUID. Null: the change does not concern a partner. */
  readonly partnerId: string | null;
  /** Noun and verb, such as `agreement.update`. */
  readonly action: string;
  readonly target: string | null;
  readonly outcome?: (typeof outcomes)[number];
  /** Never secrets or personal values: rows are never changed. The same holds for `changes`. */
  readonly details?: object;
  readonly changes?: Changes;
  readonly targetName?: string | null;
  /**
   * Stored in a table of their own, where they can be erased. `subject`: whom they are about; default: the target.
   * `email_key`: of an `email` whose subject is no address.
   */
  readonly personal?: {
    readonly subject?: string;
    readonly email?: string;
    readonly email_key?: string;
    readonly changes?: Changes;
  };
};

/** The address of a service account leads nowhere, so it is left out. */
const ofUser = (id: string | null) => sql`
  (select jsonb_strip_nulls(jsonb_build_object('name', name, 'email', nullif(email, id || '@service-account.invalid')))
    from auth."user" where id = ${id}::text)`;

export const recordAction = (on: Queryable, { partnerId, ...entry }: AuditEntry): Promise<void> =>
  recordForPartners(on, entry, [partnerId]);

/** `partnerIds`: bare UUIDs. */
export async function recordForPartners(
  on: Queryable,
  {
    actor,
    action,
    target,
    outcome = 'done',
    details = {},
    changes = {},
    targetName,
    personal,
  }: Omit<AuditEntry, 'partnerId'>,
  partnerIds: readonly (string | null)[],
): Promise<void> {
  const credential = `${actor.credential.kind} ${actor.credential.id}`;
  const { subject = target, ...others } = personal ?? {};
  const values = { ...(targetName != null && { name: targetName }), ...others };
  // A failed sign-in has no user: its address belongs to the account that was tried.
  const addressOf = actor.kind === 'nobody' ? (target ?? actor.userId) : actor.userId;
  // One statement: the row, its personal values and its place in the queue commit together.
  await on.write(
    sql`
    with users as materialized (select ${ofUser(actor.userId)} as actor, ${ofUser(target)} as target),
    personal as materialized (
      select part, subject, coalesce(of_user, '{}') || given as personal, uuid_send(gen_random_uuid()) as salt
      from users, lateral (values
        ('address', ${addressOf}::text, actor, ${JSON.stringify(actor.address === null ? {} : { address: actor.address })}::jsonb),
        ('person', ${subject}::text, target, ${JSON.stringify(values)}::jsonb)
      ) as known (part, subject, of_user, given)
      where subject is not null and (of_user is not null or given <> '{}')),
    recorded as (
      insert into audit_log (request_id, actor_kind, actor_id, credential, partner_id, action, target, outcome, details, changes,
        address_commitment, person_commitment)
      select ${actor.requestId}, ${actor.kind}, ${actor.userId}, ${credential}, partner_id, ${action}, ${target}, ${outcome},
        ${JSON.stringify(details)}::jsonb, ${JSON.stringify(changes)}::jsonb,
        (select sha256(salt || convert_to(jsonb_build_array(subject, personal)::text, 'UTF8')) from personal where part = 'address'),
        (select sha256(salt || convert_to(jsonb_build_array(subject, personal)::text, 'UTF8')) from personal where part = 'person')
      from unnest(${partnerIds}::uuid[]) as partner_id
      returning position, partner_id),
    kept as (
      insert into audit_person (position, partner_id, part, subject, salt, personal)
      select position, partner_id, part, subject, salt, personal from recorded, personal)
    insert into audit_unsealed (position) select position from recorded`,
    'record action',
  );
}

/**
 * The rows stay, with commitments that nobody can open. A task deletes the rest of many rows, and for a
 * minute what requests in flight still write about the user.
 */
export async function erasePersonal(
  tx: Transaction,
  userId: string,
  emails: readonly string[],
): Promise<void> {
  const hasMore = await deleteOf(tx, [userId, ...emails]);
  await tx.query(sql`
    insert into audit_erasure (subject, until)
    select ${userId}::text, concord_now() + interval '1 minute'
    union select unnest(${hasMore ? emails : []}::text[]), concord_now()
    on conflict do nothing`);
}

const deleteOf = (tx: Transaction, subjects: readonly string[]): Promise<boolean> =>
  deleteSome(tx, [sql`from audit_person`, sql`subject = any (${[...subjects]})`]);

export const erasing: ScheduledTask = {
  name: 'erase personal values of deleted users',
  intervalMs: 1_000,
  hasWork: (on) => hasRows(on, sql`select from audit_erasure limit 1`, 'erasures'),
  async run(tx) {
    const subjects = await queryValues<string>(
      tx,
      sql`select subject from audit_erasure order by until limit 100`,
    );
    if (await deleteOf(tx, subjects)) return;
    await tx.query(
      sql`delete from audit_erasure where subject = any (${subjects}) and until <= concord_now()`,
    );
  },
};
