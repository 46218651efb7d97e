// The HTTP of the caller's own access tokens. They require a session, so that no token can create another.
import { Type } from 'typebox';
import { type Access, type Caller, createRoutes } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { type Changes, changesBetween, recordAction, splitChanges } from '../../audit/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import type { Notices } from '../notices/notices.ts';
import type { AccessTokens } from './access-tokens.ts';
import * as wire from './schema.ts';

type Options = { db: Database; tokens: AccessTokens; notices: Notices; access: Access };

export function registerTokenRoutes(server: HttpServer, { db, tokens, notices, access }: Options): void {
  const routes = createRoutes(server, 'Access tokens');
  const { inSession, inProvenSession } = access;
  /** Returns the id of the token, for the row in the log, and the result. */
  type Apply<T> = (
    tx: Transaction,
    principal: Principal,
  ) => Promise<[id: string, result: T, changes: Changes]>;
  const change = <T>({ actor, recheck }: Caller, action: string, apply: Apply<T>) =>
    db.transaction(async (tx) => {
      // Lock before access is decided again, to see a password change or a disabled second factor that
      // commits meanwhile.
      await tokens.lock(tx, actor.userId);
      const { principal } = await recheck(tx);
      const [target, result, all] = await apply(tx, principal);
      // The owner chose the name, which can be that of a person or of a device.
      const { changes, personal } = splitChanges(all, ['name']);
      const about = { subject: actor.userId, changes: personal };
      await recordAction(tx, { actor, partnerId: null, action, target, changes, personal: about });
      return result;
    });

  routes.list('/me/access-tokens', {
    operationId: 'listAccessTokens',
    summary: 'List your access tokens',
    description: 'The tokens themselves are not shown again: only the answer that created one has it.',
    access: inSession,
    definition: wire.tokenList,
    item: wire.AccessToken,
    run: ({ granted }) => tokens.list(granted.principal.userId),
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
    run: ({ granted, body, request }) =>
      change(granted, 'access_token.create', async (tx, { userId, secondFactor }) => {
        const token = await tokens.create(tx, { userId, mfaProven: secondFactor === 'proven' }, body);
        await notices.tell(tx, request, { userId, kind: 'access_token_created' });
        const { token: _secret, ...logged } = token;
        return [token.id, token, changesBetween(null, logged)];
      }),
  });
  routes.plain('DELETE', '/me/access-tokens/:token_id', {
    operationId: 'revokeAccessToken',
    summary: 'Revoke an access token',
    description: 'Takes effect from the next request on.',
    access: inSession,
    answer: Type.Null({ description: 'Revoked' }),
    async run({ granted, params }) {
      const { token_id: id } = params;
      await change(granted, 'access_token.revoke', async (tx, { userId }) => [
        id,
        null,
        changesBetween(await tokens.revoke(tx, userId, id), null),
      ]);
      return null;
    },
  });
}
