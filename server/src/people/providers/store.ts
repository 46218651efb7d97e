// The SQL of links to providers, of providers that users have unlinked, and of sign-ins that wait for the
// console.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryValue } from '../../base/postgres/sql/rows.ts';

type Link = { id: string; provider_id: string };

/** The ways in which the user can sign in. The password has the provider id `credential`. */
export function selectLinks(on: Queryable, userId: string): Promise<Link[]> {
  return on.query<Link>(sql`select id, provider_id from auth.account where user_id = ${userId}`);
}

/** Deletes the link, and remembers that the user did not want it. */
export async function deleteLink(
  tx: Transaction,
  userId: string,
  { id, provider_id: provider }: Link,
): Promise<void> {
  await tx.query(sql`delete from auth.account where id = ${id}`);
  await tx.query(sql`
    insert into auth.unlinked_provider (user_id, provider_id) values (${userId}, ${provider}) on conflict do nothing`);
}

export const isUnlinked = (on: Queryable, userId: string, provider: string) =>
  hasRows(
    on,
    sql`select from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`,
  );

export async function forgetUnlinked(tx: Transaction, userId: string, provider: string): Promise<void> {
  await tx.query(
    sql`delete from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`,
  );
}

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
export const takeCode = (on: Queryable, codeHash: Buffer, browserHash: Buffer) =>
  queryValue<Buffer>(
    on,
    sql`
    delete from auth.provider_code
    where code_hash = ${codeHash} and browser_hash = ${browserHash} and expires_at > concord_now() returning answer`,
  );
