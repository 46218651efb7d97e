// The HTTP of passkeys.
import { Type } from 'typebox';
import { createRoutes } from '../../../access/index.ts';
import type { HttpServer } from '../../../base/http/server.ts';
import { SignedIn } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { createPasskeys, listPasskeys } from './passkeys.ts';
import { createPasskeyProofs } from './proofs.ts';
import * as wire from './schema.ts';

export function registerPasskeyRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Passkeys');
  const { db, access } = services;
  const passkeys = createPasskeys(services);

  routes.plain('GET', '/api/auth/passkeys', {
    operationId: 'listPasskeys',
    summary: 'List your passkeys',
    description: 'The oldest first.',
    access: access.accountInSession,
    answer: Type.Array(wire.Passkey),
    run: ({ granted }) => listPasskeys(db, granted.principal.userId),
  });
  routes.plain('POST', '/api/auth/passkeys/options', {
    operationId: 'beginPasskey',
    summary: 'Start to add a passkey',
    description: 'Answers with what the browser needs to make one: `navigator.credentials.create()`.',
    access: access.accountProven,
    answer: wire.PasskeyCreation,
    run: ({ granted }) => passkeys.beginAdding(granted),
  });
  routes.plain('POST', '/api/auth/passkeys', {
    operationId: 'addPasskey',
    summary: 'Add a passkey',
    description:
      'Your first second factor enables it: the answer has backup codes, and a session token that replaces the one you sent. A user can have 20 passkeys.',
    access: access.accountProven,
    body: wire.AddPasskey,
    answer: wire.AddedPasskey,
    run: ({ granted, body, request }) => passkeys.add(request, granted, body),
  });
  routes.plain('PATCH', '/api/auth/passkeys/:id', {
    operationId: 'renamePasskey',
    summary: 'Rename a passkey',
    description: 'Changes the name, which is for you alone.',
    access: access.accountInSession,
    body: wire.RenamePasskey,
    answer: wire.Passkey,
    run: ({ granted, params, body }) => passkeys.rename(granted, params.id, body.name),
  });
  routes.plain('DELETE', '/api/auth/passkeys/:id', {
    operationId: 'removePasskey',
    summary: 'Remove a passkey',
    description:
      'It proves nothing from the next request on. Without another passkey and without an authenticator app, your second factor is disabled.',
    access: access.accountProven,
    answer: Type.Null({ description: 'Removed' }),
    run: ({ granted, params, request }) => passkeys.remove(request, granted, params.id),
  });
}

export function registerPasskeyProofRoutes(server: HttpServer, services: Services) {
  const routes = createRoutes(server, 'Passkeys');
  const { access } = services;
  const passkeyProofs = createPasskeyProofs(services);

  routes.plain('POST', '/api/auth/passkey/sign-in/options', {
    operationId: 'beginPasskeySignIn',
    summary: 'Start a sign-in with a passkey',
    description:
      'Answers with what the browser needs: `navigator.credentials.get()`. The answer names no account.',
    access: access.anyone,
    answer: wire.PasskeyRequest,
    run: () => passkeyProofs.beginSignIn(),
  });
  routes.plain('POST', '/api/auth/passkey/sign-in', {
    operationId: 'signInWithPasskey',
    summary: 'Sign in with a passkey',
    description:
      'The authenticator must verify its user, so the session carries the proof of a second factor.',
    access: access.anyone,
    body: wire.PasskeyProof,
    answer: SignedIn,
    run: ({ body, request }) => passkeyProofs.signIn(request, body),
  });
  routes.plain('POST', '/api/auth/two-factor/options', {
    operationId: 'beginSecondFactor',
    summary: 'Show how the second factor can be proven',
    description:
      'For a sign-in with `twoFactorToken`, or for the session of the request. A passkey then completes the sign-in, or goes to POST /api/auth/step-up. Backup codes always work.',
    access: access.accountIfAny,
    body: wire.AskSecondFactor,
    answer: wire.SecondFactorOptions,
    run: ({ body, request }) => {
      const caller = access.accountIfAny.granted(request);
      return passkeyProofs.options(request, body.twoFactorToken, caller?.principal ?? null);
    },
  });
  routes.plain('POST', '/api/auth/two-factor/verify-passkey', {
    operationId: 'verifyPasskey',
    summary: 'Complete a sign-in with a passkey',
    description: 'The passkey is the second factor of the sign-in that `twoFactorToken` names.',
    access: access.anyone,
    body: wire.VerifyPasskey,
    answer: SignedIn,
    run: ({ body, request }) => passkeyProofs.completeSignIn(request, body),
  });
}
