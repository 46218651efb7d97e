// The SQL of links to providers, of providers that users have unlinked, and of sign-ins that wait for the
// console.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryValue } from '../../base/postgres/sql/rows.ts';
import { notBanned } from '../users/store.ts';

type Link = { id: string; provider_id: string };

/** The ways in which the user can sign in. The password has the provider id `credential`. */
export const selectLinks = (on: Queryable, userId: string) =>
  on.query<Link>(sql`select id, provider_id from auth.account where user_id = ${userId}`);

/** Deletes the link, and remembers that the user did not want it. */
export async function deleteLink(tx: Transaction, userId: string, { id, provider_id: provider }: Link) {
  await tx.query(sql`delete from auth.account where id = ${id}`);
  await tx.query(sql`
    insert into auth.unlinked_provider (user_id, provider_id) values (${userId}, ${provider}) on conflict do nothing`);
}

export const isUnlinked = (on: Queryable, userId: string, provider: string) =>
  hasRows(
    on,
    sql`select from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`,
  );

export const forgetUnlinked = (tx: Transaction, userId: string, provider: string) =>
  tx.query(sql`delete from auth.unlinked_provider where user_id = ${userId} and provider_id = ${provider}`);

type ProviderCode = { codeHash: Buffer; browserHash: Buffer; userId: string; answer: Buffer };

/** False: the user was deleted meanwhile. */
export const insertCode = (on: Queryable, { codeHash, browserHash, userId, answer }: ProviderCode) =>
  hasRows(
    on,
    sql`
    insert into auth.provider_code (code_hash, browser_hash, user_id, answer, expires_at)
    select ${codeHash}, ${browserHash}, id, ${answer}, concord_now() + interval '60 seconds'
    from auth."user" where id = ${userId} for key share returning 1`,
  );

/** Deletes the code of this browser, and returns its answer. Undefined: there is none, or it has expired. */
export const takeCode = (on: Queryable, codeHash: Buffer, browserHash: Buffer) =>
  queryValue<Buffer>(
    on,
    sql`
    delete from auth.provider_code
    where code_hash = ${codeHash} and browser_hash = ${browserHash} and expires_at > concord_now() returning answer`,
  );

/** `provider`: as in `auth.account`. `subject`: the person's id there. */
export type Identity = { provider: string; subject: string };

/** Someone who may be signed in, unless `banned`. `email` is a key. */
type LinkablePerson = {
  id: string;
  email: string;
  verified: boolean;
  banned: boolean;
  secondFactor: boolean;
  operator: boolean;
};

/** Locks both. `linked`: the user of the identity. `owner`: the user of the address, unless it is a program. */
export async function lockPeople(tx: Transaction, { provider, subject }: Identity, email: string) {
  const people = await tx.query<LinkablePerson & { linked: boolean }>(sql`
    select id, email, email_verified as verified, two_factor_enabled is true as "secondFactor", role = 'operator' as operator,
      ${notBanned} is not true as banned,
      exists (select from auth.account linked where linked.user_id = account.id and provider_id = ${provider} and account_id = ${subject}) as linked
    from auth."user" account where (email = ${email} or id in (
        select user_id from auth.account where provider_id = ${provider} and account_id = ${subject}))
      and not exists (select from service_account where user_id = account.id)
    order by id for no key update`);
  const find = (test: (person: (typeof people)[number]) => boolean): LinkablePerson | undefined =>
    people.find(test);
  return { linked: find(({ linked }) => linked), owner: find((person) => person.email === email) };
}

export async function replaceLink(tx: Transaction, userId: string, { provider, subject }: Identity) {
  await tx.query(sql`delete from auth.account where user_id = ${userId} and provider_id = ${provider}`);
  await forgetUnlinked(tx, userId, provider);
  await tx.query(sql`
    insert into auth.account (id, account_id, provider_id, user_id, updated_at)
    values (${crypto.randomUUID()}, ${subject}, ${provider}, ${userId}, concord_now())`);
}
