// The SQL of new sessions.
import sql from 'sql-template-tag';
import { hashSessionToken } from '../../access/index.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { queryRow } from '../../base/postgres/sql/rows.ts';
import type { SignedIn } from '../schema.ts';

type SignedInUser = NonNullable<SignedIn['user']>;
/** `secondFactor`: the user has one. `proven`: the session carries its proof. */
type NewSession = SignedInUser & {
  sessionId: string;
  secondFactor: boolean;
  proven: boolean;
  role: string | null;
};

export const selectSessionUser = (on: Queryable, token: string) =>
  queryRow<SignedInUser>(
    on,
    sql`
    select "user".id, email, name from auth.session join auth."user" on "user".id = user_id
    where token = ${hashSessionToken(token)} and session.expires_at > concord_now() and replaced_by is null`,
  );

/** Locks the user, so that enabling the second factor comes before, or ends this session. */
export const selectNewSession = (tx: Transaction, token: string) =>
  queryRow<NewSession>(
    tx,
    sql`
    select "user".id, email, name, role, session.id as "sessionId", two_factor_enabled is true as "secondFactor",
      mfa_verified_at is not null as proven
    from auth.session join auth."user" on "user".id = user_id
    where token = ${hashSessionToken(token)} for share of "user"`,
  );
