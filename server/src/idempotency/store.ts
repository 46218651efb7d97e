// The SQL of idempotent requests: their locks, and their answers, which are kept for 24 hours.
import sql, { join } from 'sql-template-tag';
import type { ErasePerson } from '../feature.ts';
import type { Transaction } from '../postgres/database.ts';
import type { ScheduledTask } from '../postgres/scheduled-tasks.ts';

/** `json` is the body as it was sent. A retry gets the same text. */
export type Answer = { status: number; headers: Record<string, string>; json: string };

/** Identifies a request. Null without an Idempotency-Key. */
export type IdempotentRequest = { method: string; path: string; key: string; bodyHash: Buffer } | null;

type Keyed = NonNullable<IdempotentRequest>;

/** Locks the request until the transaction ends. False: another transaction holds the lock. */
export async function tryLock(tx: Transaction, principalId: string, { method, path, key }: Keyed): Promise<boolean> {
  const name = JSON.stringify([principalId, method, path, key]);
  const [lock] = await tx.query<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as free`);
  return lock?.free === true;
}

/** An earlier version wrapped the answers of events in an object. They are kept for 24 hours after an upgrade. */
const bodyText = sql`case when starts_with(body, '{"text":') then body::jsonb ->> 'text' else body end`;

type Row = { body_hash: Buffer; status: number; headers: Record<string, string>; body: string };

export async function selectAnswer(
  tx: Transaction,
  principalId: string,
  { method, path, key }: Keyed,
): Promise<{ bodyHash: Buffer; answer: Answer } | undefined> {
  const [row] = await tx.query<Row>(sql`
    select body_hash, status, headers, ${bodyText} as body from idempotent_answer
    where principal_id = ${principalId} and key = ${key} and method = ${method} and path = ${path}
      and created_at > concord_now() - interval '24 hours'`);
  return row && { bodyHash: row.body_hash, answer: { status: row.status, headers: row.headers, json: row.body } };
}

/** Replaces an expired answer. */
export async function insertAnswer(
  tx: Transaction,
  principalId: string,
  { method, path, key, bodyHash }: Keyed,
  { status, headers, json }: Answer,
): Promise<void> {
  await tx.query(sql`
    insert into idempotent_answer (principal_id, key, method, path, body_hash, status, headers, body)
    values (${principalId}, ${key}, ${method}, ${path}, ${bodyHash}, ${status}, ${headers}, ${json})
    on conflict (principal_id, key, method, path) do update set
      body_hash = excluded.body_hash, status = excluded.status, headers = excluded.headers,
      body = excluded.body, created_at = excluded.created_at`);
}

/** The body of an answer without these texts, which are addresses and names in it. */
const blanked = (texts: readonly string[]) =>
  texts.reduce((body, text) => {
    const pattern = `("(?:email|name)":)${JSON.stringify(text).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`;
    return sql`regexp_replace(${body}, ${pattern}, ${'\\1""'}, 'gi')`;
  }, sql`body`);

/**
 * Deletes the answers to the person, and those about the user. Answers to others about agreements stay, so that a retry has no second
 * effect, and no longer name the person.
 */
export const eraseFromAnswers: ErasePerson = async (tx, { userId, name, emails }) => {
  await tx.query(sql`delete from idempotent_answer where principal_id = ${userId}`);
  const aboutPeople = sql`(starts_with(path, '["/partners/:id/agreements') or starts_with(path, '["/users/'))`;
  await tx.query(sql`delete from idempotent_answer where ${aboutPeople} and strpos(path, ${userId}) > 0`);
  const named = emails.map((email) => sql`strpos(lower(body), ${JSON.stringify(email).toLowerCase()}) > 0`);
  await tx.query(sql`
    update idempotent_answer set body = ${blanked([...emails, name])} where ${aboutPeople} and (${join(named, ' or ')})`);
};

export const deleteExpiredAnswers: ScheduledTask = {
  name: 'delete expired idempotent answers',
  intervalMs: 10 * 60_000,
  async run(tx) {
    await tx.query(sql`delete from idempotent_answer where created_at < concord_now() - interval '24 hours'`);
  },
};
