// The SQL of the outbox. A mail commits with the change that causes it.
import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, Transaction } from '../postgres/database.ts';
import { requireRow } from '../postgres/sql/rows.ts';
import type { Sealer } from '../secrets/index.ts';
import type { Mail } from './mail.ts';

/** A mail that only this sender sends until the lease ends. `open` throws when its secret is not configured. */
export type LeasedMail = { id: string; open: () => Mail; attempts: number; ageMs: number };

/** Longer than any attempt takes (transport.ts), so that two senders never send the same mail at once. */
const leaseSeconds = 120;

export type Outbox = {
  /** The mail is sent only if the transaction commits. */
  insert(tx: Transaction, mail: Mail): Promise<void>;
  /** Leases at most `limit` due mails, each for one attempt. */
  lease(limit: number): Promise<LeasedMail[]>;
  /** Deletes a mail that was sent or given up. */
  remove(id: string): Promise<void>;
  retry(id: string, afterSeconds: number, error: string): Promise<void>;
  queue(): Promise<MailQueue>;
};

/** The oldest mails that are not sent yet, 10,000 at most. */
export type MailQueue = { waiting: number; failing: number; oldest_age_seconds: number | null };
const maxCounted = 10_000;

export function createOutbox({ db, sealer }: { db: Database; sealer: Sealer }): Outbox {
  return {
    async insert(tx, mail) {
      const id = randomUUIDv7();
      await tx.query(sql`insert into mail (id, sealed) values (${id}, ${sealer.seal(JSON.stringify(mail), id)})`);
    },
    async lease(limit) {
      const rows = await db.query<{ id: string; sealed: Buffer; attempts: number; age_ms: number }>(sql`
        update mail set next_at = concord_now() + ${leaseSeconds} * interval '1 second', attempts = attempts + 1
        where id in (
          select id from mail where next_at <= concord_now() order by next_at limit ${limit} for update skip locked)
        returning id, sealed, attempts, (extract(epoch from concord_now() - created_at) * 1000)::float8 as age_ms`);
      return rows.map(({ id, sealed, attempts, age_ms }) => ({
        id,
        // The sender opens each mail: one that cannot be opened must not fail the whole batch.
        open: () => JSON.parse(sealer.open(sealed, id)) as Mail,
        attempts,
        ageMs: age_ms,
      }));
    },
    async remove(id) {
      await db.query(sql`delete from mail where id = ${id}`);
    },
    async retry(id, afterSeconds, error) {
      await db.query(sql`
        update mail set next_at = concord_now() + ${afterSeconds} * interval '1 second', last_error = ${error}
        where id = ${id}`);
    },
    async queue() {
      const rows = await db.query<MailQueue>(sql`
        select count(*)::int as waiting, count(last_error)::int as failing,
          floor(extract(epoch from concord_now() - min(least(created_at, concord_now()))))::float8 as oldest_age_seconds
        from (select created_at, last_error from mail order by id limit ${maxCounted}) oldest`);
      return requireRow(rows, 'mail queue');
    },
  };
}
