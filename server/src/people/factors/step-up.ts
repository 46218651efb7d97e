// The step-up: a session proves its user again, with the password and the second factor, or with a passkey, before a
// change that needs a recent proof.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import { changesBetween } from '../../audit/index.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { recordOwn } from '../audited.ts';
import { done } from '../schema.ts';
import type { Services } from '../services.ts';
import { renewSession } from '../sessions/renew-session.ts';
import { changeOwn } from '../users/own-change.ts';
import * as users from '../users/store.ts';
import { createCodeCheck } from './code-check.ts';
import { createPasskeyProofs } from './passkeys/proofs.ts';
import type { PasskeyProof } from './passkeys/schema.ts';
import { hasApp } from './store.ts';

type Proofs = { password?: string; code?: string; passkey?: PasskeyProof };

export function createStepUp(services: Services) {
  const { db, guards, passwordCheck } = services;
  const checkCode = createCodeCheck(services);
  const passkeyProofs = createPasskeyProofs(services);

  /** @returns the hash that the password matches; undefined when a passkey replaces the password */
  async function verifyPassword(userId: string, { password, passkey }: Proofs) {
    if (password !== undefined)
      return guards.withPassword(userId, () => passwordCheck.requirePassword(userId, password));
    if (passkey === undefined) throw invalidRequest('/password', 'is required without a passkey', 'required');
    return undefined;
  }

  async function verifyPasskey(
    request: FastifyRequest,
    { principal }: Caller,
    { password, passkey }: Proofs,
  ) {
    if (passkey === undefined) return undefined;
    const proof = await passkeyProofs.check(request, principal, passkey);
    if (password === undefined && !proof.userVerified)
      throw invalidRequest(
        '/password',
        'is required, because the passkey has not verified its user',
        'required',
      );
    return proof;
  }

  async function verifyCode(request: FastifyRequest, { principal }: Caller, code: string | undefined) {
    if (principal.secondFactor === 'not_enabled') {
      // better-auth would take the code as the first one, which enables the second factor.
      if (code !== undefined) throw new ServiceError('two_factor_not_enabled');
      return;
    }
    if (code === undefined) {
      throw new ServiceError('mfa_required', {
        detail: 'You have a second factor: send its code, or a backup code, as `code`.',
      });
    }
    const kind = /^\d{6}$/.test(code) ? 'totp' : 'backup-code';
    // The same for an app that was begun beside passkeys.
    if (kind === 'totp' && !(await hasApp(db, principal.userId))) throw new ServiceError('invalid_code');
    await checkCode(request, kind, { code }, principal);
  }

  return async (request: FastifyRequest, caller: Caller, { code, ...proofs }: Proofs) => {
    const { principal } = caller;
    const { userId, credential } = principal;
    const hash = await verifyPassword(userId, proofs);
    const passkey = await verifyPasskey(request, caller, proofs);
    if (passkey === undefined) await verifyCode(request, caller, code);
    await changeOwn(db, caller, async (tx, { actor }) => {
      // A change of the password that committed meanwhile: what was proven is no longer the password.
      if (hash !== undefined && (await users.selectPasswordHash(tx, userId)) !== hash)
        throw new ServiceError('invalid_password');
      await passkey?.use(tx);
      await renewSession(tx, request, principal);
      if (code !== undefined || passkey) await sessions.markSecondFactorProven(tx, credential.id);
      const proof = await sessions.markProven(tx, credential.id);
      const changes = changesBetween(
        { proven_at: proof?.before?.toJSON() },
        { proven_at: proof?.after.toJSON() },
      );
      await recordOwn(tx, { actor, action: 'account.step_up', changes });
    });
    await passkey?.clearAttempts();
    return done;
  };
}
