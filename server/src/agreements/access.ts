// The one access read: who calls, and how they stand to a partner. Every route runs it, every mutation again inside its transaction.
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import sql, { type Sql } from 'sql-template-tag';
import { readBearerToken, type Sessions } from '../accounts/index.ts';
import { ServiceError } from '../errors.ts';
import type { Limits } from '../http/limits.ts';
import { parseId } from '../ids.ts';
import { decide, decideOnPlatform, enforce, type Permission, type Principal } from '../permissions/index.ts';
import type { Database, Queryable, Transaction } from '../postgres/database.ts';

/** What a feature reads along with the access read: the columns of its row, from the tables joined there. */
export type Read = { readonly name: string; readonly columns: Sql };

/** The access read's answer, once it was allowed. `row` holds the columns of the Read. */
export type Granted<Row> = { readonly principal: Principal; readonly row: Row };

export type Access = {
  /** The onRequest hook of routes under /partners/{id}: 401, 429, 404, 403, in this order. */
  onPartner(permission: Permission, read: Read): onRequestAsyncHookHandler;
  /** The onRequest hook of routes for anyone who is signed in. */
  signedIn: onRequestAsyncHookHandler;
  /** The onRequest hook of routes about the platform itself. */
  onPlatform: onRequestAsyncHookHandler;
  /** Decides again inside a mutation's transaction, so that a revocation cannot race it. Lock the partner first. */
  againOnPartner<Row>(
    tx: Transaction,
    request: FastifyRequest,
    permission: Permission,
    read: Read,
  ): Promise<Granted<Row>>;
  againOnPlatform(tx: Transaction, request: FastifyRequest): Promise<Principal>;
};

type Options = { db: Database; sessions: Sessions; limits: Limits };

const grantedKey = 'granted';

/** What the access hook of this request found. */
export function grantedTo<Row = unknown>(request: FastifyRequest): Granted<Row> {
  return request.getDecorator<Granted<Row>>(grantedKey);
}

export function createAccess({ db, sessions, limits }: Options): Access {
  async function standing<Row>(on: Queryable, request: FastifyRequest, read: Read | null) {
    const token = readBearerToken(request.headers.authorization);
    if (token === null) throw unauthenticated();
    const { id } = request.params as { id?: string };
    const partnerId = id === undefined ? null : parseId('partner', id);
    const [found] = await on.query<AccessRow & Row>(
      accessStatement(token, partnerId, read),
      `access ${read?.name ?? 'platform'}`,
    );
    if (!found) throw unauthenticated();
    return found;
  }

  /** Authenticates and counts: the first two decisions of every route. */
  async function admit<Row>(request: FastifyRequest, reply: FastifyReply, read: Read | null) {
    void reply.header('cache-control', 'private, no-cache');
    const found = await standing<Row>(db, request, read);
    await limits.count(`session ${found.session_id}`, reply);
    if (found.slide_due) await sessions.slide(found.session_id);
    return found;
  }

  return {
    onPartner: (permission, read) => async (request, reply) => {
      const found = await admit(request, reply, read);
      const principal = toPrincipal(found);
      enforce(decide({ principal, partnerExists: found.partner_exists }, permission));
      request.setDecorator(grantedKey, { principal, row: found });
    },
    signedIn: async (request, reply) => {
      const found = await admit(request, reply, null);
      request.setDecorator(grantedKey, { principal: toPrincipal(found), row: null });
    },
    onPlatform: async (request, reply) => {
      const principal = toPrincipal(await admit(request, reply, null));
      enforce(decideOnPlatform(principal));
      request.setDecorator(grantedKey, { principal, row: null });
    },
    async againOnPartner<Row>(tx: Transaction, request: FastifyRequest, permission: Permission, read: Read) {
      const found = await standing<Row>(tx, request, read);
      const principal = toPrincipal(found);
      enforce(decide({ principal, partnerExists: found.partner_exists }, permission));
      return { principal, row: found };
    },
    async againOnPlatform(tx, request) {
      const principal = toPrincipal(await standing(tx, request, null));
      enforce(decideOnPlatform(principal));
      return principal;
    },
  };
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
  partner_exists: boolean;
};

/**
 * No row: the token is not valid (401). `partner_exists` false: no such partner, or an id of the wrong form, which comes
 * here as null; the caller cannot tell the two apart, nor either from a partner that is hidden.
 */
function accessStatement(token: string, partnerId: string | null, read: Read | null): Sql {
  const columns = read
    ? sql`, partner.id is not null as partner_exists, ${read.columns}`
    : sql`, false as partner_exists`;
  const partner = read
    ? sql`left join partner on partner.id = ${partnerId} and partner.deleted_at is null`
    : sql``;
  return sql`
    select session.id as session_id,
           session.updated_at < concord_now() - interval '1 day' as slide_due,
           account.id as user_id, account.role${columns}
    from auth.session
    join auth."user" account on account.id = session.user_id
      and (account.banned is not true or account.ban_expires < concord_now())
    ${partner}
    where session.token = ${token} and session.expires_at > concord_now()`;
}

function toPrincipal({ user_id, role, session_id }: AccessRow): Principal {
  return { userId: user_id, role: role === 'operator' ? 'operator' : 'user', sessionId: session_id };
}

function unauthenticated(): ServiceError {
  return new ServiceError('unauthenticated', { headers: { 'www-authenticate': 'Bearer realm="concord"' } });
}
