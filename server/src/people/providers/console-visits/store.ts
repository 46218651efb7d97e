// The SQL of sign-ins with a provider that wait for the console. Only hashes of their codes are stored.
import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../base/postgres/database.ts';

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

type ProviderCode = { codeHash: Buffer; browserHash: Buffer; userId: string; answer: Buffer };

export async function insertCode(
  on: Queryable,
  { codeHash, browserHash, userId, answer }: ProviderCode,
): Promise<void> {
  await on.query(sql`
    insert into auth.provider_code (code_hash, browser_hash, user_id, answer, expires_at)
    values (${codeHash}, ${browserHash}, ${userId}, ${answer}, concord_now() + interval '60 seconds')`);
}

/** Deletes the code of this browser, and returns its answer. Undefined: there is none, or it has expired. */
export async function takeCode(
  on: Queryable,
  codeHash: Buffer,
  browserHash: Buffer,
): Promise<Buffer | undefined> {
  const [row] = await on.query<{ answer: Buffer }>(sql`
    delete from auth.provider_code
    where code_hash = ${codeHash} and browser_hash = ${browserHash} and expires_at > concord_now() returning answer`);
  return row?.answer;
}
