// The SQL of what comes before a session: sign-ups that wait for the link in their mail, tokens of invitations,
// and the setup.
import sql from 'sql-template-tag';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryRow, queryValue } from '../../base/postgres/sql/rows.ts';
import { hashOf, newToken } from '../secret-tokens.ts';

const works = (token: string) => sql`token_hash = ${hashOf(token)} and expires_at > concord_now()`;

export type SignUp = { email: string; name: string; passwordHash: string };

/** Stores a sign-up for one day. @returns the token for its mail */
export async function insertSignUp(tx: Transaction, { email, name, passwordHash }: SignUp) {
  const token = newToken();
  await tx.query(sql`
    insert into auth.pending_sign_up (token_hash, email, name, password, expires_at)
    values (${hashOf(token)}, ${email}, ${name}, ${passwordHash}, concord_now() + interval '1 day')`);
  return token;
}

/**
 * The pending sign-up with this address, if all pending ones have the same password. Otherwise it is unknown
 * which one belongs to the owner of the address, who then signs up again.
 */
export const selectSignUp = (on: Queryable, email: string) =>
  queryRow<SignUp>(
    on,
    sql`
    select min(email) as email, min(name) as name, min(password) as "passwordHash" from auth.pending_sign_up
    where email = ${email} and expires_at > concord_now() having count(distinct password) = 1`,
  );

/** Undefined: the token does not work. */
export const selectSignUpHash = (on: Queryable, token: string) =>
  queryValue<string>(on, sql`select password from auth.pending_sign_up where ${works(token)}`);

/** Deletes and returns the sign-up with this token. Undefined: there is none, or it has expired. */
export const takeSignUp = (tx: Transaction, token: string) =>
  queryRow<SignUp>(
    tx,
    sql`
    delete from auth.pending_sign_up where ${works(token)} returning email, name, password as "passwordHash"`,
  );

export const deleteSignUps = (tx: Transaction, email: string) =>
  tx.query(sql`delete from auth.pending_sign_up where email = ${email}`);

/**
 * `agreementId` is a bare UUID. `email` is null when the token has ended, and `inviter` when there is no
 * such user any more.
 */
export type InvitationTokenRow = {
  agreementId: string;
  email: string | null;
  inviter: string | null;
  expiresAt: Date;
  state: 'valid' | 'expired' | 'accepted' | 'declined' | 'replaced' | 'withdrawn';
};

/**
 * Stores the token for seven days. No other token of the agreement works: the caller has ended it. Triggers end
 * it when its invitation is accepted or deleted.
 */
export const insertInvitationToken = (
  tx: Transaction,
  row: { token: string; agreementId: string; email: string; inviterId: string },
) =>
  tx.write(
    sql`
    insert into auth.invitation_token (token_hash, agreement_id, email, inviter_id, expires_at)
    values (${hashOf(row.token)}, ${row.agreementId}, ${row.email}, ${row.inviterId}, concord_now() + interval '7 days')`,
    'insert invitation token',
  );

export const selectInvitationToken = (on: Queryable, token: string) =>
  queryRow<InvitationTokenRow>(
    on,
    sql`
    select agreement_id as "agreementId", email, expires_at as "expiresAt", (select name from auth."user" where id = inviter_id) as inviter,
      coalesce(ended, case when expires_at > concord_now() then 'valid' else 'expired' end) as state
    from auth.invitation_token where token_hash = ${hashOf(token)}`,
  );

/** Whoever ends the token waits for this transaction. */
export const lockInvitationToken = (tx: Transaction, token: string) =>
  tx.query(sql`select from auth.invitation_token where token_hash = ${hashOf(token)} for share`);

export const endInvitationToken = (tx: Transaction, agreementId: string, how: 'declined' | 'replaced') =>
  tx.query(sql`select auth.end_invitation_token(${agreementId}, ${how})`);

/**
 * Replaces the setup's token of an earlier start, unless that one began within ten minutes: instances of an
 * installation start together, and print one link. @returns the token that `tokenOf` makes of its end; null
 * when an operator has signed in, with which a trigger completes the setup
 */
export const renewSetupToken = (db: Database, tokenOf: (expiresAt: Date) => string) =>
  db.transaction(async (tx) => {
    const expiresAt = await queryValue<Date>(
      tx,
      sql`
      select case when expires_at > concord_now() + interval '1 day' - interval '10 minutes' then expires_at
        else concord_now() + interval '1 day' end as value
      from setup where completed_at is null for update`,
    );
    if (expiresAt === undefined) return null;
    const token = tokenOf(expiresAt);
    await tx.query(sql`update setup set token_hash = ${hashOf(token)}, expires_at = ${expiresAt}`);
    return token;
  });

export const isSetUp = (on: Queryable) => hasRows(on, sql`select from setup where completed_at is not null`);

export const isSetupToken = (on: Queryable, token: string) =>
  hasRows(on, sql`select from setup where ${works(token)}`);

/** Ends the token. False: it was used or has expired, or an operator has signed in. */
export const takeSetupToken = (tx: Transaction, token: string) =>
  hasRows(tx, sql`update setup set token_hash = null, expires_at = null where ${works(token)} returning 1`);

type Operator = { id: string; email: string };
/** The operator with the configured address, or the oldest one. */
const operatorToSetUp = (configuredEmail: string) => sql`
  select id, email from auth."user" where role = 'operator'
  order by (email = ${configuredEmail}) desc, created_at, id limit 1`;

export const selectOperatorToSetUp = (on: Queryable, configuredEmail: string) =>
  queryRow<Operator>(on, operatorToSetUp(configuredEmail));

/** Locks the operator before the setup, as a sign-in does. */
export const lockOperatorToSetUp = (tx: Transaction, configuredEmail: string) =>
  queryRow<Operator>(tx, sql`${operatorToSetUp(configuredEmail)} for update`);
