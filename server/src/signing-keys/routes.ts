// The HTTP of signing keys: what receivers fetch, and what operators do.
import type { onRequestAsyncHookHandler } from 'fastify';
import { Type } from 'typebox';
import { type Access, grantedTo } from '../agreements/index.ts';
import { recordAction } from '../audit/index.ts';
import { sendRepresentation } from '../http/entity-tag.ts';
import { NullableString, Timestamp } from '../http/schemas.ts';
import type { HttpServer } from '../http/server.ts';
import type { Database } from '../postgres/database.ts';
import { environments, type SigningKey as Key, type KeyState } from './signing-key.ts';
import type { SigningKeys } from './signing-keys.ts';

const closed = { additionalProperties: false };
const Jwk = Type.Object(
  {
    kty: Type.Literal('EC'),
    crv: Type.Literal('P-384'),
    x: Type.String(),
    y: Type.String(),
    kid: Type.String({ description: 'The RFC 7638 thumbprint' }),
    key_ops: Type.Array(Type.Literal('verify')),
  },
  { title: 'Jwk', ...closed },
);
const Jwks = Type.Object({ keys: Type.Array(Jwk) }, { title: 'Jwks', ...closed });
const SigningKey = Type.Object(
  {
    kid: Type.String(),
    environment: Type.Enum([...environments]),
    state: Type.Enum(['pending', 'active', 'retired', 'removed', 'revoked']),
    created_at: Timestamp(),
    activates_at: Timestamp(),
    retires_at: Timestamp(),
    revoked_at: NullableString(),
  },
  { title: 'SigningKey', ...closed },
);
const Environment = Type.Object({ environment: Type.Enum([...environments]) }, closed);

type Options = { db: Database; keys: SigningKeys; access: Access; anyone: onRequestAsyncHookHandler };

export function registerSigningKeyRoutes(server: HttpServer, { db, keys, access, anyone }: Options): void {
  const tags = ['Signing keys'];
  const forOperators = { tags, security: [{ bearer: [] }] };

  for (const [environment, path] of [
    ['live', '/.well-known/jwks.json'],
    ['sandbox', '/sandbox/.well-known/jwks.json'],
  ] as const) {
    server.get(
      path,
      {
        onRequest: anyone,
        schema: { tags, summary: `The keys that sign ${environment} webhooks`, response: { 200: Jwks } },
      },
      async (request, reply) => {
        // An hour: a new key is published two days before it signs. A day, when we cannot be reached.
        void reply.header('cache-control', 'public, max-age=3600, stale-if-error=86400');
        return sendRepresentation(request, reply, await keys.publish(environment));
      },
    );
  }

  server.get(
    '/signing-keys',
    {
      onRequest: access.onPlatform(null),
      schema: { ...forOperators, summary: 'List the signing keys (operators)', response: { 200: Type.Array(SigningKey) } },
    },
    async () => (await keys.list()).map(toWire),
  );

  server.post(
    '/signing-keys/rotate',
    {
      onRequest: access.onPlatform(null),
      schema: {
        ...forOperators,
        summary: 'Let the successor sign as soon as receivers can know it (operators)',
        body: Environment,
        response: { 200: Type.Object({ rotates_at: Timestamp() }, closed) },
      },
    },
    async (request) => {
      const { environment } = request.body;
      const { actor, again } = grantedTo(request);
      const moment = await db.transaction(async (tx) => {
        await again(tx);
        const rotatesAt = await keys.rotate(tx, environment);
        await recordAction(tx, { actor, partnerId: null, action: 'signing_key.rotate', target: null, details: { environment } });
        return rotatesAt;
      });
      return { rotates_at: moment.toISOString() };
    },
  );

  server.post(
    '/signing-keys/:kid/revoke',
    {
      onRequest: access.onPlatform(null),
      schema: {
        ...forOperators,
        summary: 'Delist a key at once (operators)',
        params: Type.Object({ kid: Type.String() }),
        response: { 204: Type.Null({ description: 'Revoked' }) },
      },
    },
    async (request, reply) => {
      const { kid } = request.params;
      const { actor, again } = grantedTo(request);
      await db.transaction(async (tx) => {
        await again(tx);
        await keys.revoke(tx, kid);
        await recordAction(tx, { actor, partnerId: null, action: 'signing_key.revoke', target: kid });
      });
      return reply.code(204).send(null);
    },
  );
}

function toWire({ key, state }: { key: Key; state: KeyState }) {
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
