// The SQL of sign-in by identity connections: visits, claims and proofs.
import sql, { join } from 'sql-template-tag';
import { glassEnd, isLive, proofAge } from '../../../access/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { parseId } from '../../../base/ids.ts';
import type { Queryable, Transaction } from '../../../base/postgres/database.ts';
import { deletionTask } from '../../../base/postgres/sql/deletion.ts';
import {
  anyOf,
  columnList,
  hasRows,
  queryRow,
  queryValue,
  requireRow,
} from '../../../base/postgres/sql/rows.ts';
import { hashOf, notBanned } from '../../../people/index.ts';
import { type Connection, lockConnection, selectConnectionWhere } from '../connections/store.ts';

export const selectConnection = (on: Queryable, id: string) =>
  selectConnectionWhere(on, sql`item.id = ${id}`);

/** `id`: a typed id, or another text. */
export async function findConnection(on: Queryable, id: string) {
  const uuid = parseId('identity_connection', id);
  return uuid === null ? undefined : selectConnection(on, uuid);
}

const speaksFor = (domain: string) => sql`exists (
  select from identity_domain where connection_id = item.id and domain = ${domain} and verified_at is not null)`;

export const selectOfDomain = (on: Queryable, domain: string) =>
  selectConnectionWhere(on, sql`enabled and ${speaksFor(domain)}`);

/** Of the partner's connections that are on, the one to which the user is linked, or that speaks for the domain. */
export const selectOfPerson = (on: Queryable, partnerId: string, userId: string, domain: string) =>
  selectConnectionWhere(
    on,
    sql`enabled and partner_id = ${partnerId} order by exists (
      select from auth.account where user_id = ${userId} and provider_id = 'connection:' || item.id) desc,
      ${speaksFor(domain)} desc, item.id`,
  );

/** `lost`: its record is missing. Undefined: the connection does not speak for the domain. */
export const selectDomain = (on: Queryable, connectionId: string, domain: string) =>
  queryRow<{ lost: boolean }>(
    on,
    sql`select lost_at is not null as lost from identity_domain
      where connection_id = ${connectionId} and domain = ${domain} and verified_at is not null`,
  );

export type Purpose = 'sign_in' | 'prove' | 'test';
export type Visit = {
  connectionId: string;
  partnerId: string;
  revision: number;
  purpose: Purpose;
  sessionId: string | null;
  secrets: Buffer;
  page: string | null;
};

/** False: the connection or the session is gone meanwhile. */
export const insertVisit = (
  on: Queryable,
  stateHash: Buffer,
  browserHash: Buffer,
  { connectionId, partnerId, revision, purpose, sessionId, secrets, page }: Visit,
) =>
  hasRows(
    on,
    sql`
    insert into identity_visit (state_hash, partner_id, connection_id, revision, purpose, browser_hash, session_id, secrets, page)
    select ${stateHash}, ${partnerId}, id, ${revision}, ${purpose}, ${browserHash}, ${sessionId}, ${secrets}, ${page}
    from identity_connection where id = ${connectionId}
      and (${sessionId}::text is null or exists (select from auth.session where id = ${sessionId} for key share))
    for key share returning 1`,
  );

/** `takenAt`: when the browser came back. */
export type TakenVisit = Visit & { takenAt: Date };

/** Ends the visit of this browser to this connection. Undefined: there is none, or it has expired. */
export const takeVisit = (on: Queryable, stateHash: Buffer, browserHash: Buffer, connectionId: string) =>
  queryRow<TakenVisit>(
    on,
    sql`
    delete from identity_visit where state_hash = ${stateHash} and browser_hash = ${browserHash}
      and connection_id = ${connectionId} and expires_at > concord_now()
    returning connection_id as "connectionId", partner_id as "partnerId", revision, purpose, session_id as "sessionId", secrets, page,
      concord_now() as "takenAt"`,
  );

/** What a session gets when the sign-in or the link is complete. */
export type Proof = {
  partner_id: string;
  connection_id: string;
  proved_at: Date;
  subject: string;
  provider_session: string | null;
  acr: string | null;
  amr: string[] | null;
};
const proofNames: readonly (keyof Proof)[] = [
  'partner_id',
  'connection_id',
  'proved_at',
  'subject',
  'provider_session',
  'acr',
  'amr',
];
const proofColumns = columnList(proofNames);
const valuesOf = (proof: Proof) => join(proofNames.map((name) => proof[name]));

/** A later proof of the session for the partner replaces an earlier one. */
export const upsertProof = (tx: Transaction, sessionId: string, proof: Proof) =>
  tx.write(sql`
    insert into session_proof (session_id, ${proofColumns}) values (${sessionId}, ${valuesOf(proof)})
    on conflict (session_id, partner_id) do update set (${proofColumns}) = row (${columnList(proofNames, 'excluded')})`);

/** The sign-in has made the session. */
export async function proveSignIn(tx: Transaction, sessionId: string, proof: Proof) {
  await upsertProof(tx, sessionId, proof);
  await tx.write(sql`
    insert into connection_session (session_id, connection_id, subject, provider_session)
    values (${sessionId}, ${proof.connection_id}, ${proof.subject}, ${proof.provider_session})`);
}

