// The HTTP of signing keys: the JWKS that receivers fetch, and the actions of operators.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import { recordAction } from '../../audit/index.ts';
import { invalidRequest } from '../../base/errors.ts';
import { sendRepresentation } from '../../base/http/entity-tag.ts';
import { readHeaders } from '../../base/http/request-headers.ts';
import { serializer } from '../../base/http/serialization.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Database } from '../../base/postgres/database.ts';
import * as wire from './schema.ts';
import type { KeyState, SigningKey } from './signing-key.ts';
import type { SigningKeys } from './signing-keys.ts';

const toJwksJson = serializer(wire.Jwks);

type Options = { db: Database; keys: SigningKeys; access: Access };

export function registerSigningKeyRoutes(server: HttpServer, { db, keys, access }: Options): void {
  const tags = ['Signing keys'];
  const operators = access.onPlatform(null);
  const common = { tags, security: [{ bearer: [] }] };

  for (const [environment, path] of [
    ['live', '/.well-known/jwks.json'],
    ['sandbox', '/sandbox/.well-known/jwks.json'],
  ] as const) {
    server.get(
      path,
      {
        onRequest: access.anyone,
        schema: {
          operationId: environment === 'live' ? 'getJwks' : 'getSandboxJwks',
          headers: readHeaders,
          'x-response-headers': ['ETag'],
          tags,
          summary: `Get the public keys that sign ${environment} webhooks`,
          description: `Receivers verify ${environment} webhooks with these keys. Find a key by its kid, and read the document again when the kid is unknown.`,
          response: { 200: wire.Jwks },
        },
      },
      async (request, reply) => {
        // An hour, since a new key is published two days before it signs. A further day while Concord cannot
        // be reached.
        void reply.header('cache-control', 'public, max-age=3600, stale-if-error=86400');
        return sendRepresentation(request, reply, toJwksJson(await keys.publish(environment)));
      },
    );
  }

  server.get(
    '/signing-keys',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'listSigningKeys',
        summary: 'List signing keys (operators)',
        description:
          'The keys of both environments, with the times at which they begin and stop to sign. Private keys are never shown.',
        response: { 200: Type.Array(wire.SigningKey) },
      },
    },
    async () => (await keys.list()).map(toWire),
  );

  server.post(
    '/signing-keys/rotate',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'rotateSigningKey',
        summary: 'Rotate the signing key (operators)',
        description:
          'The next key signs as soon as it has been published for 48 hours. In sandbox it can sign at once: receivers then see an unknown key, and read the JWKS again.',
        body: wire.RotateSigningKey,
        response: { 200: wire.Rotation },
      },
    },
    async (request) => {
      const { environment, immediately = false } = request.body;
      if (immediately && environment !== 'sandbox')
        throw invalidRequest('/immediately', 'must be false for live: receivers keep a JWKS for 25 hours');
      const { actor, recheck } = operators.granted(request);
      const moment = await db.transaction(async (tx) => {
        await recheck(tx);
        const { at, changes } = await keys.rotate(tx, environment, immediately);
        const details = { environment, ...(immediately && { immediately }) };
        await recordAction(tx, {
          actor,
          partnerId: null,
          action: 'signing_key.rotate',
          target: null,
          details,
          changes,
        });
        return at;
      });
      return { rotates_at: moment.toISOString() };
    },
  );

  server.post(
    '/signing-keys/:kid/revoke',
    {
      onRequest: operators.hook,
      schema: {
        ...common,
        operationId: 'revokeSigningKey',
        summary: 'Revoke a signing key (operators)',
        description:
          'Removes the key from the JWKS at once. If the key was active, the next key signs from now on.',
        params: Type.Object({ kid: Type.String({ description: 'The kid of the key' }) }),
        response: { 204: Type.Null({ description: 'Revoked' }) },
      },
    },
    async (request, reply) => {
      const { kid } = request.params;
      const { actor, recheck } = operators.granted(request);
      await db.transaction(async (tx) => {
        await recheck(tx);
        const changes = await keys.revoke(tx, kid);
        await recordAction(tx, {
          actor,
          partnerId: null,
          action: 'signing_key.revoke',
          target: kid,
          changes,
        });
      });
      return reply.code(204).send(null);
    },
  );
}

function toWire({ key, state }: { key: SigningKey; state: KeyState }) {
  const moment = (ms: number) => new Date(ms).toISOString();
  return {
    kid: key.kid,
    environment: key.environment,
    state,
    created_at: moment(key.createdAt),
    activates_at: moment(key.activatesAt),
    retires_at: moment(key.retiresAt),
    revoked_at: key.revokedAt === null ? null : moment(key.revokedAt),
  };
}
