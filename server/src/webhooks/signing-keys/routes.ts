// The HTTP of signing keys: the JWKS that receivers fetch, and the actions of operators.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../access/index.ts';
import { invalidRequest } from '../../base/errors.ts';
import type { HttpServer } from '../../base/http/server.ts';
import type { Database } from '../../base/postgres/database.ts';
import * as wire from './schema.ts';
import { type KeyState, type SigningKey, timesOf } from './signing-key.ts';
import { listKeys, type SigningKeys } from './signing-keys.ts';

type Options = { db: Database; keys: SigningKeys; access: Access };

export function registerSigningKeyRoutes(server: HttpServer, { db, keys, access }: Options): void {
  const routes = createRoutes(server, 'Signing keys');
  const operators = access.onPlatform(null);

  for (const [environment, path] of [
    ['live', '/.well-known/jwks.json'],
    ['sandbox', '/sandbox/.well-known/jwks.json'],
  ] as const) {
    routes.read(path, {
      operationId: environment === 'live' ? 'getJwks' : 'getSandboxJwks',
      summary: `Get the public keys that sign ${environment} webhooks`,
      description: `Receivers verify ${environment} webhooks with these keys. Find a key by its kid, and read the document again when the kid is unknown.`,
      access: access.anyone,
      answer: wire.Jwks,
      run({ reply }) {
        // An hour, since a new key is published two days before it signs. A further day while Concord cannot
        // be reached.
        void reply.header('cache-control', 'public, max-age=3600, stale-if-error=86400');
        return keys.publish(environment);
      },
    });
  }

  routes.plain('GET', '/signing-keys', {
    operationId: 'listSigningKeys',
    summary: 'List signing keys (operators)',
    description:
      'The keys of both environments, with the times at which they begin and stop to sign. Private keys are never shown.',
    access: operators,
    answer: Type.Array(wire.SigningKey),
    run: async () => (await listKeys(db)).map(toWire),
  });

  routes.plain('POST', '/signing-keys/rotate', {
    operationId: 'rotateSigningKey',
    summary: 'Rotate the signing key (operators)',
    description:
      'The next key signs as soon as it has been published for 48 hours. In sandbox it can sign at once: receivers then see an unknown key, and read the JWKS again.',
    access: operators,
    body: wire.RotateSigningKey,
    answer: wire.Rotation,
    async run({ granted: { actor, recheck }, body: { environment, immediately = false } }) {
      if (immediately && environment !== 'sandbox')
        throw invalidRequest('/immediately', 'must be false for live: receivers keep a JWKS for 25 hours');
      return db.transaction(async (tx) => {
        await recheck(tx);
        const at = await keys.rotate(tx, actor, environment, immediately);
        return { rotates_at: at.toISOString() };
      });
    },
  });

  routes.plain('POST', '/signing-keys/:kid/revoke', {
    operationId: 'revokeSigningKey',
    summary: 'Revoke a signing key (operators)',
    description:
      'Removes the key from the JWKS at once. If the key was active, the next key signs from now on.',
    access: operators,
    answer: Type.Null({ description: 'Revoked' }),
    run: ({ granted: { actor, recheck }, params: { kid } }) =>
      db.transaction(async (tx) => {
        await recheck(tx);
        await keys.revoke(tx, actor, kid);
        return null;
      }),
  });
}

const toWire = ({ key, state }: { key: SigningKey; state: KeyState }) => ({
  kid: key.kid,
  environment: key.environment,
  state,
  created_at: new Date(key.createdAt).toISOString(),
  ...timesOf(key),
});
