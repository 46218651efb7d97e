// The HTTP of one's own access tokens: for sessions only, so that a token cannot make another.
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { recordAction } from '../audit/index.ts';
import { sendList } from '../http/lists.ts';
import type { HttpServer } from '../http/server.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import type { AccessTokens } from './access-tokens.ts';
import * as wire from './token-schema.ts';
import type { Admitted } from './users.ts';

type Options = {
  db: Database;
  tokens: AccessTokens;
  inSession: onRequestAsyncHookHandler;
  admitted: (request: FastifyRequest) => Admitted;
};

export function registerTokenRoutes(server: HttpServer, { db, tokens, inSession, admitted }: Options): void {
  const common = { tags: ['Access tokens'], security: [{ bearer: [] }] };
  /** A change by who is still signed in, and its row in the log. */
  const change = <T>(
    request: FastifyRequest,
    action: string,
    apply: (tx: Transaction, principal: Principal) => Promise<[string, T]>,
  ) => {
    const { actor, again } = admitted(request);
    return db.transaction(async (tx) => {
      // Before the second look: a password that is being changed, or a second factor disabled, is then seen to be.
      await tokens.lock(tx, actor.userId);
      const { principal } = await again(tx);
      const [target, result] = await apply(tx, principal);
      await recordAction(tx, { actor, partnerId: null, action, target });
      return result;
    });
  };

  server.get(
    '/me/access-tokens',
    {
      onRequest: inSession,
      schema: {
        ...common,
        summary: 'List your access tokens',
        querystring: wire.TokenListQuery,
        response: { 200: Type.Array(wire.AccessToken) },
      },
    },
    async (request, reply) =>
      sendList(request, reply, {
        definition: wire.tokenList,
        source: tokens.list(admitted(request).principal.userId),
        item: wire.AccessToken,
      }),
  );
  server.post(
    '/me/access-tokens',
    {
      onRequest: inSession,
      schema: { ...common, summary: 'Make an access token', body: wire.CreateToken, response: { 201: wire.NewAccessToken } },
    },
    async (request, reply) => {
      const made = await change(request, 'access_token.create', async (tx, { userId, secondFactor }) => {
        const token = await tokens.make(tx, { userId, proven: secondFactor === 'proven' }, request.body);
        return [token.id, token];
      });
      return reply.code(201).header('cache-control', 'no-store').send(made);
    },
  );
  server.delete(
    '/me/access-tokens/:token_id',
    {
      onRequest: inSession,
      schema: {
        ...common,
        summary: 'Revoke an access token, from the next request on',
        params: wire.TokenPath,
        response: { 204: Type.Null({ description: 'Revoked' }) },
      },
    },
    async (request, reply) => {
      const { token_id: id } = request.params;
      await change(request, 'access_token.revoke', async (tx, { userId }) => [id, await tokens.revoke(tx, userId, id)]);
      return reply.code(204).send(null);
    },
  );
}
