// The SQL of the caller.
import sql from 'sql-template-tag';
import type { Principal } from '../../../access/permissions/index.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { movedForward } from '../../../base/postgres/sql/clock.ts';
import { queryRow, type WithDates } from '../../../base/postgres/sql/rows.ts';
import type { Me } from './schema.ts';

type MeRow = Omit<WithDates<Me, 'created_at' | 'updated_at'>, 'role' | 'credential'> & {
  expires_at: Date;
  proven_at: Date | null;
};

/** A proof counts with every factor that the user has. Sessions of older versions have `-infinity`. */
const credentials = {
  session: {
    table: sql`auth.session`,
    provenAt: sql`case when credential.proven_at > '-infinity'
      and (account.two_factor_enabled is not true or credential.mfa_verified_at is not null) then credential.proven_at end`,
  },
  token: { table: sql`access_token`, provenAt: sql`null` },
} as const;

/** Undefined: the user or the credential has been deleted since. */
export function selectMe(on: Queryable, { userId, credential }: Principal) {
  const { table, provenAt } = credentials[credential.kind];
  return queryRow<MeRow>(
    on,
    sql`
    select account.id, account.email, account.name, account.email_verified, account.two_factor_enabled is true as two_factor_enabled,
      account.created_at, account.updated_at, credential.expires_at, ${provenAt} as proven_at
    from auth."user" account join ${table} credential on credential.user_id = account.id
    where account.id = ${userId} and credential.id = ${credential.id}`,
  );
}

export const updateName = (tx: Transaction, userId: string, name: string) =>
  tx.query(sql`update auth."user" set name = ${name}, updated_at = ${movedForward()} where id = ${userId}`);
