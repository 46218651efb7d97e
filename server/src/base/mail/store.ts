// The SQL of the outbox. A mail commits with the change that causes it.
import sql from 'sql-template-tag';
import { newUuid } from '../ids.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';
import { createGather } from '../postgres/gather.ts';
import { requireRow, selectCount } from '../postgres/sql/rows.ts';
import type { Encryption } from '../secrets/index.ts';
import type { Mail } from './mail.ts';
import type { Recipients } from './recipients.ts';

/** Leased by this sender. `open` throws when its secret is not configured. */
export type LeasedMail = { id: string; open: () => Mail; attempts: number; ageMs: number };

/** Longer than any attempt (transport.ts), so that two senders never send one mail. */
const leaseSeconds = 120;

/** Mails of a restored backup wait for an operator. */
const isRestored = sql`next_at = 'infinity'`;
const batch = 1_000;

export const countRestoredMails = (on: Queryable): Promise<number> =>
  selectCount(on, sql`(select from mail where ${isRestored} limit ${maxCounted}) counted`);

const restoredBatch = sql`id = any(array(select id from mail where ${isRestored} limit ${batch} for update))`;

/** A batch, whose age counts from now. Returns how many. */
export const sendRestoredMails = async (tx: Transaction): Promise<number> =>
  (
    await tx.query(sql`
      update mail set next_at = concord_now(), created_at = concord_now() where ${restoredBatch} returning id`)
  ).length;

export const dropRestoredMails = async (tx: Transaction): Promise<number> =>
  (await tx.query(sql`delete from mail where ${restoredBatch} returning id`)).length;

/**
 * 10,000 at most, without restored ones. `unrefused`: no answer about their recipient delays them.
 * `delayed_recipients`: delayed for longer than greylisting does.
 */
export type MailQueue = {
  waiting: number;
  failing: number;
  oldest_age_seconds: number | null;
  oldest_unrefused_age_seconds: number | null;
  refusing_domains: number;
  delayed_recipients: number;
};
const maxCounted = 10_000;
const greylistedMinutes = 15;

type Options = { db: Database; encryption: Encryption; recipients: Recipients };

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox({ db, encryption, recipients }: Options) {
  const open = (id: string, sealed: Buffer) => JSON.parse(encryption.decrypt(sealed, id)) as Mail;
  const isTo = (address: string) => sql`recipient = any (${recipients.find(address)})`;

  /** Empty: the secret is not configured any more. */
  function subjectOf(id: string, sealed: Buffer): string {
    try {
      return open(id, sealed).subject;
    } catch {
      return '';
    }
  }

  return {
    async insert(tx: Transaction, mail: Mail): Promise<void> {
      const id = newUuid();
      await tx.write(
        sql`
        insert into mail (id, sealed, recipient) values (${id}, ${encryption.encrypt(JSON.stringify(mail), id)}, ${recipients.write(mail.to)})`,
        'insert mail',
      );
    },
    /** The text can hold links that give access, so it is not here. */
    async selectTo(on: Queryable, address: string) {
      const rows = await on.query<{ id: string; sealed: Buffer; created_at: Date; attempts: number }>(sql`
        select id, sealed, created_at, attempts from mail where ${isTo(address)} order by id`);
      return rows.map(({ id, sealed, ...row }) => ({ subject: subjectOf(id, sealed), ...row }));
    },
    async removeTo(tx: Transaction, addresses: readonly string[]): Promise<void> {
      for (const address of addresses) await tx.query(sql`delete from mail where ${isTo(address)}`);
    },
    async lease(limit: number): Promise<LeasedMail[]> {
      // Without a name: a plan that was kept from an empty table would read all that was ever in the queue.
      const rows = await db.query<{ id: string; sealed: Buffer; attempts: number; age_ms: number }>(sql`
        update mail set next_at = concord_now() + ${leaseSeconds} * interval '1 second', attempts = attempts + 1
        where id in (
          select id from mail where next_at <= concord_now() order by next_at limit ${limit} for update skip locked)
        returning id, sealed, attempts, (extract(epoch from concord_now() - created_at) * 1000)::float8 as age_ms`);
      return rows.map(({ id, sealed, attempts, age_ms }) => ({
        id,
        // A mail that cannot be opened must not fail the batch.
        open: () => open(id, sealed),
        attempts,
        ageMs: age_ms,
      }));
    },
    remove: createGather({
      shapeOf: () => 'remove',
      async answer(ids: readonly string[]): Promise<undefined[]> {
        await db.query(sql`delete from mail where id = any (${ids}::uuid[])`);
        return ids.map(() => undefined);
      },
    }),
    /** `to`: the recipient, if the answer was about it. */
    async retry(
      id: string,
      afterSeconds: number,
      { error, to }: { error: string; to: string | null },
    ): Promise<void> {
      await db.query(sql`
        update mail set next_at = concord_now() + ${afterSeconds} * interval '1 second', last_error = ${error},
          refusing_domain = ${to === null ? null : recipients.domain(to)}
        where id = ${id}`);
    },
    async clockSetBack(tx: Transaction, latest: Date): Promise<boolean> {
      await tx.query(sql`
        update mail set next_at = concord_now()
        where next_at > concord_now() and next_at <= ${latest}::timestamptz + ${leaseSeconds} * interval '1 second'`);
      return true;
    },
  };
}

export async function selectQueue(on: Queryable): Promise<MailQueue> {
  const rows = await on.query<MailQueue>(sql`
    select count(*)::int as waiting, count(last_error)::int as failing, count(distinct refusing_domain)::int as refusing_domains,
      (count(distinct recipient) filter (where refusing_domain is not null and written < concord_now() - ${greylistedMinutes} * interval '1 minute'))::int
        as delayed_recipients,
      floor(extract(epoch from concord_now() - min(written)))::float8 as oldest_age_seconds,
      floor(extract(epoch from concord_now() - min(written) filter (where refusing_domain is null)))::float8 as oldest_unrefused_age_seconds
    from (
      select least(created_at, concord_now()) as written, last_error, recipient, refusing_domain
      from mail where not (${isRestored}) order by id limit ${maxCounted}) oldest`);
  return requireRow(rows, 'mail queue');
}
