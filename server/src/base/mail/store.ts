// The SQL of the outbox. A mail commits with the change that causes it.
import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
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

/** `text` can hold links that give access, so it is not here. */
type WaitingMail = { subject: string; created_at: Date; attempts: number };

export type Outbox = {
  insert(tx: Transaction, mail: Mail): Promise<void>;
  selectTo(on: Queryable, address: string): Promise<WaitingMail[]>;
  removeTo(tx: Transaction, addresses: readonly string[]): Promise<void>;
  lease(limit: number): Promise<LeasedMail[]>;
  remove(id: string): Promise<void>;
  /** `to`: the recipient, if the answer was about it. */
  retry(id: string, afterSeconds: number, failure: { error: string; to: string | null }): Promise<void>;
  queue(on?: Queryable): Promise<MailQueue>;
  clockSetBack(tx: Transaction, latest: Date): Promise<boolean>;
};

/** Mails of a restored backup wait for an operator. */
const isRestored = sql`next_at = 'infinity'`;
const batch = 1_000;

export const countRestoredMails = (on: Queryable): Promise<number> =>
  selectCount(on, sql`(select from mail where ${isRestored} limit ${maxCounted}) counted`);

/** A batch, whose age counts from now. Returns how many. */
export async function sendRestoredMails(tx: Transaction): Promise<number> {
  const rows = await tx.query(sql`
    update mail set next_at = concord_now(), created_at = concord_now()
    where id = any(array(select id from mail where ${isRestored} limit ${batch} for update)) returning id`);
  return rows.length;
}

export async function dropRestoredMails(tx: Transaction): Promise<number> {
  const rows = await tx.query(sql`
    delete from mail where id = any(array(select id from mail where ${isRestored} limit ${batch} for update)) returning id`);
  return rows.length;
}

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

export function createOutbox({ db, encryption, recipients }: Options): Outbox {
  async function findTo(on: Queryable, address: string) {
    const rows = await on.query<{
      id: string;
      sealed: Buffer;
      created_at: Date;
      attempts: number;
    }>(sql`
      select id, sealed, created_at, attempts from mail
      where recipient = any (${recipients.find(address)}) order by id`);
    return rows.map((row) => ({ ...row, subject: openIfPossible(row)?.subject ?? '' }));
  }

  /** Undefined: the secret is not configured any more. */
  function openIfPossible({ id, sealed }: { id: string; sealed: Buffer }): Mail | undefined {
    try {
      return JSON.parse(encryption.decrypt(sealed, id)) as Mail;
    } catch {
      return undefined;
    }
  }

  return {
    selectTo: async (on, address) =>
      (await findTo(on, address)).map(({ subject, created_at, attempts }) => ({
        subject,
        created_at,
        attempts,
      })),
    async removeTo(tx, addresses) {
      for (const address of addresses) {
        const found = (await findTo(tx, address)).map(({ id }) => id);
        await tx.query(sql`delete from mail where id = any (${found}::uuid[])`);
      }
    },
    async insert(tx, mail) {
      const id = randomUUIDv7();
      await tx.write(
        sql`
        insert into mail (id, sealed, recipient) values (${id}, ${encryption.encrypt(JSON.stringify(mail), id)}, ${recipients.write(mail.to)})`,
        'insert mail',
      );
    },
    async lease(limit) {
      const rows = await db.query<{ id: string; sealed: Buffer; attempts: number; age_ms: number }>(sql`
        update mail set next_at = concord_now() + ${leaseSeconds} * interval '1 second', attempts = attempts + 1
        where id in (
          select id from mail where next_at <= concord_now() order by next_at limit ${limit} for update skip locked)
        returning id, sealed, attempts, (extract(epoch from concord_now() - created_at) * 1000)::float8 as age_ms`);
      return rows.map(({ id, sealed, attempts, age_ms }) => ({
        id,
        // A mail that cannot be opened must not fail the batch.
        open: () => JSON.parse(encryption.decrypt(sealed, id)) as Mail,
        attempts,
        ageMs: age_ms,
      }));
    },
    remove: createGather({
      shapeOf: () => 'remove',
      async answer(ids: readonly string[]) {
        await db.query(sql`delete from mail where id = any (${ids}::uuid[])`);
        return ids.map(() => undefined);
      },
    }),
    async retry(id, afterSeconds, { error, to }) {
      await db.query(sql`
        update mail set next_at = concord_now() + ${afterSeconds} * interval '1 second', last_error = ${error},
          refusing_domain = ${to === null ? null : recipients.domain(to)}
        where id = ${id}`);
    },
    async clockSetBack(tx, latest) {
      await tx.query(sql`
        update mail set next_at = concord_now()
        where next_at > concord_now() and next_at <= ${latest}::timestamptz + ${leaseSeconds} * interval '1 second'`);
      return true;
    },
    queue: (on = db) => selectQueue(on),
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
