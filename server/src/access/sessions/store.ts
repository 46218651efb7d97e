// The SQL of sessions: extending, listing and deleting them. better-auth creates them.
import { randomUUID } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { ServiceError } from '../../base/errors.ts';
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import { hasRows, queryRow } from '../../base/postgres/sql/rows.ts';
import { type Bearer, hashSessionToken, newSessionToken } from '../bearer.ts';

/** Extends a session to 7 days from now, and to 30 days after its start at most. */
export const slideSession = (on: Queryable, sessionId: string) =>
  on.write(sql`
    update auth.session
    set expires_at = least(concord_now() + interval '7 days', created_at + interval '30 days'), updated_at = concord_now()
    where id = ${sessionId} and expires_at > concord_now()`);

type SessionRow = {
  id: string;
  created_at: Date;
  updated_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
  mfa_verified_at: Date | null;
};

/** The newest 1,000 live sessions of the user, oldest first. */
export const selectSessions = (on: Queryable, userId: string) =>
  on.query<SessionRow>(sql`
    select * from (
      select id, created_at, updated_at, expires_at, ip_address, user_agent, mfa_verified_at from auth.session
      where user_id = ${userId} and expires_at > concord_now() and replaced_by is null order by created_at desc, id desc limit 1000
    ) newest order by created_at, id`);

/** False: the user has no such session. */
export const deleteSession = (on: Queryable, userId: string, sessionId: string) =>
  hasRows(
    on,
    sql`
    delete from auth.session where id = ${sessionId} and user_id = ${userId} returning id`,
  );

/** `keepId` null: deletes all sessions of the user. Returns the ids of the deleted ones. */
export async function deleteOtherSessions(
  on: Queryable,
  userId: string,
  keepId: string | null,
): Promise<string[]> {
  const deleted = await on.query<{ id: string; replaced_by: string | null }>(sql`
    delete from auth.session where user_id = ${userId} and id is distinct from ${keepId} returning id, replaced_by`);
  return deleted.flatMap(({ id, replaced_by: replaced }) => (replaced === null ? id : [])).sort();
}

/** Whether no session has this token, and none has had it lately. */
export const isEnded = async (on: Queryable, { secret }: Bearer) =>
  !(await hasRows(
    on,
    sql`select from auth.session
    where token = ${secret} and (expires_at > concord_now() or replaced_by is not null)`,
  ));

export const deleteSessionByToken = (on: Queryable, token: string) =>
  on.write(sql`delete from auth.session where token = ${hashSessionToken(token)}`);

/**
 * Gives the session a new token. Its id stays, so what refers to it goes on. Null: another request has
 * replaced the token meanwhile.
 * A proof that is new in this transaction must be marked afterwards: the old token must not get it.
 */
export async function replaceToken(
  tx: Transaction,
  sessionId: string,
  oldToken: string,
): Promise<string | null> {
  const token = newSessionToken();
  const replaced = await tx.query(sql`
    update auth.session set token = ${hashSessionToken(token)}
    where id = ${sessionId} and token = ${hashSessionToken(oldToken)} returning id`);
  if (replaced.length === 0) return null;
  await insertReplaced(tx, oldToken, { token, mfa: sql`mfa_verified_at` });
  return token;
}

/**
 * After better-auth has replaced a session by another one. The old token gets no proof of a second factor.
 */
export const keepReplaced = (on: Queryable, oldToken: string, newToken: string) =>
  insertReplaced(on, oldToken, { token: newToken, mfa: sql`null` });

/** The old token works for ten more seconds, for requests that are under way. It can prove nothing. */
const insertReplaced = (on: Queryable, oldToken: string, { token, mfa }: { token: string; mfa: Sql }) =>
  on.write(sql`
    insert into auth.session
      (id, replaced_by, user_id, token, created_at, updated_at, expires_at, proven_at, mfa_verified_at, ip_address, user_agent)
    select ${randomUUID()}, id, user_id, ${hashSessionToken(oldToken)}, concord_now(), concord_now(),
      least(expires_at, concord_now() + interval '10 seconds'), '-infinity', ${mfa}, ip_address, user_agent
    from auth.session where token = ${hashSessionToken(token)} and replaced_by is null
    on conflict (token) do nothing`);

/** The session carries the proof of a second factor from now on, if its user has enabled one. */
export const markSecondFactorProven = (on: Queryable, sessionId: string) =>
  on.write(sql`
    update auth.session set mfa_verified_at = concord_now()
    where id = ${sessionId}
      and exists (select from auth."user" where id = auth.session.user_id and two_factor_enabled)`);

/**
 * The user of the session has just proven who they are. Returns the times of the last proof before and now.
 */
export const markProven = (on: Queryable, sessionId: string) =>
  queryRow<{ before: Date | null; after: Date }>(
    on,
    sql`
    update auth.session set proven_at = concord_now() where id = ${sessionId}
    returning proven_at as after, (select nullif(proven_at, '-infinity') from auth.session old where old.id = session.id) as before`,
  );

type NewSession = {
  userId: string;
  /** The client's. */
  ipAddress: string;
  userAgent: string | undefined;
  provesSecondFactor: boolean;
};

/** Inserts a session that better-auth does not create. @returns its token */
export async function insertSession(
  tx: Transaction,
  { userId, ipAddress, userAgent, provesSecondFactor }: NewSession,
): Promise<string> {
  const token = newSessionToken();
  await tx.query(sql`
    insert into auth.session
      (id, user_id, token, created_at, updated_at, expires_at, mfa_verified_at, ip_address, user_agent)
    values (${randomUUID()}, ${userId}, ${hashSessionToken(token)}, concord_now(), concord_now(),
      concord_now() + interval '7 days', case when ${provesSecondFactor} then concord_now() end,
      ${ipAddress}, ${userAgent ?? null})`);
  return token;
}

/**
 * Runs `work` with a session that ends afterwards: better-auth accepts no other credential.
 * @throws ServiceError unauthenticated: the user was deleted meanwhile
 */
export async function withTemporarySession<T>(
  on: Queryable,
  userId: string,
  work: (token: string) => Promise<T>,
): Promise<T> {
  const [id, token] = [randomUUID(), newSessionToken()];
  const made = await hasRows(
    on,
    sql`
    insert into auth.session (id, user_id, token, expires_at, updated_at)
    select ${id}, id, ${hashSessionToken(token)}, concord_now() + interval '1 minute', concord_now()
    from auth."user" where id = ${userId} for key share returning 1`,
  );
  if (!made) throw new ServiceError('unauthenticated');
  try {
    return await work(token);
  } finally {
    await deleteSession(on, userId, id);
  }
}

/** The sign-in by an identity connection that made a session: a logout at the provider ends it. */
type Origin = { connection_id: string; subject: string; provider_session: string | null };

export const selectOrigin = (on: Queryable, sessionId: string) =>
  queryRow<Origin>(
    on,
    sql`select connection_id, subject, provider_session from connection_session where session_id = ${sessionId}`,
  );

/** Gives the origin of a session to the one that replaces it. */
export async function keepOrigin(tx: Transaction, token: string, origin: Origin | undefined): Promise<void> {
  if (origin === undefined) return;
  const { connection_id, subject, provider_session } = origin;
  await tx.query(sql`
    insert into connection_session (session_id, connection_id, subject, provider_session)
    select session.id, connection.id, ${subject}, ${provider_session}
    from auth.session session join identity_connection connection on connection.id = ${connection_id}
    where token = ${hashSessionToken(token)}`);
}