type NewClaim = Proof & {
  tokenHash: string;
  kind: 'link' | 'challenge';
  revision: number;
  userId: string;
  browserHash: Buffer | null;
  /** What the provider asserted. */
  email: string;
};

export const insertClaim = (tx: Transaction, claim: NewClaim) =>
  tx.write(sql`
    insert into identity_claim (token_hash, kind, revision, user_id, browser_hash, email, ${proofColumns})
    values (${claim.tokenHash}, ${claim.kind}, ${claim.revision}, ${claim.userId}, ${claim.browserHash}, ${claim.email}, ${valuesOf(claim)})`);

const claimColumns = sql`revision, ${proofColumns}`;
type Link = Pick<NewClaim, 'tokenHash' | 'userId' | 'browserHash'>;
const ofLink = ({ tokenHash, userId, browserHash }: Link) => sql`
  token_hash = ${tokenHash} and kind = 'link' and user_id = ${userId}
  and email = (select email from auth."user" where id = user_id and email_verified)
  and browser_hash is not distinct from ${browserHash} and expires_at > concord_now()`;

/** The partner of a link that waits. */
export const selectLink = (on: Queryable, link: Link) =>
  queryValue<string>(on, sql`select partner_id from identity_claim where ${ofLink(link)}`);

/** Ends the link. Undefined: there is none for this user and browser, or it has expired. */
export const takeLink = (tx: Transaction, link: Link) =>
  queryRow<Proof & { revision: number }>(
    tx,
    sql`delete from identity_claim where ${ofLink(link)} returning ${claimColumns}`,
  );

/**
 * The second factor was proven: the session gets the proof that waited for it.
 * @throws ServiceError provider_refused: the connection was changed, turned off or deleted, or it logged the person out
 */
export async function completeChallenge(tx: Transaction, challengeHash: string, sessionId: string) {
  const claim = await queryRow<Proof & { revision: number }>(
    tx,
    sql`delete from identity_claim where token_hash = ${challengeHash} and kind = 'challenge'
      and expires_at > concord_now() returning ${claimColumns}`,
  );
  const connection = claim && (await lockConnection(tx, claim.connection_id));
  if (!claim || !connection?.enabled || connection.revision !== claim.revision)
    throw new ServiceError('provider_refused');
  await proveSignIn(tx, sessionId, claim);
}

/** The user of a session that goes on. */
export const selectUserOfSession = (tx: Transaction, sessionId: string) =>
  queryValue<string>(
    tx,
    sql`
    select user_id from auth.session where id = ${sessionId} and expires_at > concord_now() and replaced_by is null for share`,
  );

/** Before a row that refers to the session of the caller. @throws ServiceError unauthenticated: it ended meanwhile */
export async function requireSession(tx: Transaction, sessionId: string): Promise<void> {
  if ((await selectUserOfSession(tx, sessionId)) === undefined) throw new ServiceError('unauthenticated');
}

export const isMember = (on: Queryable, userId: string, partnerId: string) =>
  hasRows(
    on,
    sql`select from agreement join partner on partner.id = partner_id and deleted_at is null
      where partner_id = ${partnerId} and user_id = ${userId} and ${isLive}`,
  );

/** The present settings of the connection passed a test by the user. False: no owner or operator any more. */
export const recordTest = (tx: Transaction, { connection_id, partner_id }: Connection, userId: string) =>
  hasRows(
    tx,
    sql`
    update identity_connection set tested_at = concord_now()
    where id = ${connection_id} and (exists (select from auth."user" where id = ${userId} and role = 'operator')
      or exists (select from agreement where partner_id = ${partner_id} and user_id = ${userId} and owner
        and ${isLive})) returning 1`,
  );

type LoggedOut = { subject: string | null; providerSession: string | null };

const hashIfAny = (text: string | null) => (text === null ? null : hashOf(text));

/** False: the token was used before. */
export const useLogoutToken = (
  tx: Transaction,
  connectionId: string,
  { jti, subject, providerSession }: LoggedOut & { jti: string },
) =>
  hasRows(
    tx,
    sql`insert into identity_logout (connection_id, jti_hash, subject_hash, session_hash)
      values (${connectionId}, ${hashOf(jti)}, ${hashIfAny(subject)}, ${hashIfAny(providerSession)})
      on conflict do nothing returning 1`,
  );

export const isLoggedOut = (
  on: Queryable,
  connectionId: string,
  { subject, providerSession }: LoggedOut,
  since: Date,
) =>
  hasRows(
    on,
    sql`select from identity_logout where connection_id = ${connectionId} and used_at >= ${since}
      and (subject_hash is null or subject_hash = ${hashIfAny(subject)})
      and (session_hash is null or session_hash = ${hashIfAny(providerSession)})`,
  );

