// Checks the code of an app, or a backup code: each works once, and failed ones are counted.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { type BridgeAnswer, CodesChanged, required } from '../better-auth/bridge.ts';
import type { Services } from '../services.ts';
import * as users from '../users/store.ts';
import { createAttempts } from './attempts.ts';
import * as store from './store.ts';

export type CodeKind = 'totp' | 'backup-code';
export type Proof = {
  code: string;
  trustDevice?: boolean | undefined;
  /** From the sign-in to complete. Absent in a session, which steps up. */
  twoFactorToken?: string | undefined;
};

/** A sign-in is then complete; a session is not marked yet. */
export function createCodeCheck(services: Services) {
  const { db, bridge, newSessions } = services;
  const attempts = createAttempts(services);
  return async (
    request: FastifyRequest,
    kind: CodeKind,
    proof: Proof,
    principal: Principal | null,
  ): Promise<BridgeAnswer & { userId: string }> => {
    const { code, trustDevice = false, twoFactorToken } = proof;
    const userId = await attempts.findUserId(request, twoFactorToken, principal);
    const clearAttempts = await attempts.count(request, userId, principal ? 'step-up' : 'sign-in');
    const passwordBefore = await users.selectPasswordHash(db, userId);
    // The code is claimed before better-auth checks it, so that only one of two parallel requests succeeds
    // with it.
    const claimed = kind === 'totp' ? store.codeOf(userId, code) : undefined;
    if (claimed && !(await store.claimProof(db, userId, claimed))) throw new ServiceError('invalid_code');
    const verify = (): Promise<BridgeAnswer> =>
      bridge
        .call(request, {
          operation: kind === 'totp' ? 'verifyTOTP' : 'verifyBackupCode',
          body: { code, trustDevice },
          tokens: principal ? {} : { twoFactorToken },
        })
        .catch(async (error: unknown) => {
          if (!(error instanceof CodesChanged)) throw error;
          if (!principal) await store.recountAttempts(db, required(store.challengeOf(twoFactorToken)));
          return verify();
        });
    let answer: BridgeAnswer;
    try {
      answer = await verify();
    } catch (error) {
      if (claimed) await store.releaseProof(db, claimed);
      if (!principal) newSessions.failed(request, error, { by: kind }, async () => userId);
      const refusal = error instanceof ServiceError ? error.code : undefined;
      // The session has ended meanwhile, so better-auth looked for a sign-in that waits.
      if (principal && refusal === 'invalid_token') throw new ServiceError('unauthenticated');
      // If the second factor has ended meanwhile, the sign-in that waited has too: invalid_token. Without an app it waits.
      if (!principal && refusal === 'two_factor_not_enabled')
        await attempts.findUserId(request, twoFactorToken, null);
      throw error;
    }
    if (!principal && (await users.selectSettledPasswordHash(db, { id: userId })) !== passwordBefore) {
      // The password changed after better-auth took the challenge, and before it created the session.
      await sessions.deleteSessionByToken(db, required(answer.sessionToken));
      throw new ServiceError('invalid_token');
    }
    if (!principal)
      await newSessions.handOut(
        request,
        required(answer.sessionToken),
        { by: kind },
        store.challengeOf(twoFactorToken),
      );
    await clearAttempts();
    return { ...answer, userId };
  };
}
