// The SQL of the setup: one row, which a trigger completes when an operator gets a session (migration 0033).
import { createHash, randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Database, Queryable, Transaction } from '../../../base/postgres/database.ts';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/**
 * Replaces the token of an earlier start. @returns the new token; null when an operator has signed in already
 */
export async function renewToken(db: Database): Promise<string | null> {
  const token = randomBytes(24).toString('base64url');
  const renewed = await db.query(sql`
    update setup set token_hash = ${hashOf(token)}, expires_at = concord_now() + interval '1 day'
    where completed_at is null returning 1`);
  return renewed.length > 0 ? token : null;
}

export async function isComplete(on: Queryable): Promise<boolean> {
  return (await on.query(sql`select from setup where completed_at is not null`)).length > 0;
}

export async function isToken(on: Queryable, token: string): Promise<boolean> {
  return (
    (
      await on.query(
        sql`select from setup where token_hash = ${hashOf(token)} and expires_at > concord_now()`,
      )
    ).length > 0
  );
}

/**
 * Ends the token. False: another request has used it, an operator has signed in meanwhile, or it has expired.
 */
export async function takeToken(tx: Transaction, token: string): Promise<boolean> {
  const taken = await tx.query(sql`
    update setup set token_hash = null, expires_at = null
    where token_hash = ${hashOf(token)} and expires_at > concord_now() returning 1`);
  return taken.length > 0;
}

/** The address of the operator that `lockOperatorToSetUp` locks. */
export async function emailToSetUp(on: Queryable, configuredEmail: string): Promise<string | undefined> {
  const [operator] = await on.query<{ email: string }>(operatorToSetUp(configuredEmail));
  return operator?.email;
}

const operatorToSetUp = (configuredEmail: string) => sql`
  select id, email from auth."user" where role = 'operator'
  order by (email = ${configuredEmail}) desc, created_at, id limit 1`;

/** The operator with the configured address, or the oldest one. Locked before the setup, as by a sign-in. */
export async function lockOperatorToSetUp(
  tx: Transaction,
  configuredEmail: string,
): Promise<{ id: string; email: string } | undefined> {
  const [operator] = await tx.query<{ id: string; email: string }>(
    sql`${operatorToSetUp(configuredEmail)} for update`,
  );
  return operator;
}
