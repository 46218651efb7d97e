// The HTTP of the caller's own access tokens. They require a session, so that no token can create another.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type Caller, createRoutes } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { type Changes, changesBetween, recordAction, splitChanges } from '../../audit/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import type { Services } from '../services.ts';
import { changeOwn } from '../users/own-change.ts';
import { createToken, revokeToken, tokensOf } from './access-tokens.ts';
import * as wire from './schema.ts';

/** A token whose text the program has already: what is stored of it, and what belongs to its creation. */
type Prepare = (tx: Transaction) => Promise<{
  made: { hash: Buffer; prefix: string };
  created: (id: string) => Promise<unknown>;
}>;

/** `apply` returns the id of the token, for the row in the log, and the result. */
const change = <T>(
  { db }: Services,
  caller: Caller,
  action: string,
  apply: (tx: Transaction, principal: Principal) => Promise<[id: string, result: T, changes: Changes]>,
) =>
  changeOwn(db, caller, async (tx, { actor, principal }) => {
    const [target, result, all] = await apply(tx, principal);
    // The owner chose the name, which can be that of a person or of a device.
    const { changes, personal } = splitChanges(all, ['name']);
    const about = { subject: actor.userId, changes: personal };
    await recordAction(tx, { actor, partnerId: null, action, target, changes, personal: about });
    return result;
  });

export const createOwnToken = (
  services: Services,
  caller: Caller,
  body: wire.CreateAccessToken,
  request: FastifyRequest,
  prepare?: Prepare,
) =>
  change(services, caller, 'access_token.create', async (tx, { userId, secondFactor }) => {
    const prepared = await prepare?.(tx);
    const mfaProven = secondFactor === 'proven';
    const { token, ...shown } = await createToken(tx, { userId, mfaProven }, body, prepared?.made);
    await prepared?.created(shown.id);
    await services.notices.tell(tx, request, { userId, kind: 'access_token_created' });
    return [shown.id, { token, shown }, changesBetween(null, shown)];
  });

/** Registers the routes. The result creates a token for other routes. */
export function registerTokenRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Access tokens');
  const { db, access } = services;
  const { inSession, inProvenSession } = access;

  routes.list('/me/access-tokens', {
    operationId: 'listAccessTokens',
    summary: 'List your access tokens',
    description: 'The tokens themselves are not shown again: only the answer that created one has it.',
    access: inSession,
    definition: wire.tokenList,
    item: wire.AccessToken,
    run: ({ granted }) => tokensOf(db, granted.principal.userId),
  });
  routes.plain('POST', '/me/access-tokens', {
    operationId: 'createAccessToken',
    summary: 'Create an access token',
    description: 'Only this response shows the token. A user can have 100 access tokens.',
    access: inProvenSession,
    body: wire.CreateAccessToken,
    noStore: true,
    status: 201,
    answer: wire.CreatedAccessToken,
    async run({ granted, body, request }) {
      const { token, shown } = await createOwnToken(services, granted, body, request);
      return { ...shown, token };
    },
  });
  routes.plain('DELETE', '/me/access-tokens/:token_id', {
    operationId: 'revokeAccessToken',
    summary: 'Revoke an access token',
    description: 'Takes effect from the next request on.',
    access: inSession,
    answer: Type.Null({ description: 'Revoked' }),
    run: ({ granted, params: { token_id: id } }) =>
      change(services, granted, 'access_token.revoke', async (tx, { userId }) => [
        id,
        null,
        changesBetween(await revokeToken(tx, userId, id), null),
      ]),
  });
}
