// The one access read: who calls, and how they stand to a partner. Every route runs it, every mutation again inside its transaction.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import sql, { type Sql } from 'sql-template-tag';
import { readBearerToken, type Sessions } from '../accounts/index.ts';
import { ServiceError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import { parseId } from '../ids.ts';
import {
  type Decision,
  decide,
  decideOnPlatform,
  decideSignedIn,
  enforce,
  type Permission,
  type Principal,
  type Standing,
} from '../permissions/index.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';

/** What a feature reads along with the access read: the columns of its row, from the tables joined there. */
export type Read = { readonly name: string; readonly columns: Sql };

/** The access read's answer, once it was allowed. `row` holds the columns of the Read. */
export type Granted<Row = unknown> = {
  readonly principal: Principal;
  readonly row: Row;
  /**
   * Reads and decides again inside a mutation's transaction, so that a revocation cannot race it. Lock the partner first:
   * the row is then the one that is changed. Throws what the hook would throw.
   */
  again(tx: Transaction): Promise<Granted<Row>>;
};

/** The onRequest hooks of routes: 401, 429, 404, 403 are decided here, in this order, before the body is read. */
export type Access = {
  /** For routes under /partners/{id}. */
  onPartner(permission: Permission, read: Read): onRequestAsyncHookHandler;
  /** For anyone who is signed in. */
  signedIn: onRequestAsyncHookHandler;
  /** The same for people's own accounts: a banned user is told so (403) instead of being unknown (401). */
  account: onRequestAsyncHookHandler;
  /** Who sends no token comes in as nobody, within the window of the address; one that is sent must be valid. */
  accountIfAny: onRequestAsyncHookHandler;
  /** For routes about the platform itself. */
  onPlatform: onRequestAsyncHookHandler;
};

type Options = { db: Database; sessions: Sessions; limits: Limits };

/** Everything that an answer depends on, so that it can be asked again. */
type Question = {
  readonly token: string;
  readonly partnerId: string | null;
  readonly read: Read | null;
  readonly rule: Rule;
  readonly bannedAre: 'unknown' | 'told';
};
type Rule = (standing: Standing) => Decision;

const grantedKey = 'granted';

/** What the access hook of this request granted. */
export function grantedTo<Row>(request: FastifyRequest): Granted<Row> {
  return request.getDecorator<Granted<Row>>(grantedKey);
}

/** Who calls; null when the route lets in nobody in particular, and that is who came. */
export function principalIfAny(request: FastifyRequest): Principal | null {
  return request.getDecorator<Granted | null>(grantedKey)?.principal ?? null;
}

export function createAccess({ db, sessions, limits }: Options): Access {
  function hook(
    read: Read | null,
    rule: Rule,
    bannedAre: Question['bannedAre'] = 'unknown',
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
    return async (request, reply) => {
      void reply.header('cache-control', 'private, no-cache');
      const token = readBearerToken(request.headers.authorization);
      if (token === null) throw unauthenticated();
      const { id } = request.params as { id?: string };
      const question = {
        token,
        partnerId: id === undefined ? null : parseId('partner', id),
        read,
        rule,
        bannedAre,
      };
      const found = await ask(db, question);
      await limits.count(`session ${found.session_id}`, reply);
      if (found.banned) throw new ServiceError('banned');
      if (found.slide_due) await sessions.slide(found.session_id);
      request.setDecorator(grantedKey, grant(question, found));
    };
  }

  const account = hook(null, decideSignedIn, 'told');
  return {
    account,
    accountIfAny: (request, reply) =>
      request.headers.authorization === undefined ? limits.perAddress(request, reply) : account(request, reply),
    onPartner: (permission, read) => hook(read, (standing) => decide(standing, permission)),
    signedIn: hook(null, decideSignedIn),
    onPlatform: hook(null, decideOnPlatform),
  };
}

async function ask(on: Queryable, { token, partnerId, read, bannedAre }: Question): Promise<AccessRow> {
  const [found] = await on.query<AccessRow>(accessStatement(token, partnerId, read), `access ${read?.name ?? 'platform'}`);
  if (!found || (found.banned && bannedAre === 'unknown')) throw unauthenticated();
  return found;
}

function grant(question: Question, found: AccessRow): Granted {
  const principal = toPrincipal(found);
  enforce(question.rule({ principal, partnerExists: found.partner_exists }));
  return { principal, row: found, again: async (tx) => grant(question, await ask(tx, question)) };
}

/** Declares what the hooks leave on a request. To be called before the first route. */
export function declareAccess(server: { decorateRequest(name: string, value: null): unknown }): void {
  server.decorateRequest(grantedKey, null);
}

type AccessRow = {
  session_id: string;
  slide_due: boolean;
  user_id: string;
  role: string | null;
  banned: boolean;
  second_factor: Principal['secondFactor'];
  partner_exists: boolean;
};

/**
 * No row: the token is not valid (401). `partner_exists` false: no such partner, or an id of the wrong form, which comes
 * here as null; the caller cannot tell the two apart, nor either from a partner that is hidden.
 */
function accessStatement(token: string, partnerId: string | null, read: Read | null): Sql {
  const columns = read ? sql`, partner.id is not null as partner_exists, ${read.columns}` : sql`, false as partner_exists`;
  const partner = read ? sql`left join partner on partner.id = ${partnerId} and partner.deleted_at is null` : sql``;
  return sql`
    select session.id as session_id,
           session.updated_at < concord_now() - interval '1 day' as slide_due,
           account.id as user_id, account.role,
           case when account.two_factor_enabled is not true then 'not_enabled'
             when session.mfa_verified_at is null then 'missing' else 'proven' end as second_factor,
           account.banned is true and (account.ban_expires is null or account.ban_expires > concord_now()) as banned${columns}
    from auth.session
    join auth."user" account on account.id = session.user_id
    ${partner}
    where session.token = ${token} and session.expires_at > concord_now()`;
}

function toPrincipal({ user_id, role, session_id, second_factor }: AccessRow): Principal {
  return {
    userId: user_id,
    role: role === 'operator' ? 'operator' : 'user',
    sessionId: session_id,
    secondFactor: second_factor,
  };
}

function unauthenticated(): ServiceError {
  return new ServiceError('unauthenticated');
}