/** Ends proofs, also those that wait. `signedIn`: the connection signed the session in. */
export async function endProofs(
  tx: Transaction,
  connectionId: string,
  { subject, providerSession }: LoggedOut,
): Promise<{ sessionId: string; userId: string; signedIn: boolean }[]> {
  const ended = sql`connection_id = ${connectionId} and (${subject}::text is null or subject = ${subject})
    and (${providerSession}::text is null or provider_session = ${providerSession})`;
  await tx.query(sql`delete from identity_claim where ${ended}`);
  return tx.query(sql`
    with gone as (delete from session_proof where ${ended} returning session_id),
    made as (select session_id from connection_session where ${ended})
    select id as "sessionId", user_id as "userId", id in (select session_id from made) as "signedIn"
    from auth.session where id in (select session_id from gone union all select session_id from made)`);
}

export const deleteExpiredVisits = deletionTask({
  name: 'delete expired visits to identity providers',
  intervalMs: 10 * 60_000,
  of: [
    [sql`from identity_visit`, sql`expires_at < concord_now()`],
    [sql`from identity_claim`, sql`expires_at < concord_now()`],
    [sql`from identity_logout`, sql`expires_at < concord_now()`],
  ],
});

/** `requiring`, `breakGlass`: bare UUIDs of agreements. */
export type Policy = {
  sso_required: boolean;
  max_age_seconds: number;
  requiring: string[];
  breakGlass: string[];
};

export async function selectPolicy(on: Queryable, partnerId: string) {
  const rows = await on.query<Policy>(sql`
    select sso_required, sso_max_age_seconds as max_age_seconds,
      array(select id from agreement where partner_id = partner.id and sso_required order by id) as requiring,
      array(select id from agreement where partner_id = partner.id and break_glass order by id) as "breakGlass"
    from partner where id = ${partnerId}`);
  return requireRow(rows, 'partner');
}

/** Those of the agreements that are the partner's. `owner`: an owner has accepted it. */
export const selectNamed = (on: Queryable, partnerId: string, ids: readonly string[]) =>
  on.query<{ id: string; owner: boolean }>(sql`
    select id, owner and user_id is not null as owner from agreement where partner_id = ${partnerId} and id = ${anyOf(ids)}`);

export const updateAgreements = (
  tx: Transaction,
  partnerId: string,
  { requiring, breakGlass }: Pick<Policy, 'requiring' | 'breakGlass'>,
) =>
  tx.write(sql`
    update agreement set sso_required = id = any (${requiring}::uuid[]), break_glass = id = any (${breakGlass}::uuid[])
    where partner_id = ${partnerId}
      and (sso_required <> (id = any (${requiring}::uuid[])) or break_glass <> (id = any (${breakGlass}::uuid[])))`);

/** Recent enough for the partner. */
export const hasProof = (on: Queryable, sessionId: string, partnerId: string) =>
  hasRows(
    on,
    sql`select from session_proof join partner on partner.id = partner_id
      where session_id = ${sessionId} and partner_id = ${partnerId}
        and proved_at > concord_now() - ${proofAge}`,
  );

export const isAnyOn = (on: Queryable, partnerId: string) =>
  hasRows(on, sql`select from identity_connection where partner_id = ${partnerId} and enabled limit 1`);

/**
 * Whether the owner may break the glass: by name, or because no owner is named who could: not banned, with a second
 * factor.
 */
export const mayBreakGlass = (on: Queryable, partnerId: string, userId: string) =>
  hasRows(
    on,
    sql`
    select from agreement where partner_id = ${partnerId} and user_id = ${userId} and owner and (break_glass or not exists (
      select from agreement named join auth."user" account on account.id = named.user_id
      where named.partner_id = ${partnerId} and named.break_glass and account.two_factor_enabled
        and (named.expires_at is null or named.expires_at > concord_now())
        and ${notBanned}))`,
  );

/** Returns when it ends: in an hour at most. Undefined: another one has not ended yet. */
export const insertBreakGlass = (tx: Transaction, sessionId: string, partnerId: string) =>
  queryValue<Date>(
    tx,
    sql`
    insert into break_glass (session_id, partner_id, ends_at)
    select ${sessionId}, id, concord_now() + least(${proofAge}, interval '1 hour') from partner where id = ${partnerId}
    on conflict (session_id, partner_id) do update set began_at = excluded.began_at, ends_at = excluded.ends_at
    where (select ${glassEnd} from partner where id = ${partnerId}) <= concord_now()
    returning ends_at`,
  );

export const selectBreakGlassEnd = (on: Queryable, sessionId: string, partnerId: string) =>
  queryValue<Date>(
    on,
    sql`select ${glassEnd}::moment from break_glass join partner on partner.id = partner_id
      where session_id = ${sessionId} and partner_id = ${partnerId}`,
  );

export const selectNames = async (on: Queryable, partnerId: string, userId: string) =>
  requireRow(
    await on.query<{ partner: string; person: string }>(sql`
      select partner.name as partner, account.name as person from partner, auth."user" account
      where partner.id = ${partnerId} and account.id = ${userId}`),
    'partner',
  );
