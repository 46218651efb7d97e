// The SQL of links to providers, and of providers that users have unlinked.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';

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

export async function isUnlinked(on: Queryable, userId: string, provider: string): Promise<boolean> {
  const found = await on.query(sql`
    select from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`);
  return found.length > 0;
}

export async function forgetUnlinked(tx: Transaction, userId: string, provider: string): Promise<void> {
  await tx.query(
    sql`delete from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`,
  );
}
