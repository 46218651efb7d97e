// The SQL of sessions: extending, listing and deleting them. better-auth creates them.
import { randomBytes, randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Queryable } from '../../postgres/database.ts';
import { type Bearer, hashSessionToken } from '../bearer.ts';

/** Extends a session to 7 days from now, and to 30 days after its start at most. */
export async function slideSession(on: Queryable, sessionId: string): Promise<void> {
  await on.query(sql`
    update auth.session
    set expires_at = least(concord_now() + interval '7 days', created_at + interval '30 days'), updated_at = concord_now()
    where id = ${sessionId} and expires_at > concord_now()`);
}

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
export function selectSessions(on: Queryable, userId: string): Promise<SessionRow[]> {
  return on.query<SessionRow>(sql`
    select * from (
      select id, created_at, updated_at, expires_at, ip_address, user_agent, mfa_verified_at from auth.session
      where user_id = ${userId} and expires_at > concord_now() order by created_at desc, id desc limit 1000
    ) newest order by created_at, id`);
}

/** False: the user has no such session. */
export async function deleteSession(on: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const deleted = await on.query(sql`
    delete from auth.session where id = ${sessionId} and user_id = ${userId} returning id`);
  return deleted.length > 0;
}

/** `keepId` null: deletes all sessions of the user. Returns the ids of the deleted ones. */
export async function deleteOtherSessions(on: Queryable, userId: string, keepId: string | null): Promise<string[]> {
  const deleted = await on.query<{ id: string }>(sql`
    delete from auth.session where user_id = ${userId} and id is distinct from ${keepId} returning id`);
  return deleted.map(({ id }) => id).sort();
}

/** Whether no live session has this token. */
export async function isEnded(on: Queryable, { secret }: Bearer): Promise<boolean> {
  const found = await on.query(sql`select from auth.session where token = ${secret} and expires_at > concord_now()`);
  return found.length === 0;
}

export async function deleteSessionByToken(on: Queryable, token: string): Promise<void> {
  await on.query(sql`delete from auth.session where token = ${hashSessionToken(token)}`);
}

/** The session carries the proof of a second factor from now on, if its user has enabled one. */
export async function markSecondFactorProven(on: Queryable, sessionId: string): Promise<void> {
  await on.query(sql`
    update auth.session set mfa_verified_at = concord_now()
    where id = ${sessionId}
      and exists (select from auth."user" where id = auth.session.user_id and two_factor_enabled)`);
}

/** The user of the session has just proven who they are. Returns the times of the last proof before and now. */
export async function markProven(on: Queryable, sessionId: string): Promise<{ before: Date | null; after: Date } | undefined> {
  const [row] = await on.query<{ before: Date | null; after: Date }>(sql`
    update auth.session set proven_at = concord_now() where id = ${sessionId}
    returning proven_at as after, (select nullif(proven_at, '-infinity') from auth.session old where old.id = session.id) as before`);
  return row;
}

/** Runs `work` with a session that ends afterwards: better-auth accepts no other credential. */
export async function withTemporarySession<T>(on: Queryable, userId: string, work: (token: string) => Promise<T>): Promise<T> {
  const [id, token] = [randomUUID(), randomBytes(24).toString('hex').slice(0, 32)];
  await on.query(sql`
    insert into auth.session (id, user_id, token, expires_at, updated_at)
    values (${id}, ${userId}, ${hashSessionToken(token)}, concord_now() + interval '1 minute', concord_now())`);
  try {
    return await work(token);
  } finally {
    await deleteSession(on, userId, id);
  }
}
