// The outbox: mail is a row of the transaction that has a reason for it, so neither is there without the other.
import { randomUUIDv7 } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, Queryable } from '../postgres/database.ts';
import type { Sealer } from '../sealing.ts';

export type Mail = { to: string; subject: string; text: string; html: string };

/** A mail that this worker may send, until its lease ends. */
type LeasedMail = { id: string; open: () => Mail; attempts: number; ageMs: number };

/** Longer than any attempt can take (transport.ts), so that nobody else sends it meanwhile. */
const leaseSeconds = 120;

export type Outbox = {
  /** In a transaction: sent only if it commits. */
  enqueue(on: Queryable, mail: Mail): Promise<void>;
  /** Takes what is due, at most `limit`, for as long as an attempt may last. */
  lease(limit: number): Promise<LeasedMail[]>;
  /** It was sent, or is given up. */
  remove(id: string): Promise<void>;
  retry(id: string, afterSeconds: number, error: string): Promise<void>;
};

export function createOutbox({ db, sealer }: { db: Database; sealer: Sealer }): Outbox {
  return {
    async enqueue(on, mail) {
      const id = randomUUIDv7();
      await on.query(sql`insert into mail (id, sealed) values (${id}, ${sealer.seal(JSON.stringify(mail), id)})`);
    },
    async lease(limit) {
      const rows = await db.query<{ id: string; sealed: Buffer; attempts: number; age_ms: number }>(sql`
        update mail set next_at = concord_now() + ${leaseSeconds} * interval '1 second', attempts = attempts + 1
        where id in (
          select id from mail where next_at <= concord_now() order by next_at limit ${limit} for update skip locked)
        returning id, sealed, attempts, (extract(epoch from concord_now() - created_at) * 1000)::float8 as age_ms`);
      return rows.map(({ id, sealed, attempts, age_ms }) => ({
        id,
        // By who sends it: one that cannot be opened must not hold up the others.
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
  };
}
