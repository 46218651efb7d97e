// The SQL of secrets: a check value for each version that the database was used with.
import sql from 'sql-template-tag';
import type { Queryable, Transaction } from '../postgres/database.ts';

export type SecretCheck = { version: number; check_value: Buffer };

export const selectChecks = (on: Queryable): Promise<SecretCheck[]> =>
  on.query<SecretCheck>(sql`select version, check_value from secret_check order by version`);

/** No other transaction can add one until this one ends. */
export async function lockChecks(tx: Transaction): Promise<SecretCheck[]> {
  await tx.query(sql`lock table secret_check in share row exclusive mode`);
  return selectChecks(tx);
}

export async function insertChecks(tx: Transaction, checks: readonly SecretCheck[]): Promise<void> {
  for (const { version, check_value } of checks) {
    await tx.query(
      sql`insert into secret_check (version, check_value) values (${version}, ${check_value}) on conflict do nothing`,
    );
  }
}
