// The second factor: codes are used once, failures are counted by account and address, and a session carries its proof.
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import { addressGroup } from '../http/limits.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database } from '../postgres/database.ts';
import type { Bridge, BridgeAnswer } from './bridge.ts';
import type { Guards } from './guards.ts';
import * as store from './store.ts';

type Proof = {
  code: string;
  trustDevice?: boolean | undefined;
  /** From the sign-in that this completes; a session steps itself up instead. */
  twoFactorToken?: string | undefined;
};

export type SecondFactor = {
  /** Completes a sign-in, steps a session up, or (the first TOTP code) enables the second factor. */
  verify(
    request: FastifyRequest,
    kind: 'totp' | 'backup-code',
    proof: Proof,
    principal: Principal | null,
  ): Promise<BridgeAnswer>;
};

export function createSecondFactor({
  db,
  bridge,
  guards,
}: {
  db: Database;
  bridge: Bridge;
  guards: Guards;
}): SecondFactor {
  async function whose({ twoFactorToken }: Proof, principal: Principal | null): Promise<string> {
    if (principal) return principal.userId;
    const identifier = decodeURIComponent(twoFactorToken ?? '').split('.', 1)[0] ?? '';
    const userId = await store.selectChallenged(db, identifier);
    if (userId === undefined) throw new ServiceError('invalid_token');
    return userId;
  }

  return {
    async verify(request, kind, proof, principal) {
      const userId = await whose(proof, principal);
      const attempt = `${userId} ${addressGroup(request.ip)}`;
      await guards.secondFactor.count(attempt);
      const { code, trustDevice = false, twoFactorToken } = proof;
      // Claimed before it is tried: of two requests with one code, one is refused.
      const claims = kind === 'totp';
      if (claims && !(await store.claimCode(db, userId, code))) throw new ServiceError('invalid_code');
      let answer: BridgeAnswer;
      try {
        answer = await bridge.call(request, {
          path: `/two-factor/verify-${kind}`,
          body: { code, trustDevice },
          tokens: principal ? {} : { twoFactorToken },
        });
      } catch (error) {
        if (claims) await store.releaseCode(db, userId, code);
        throw error;
      }
      await guards.secondFactor.clear(attempt);
      // A session that was made by this carries the proof already (better-auth.ts).
      if (principal && answer.sessionToken === undefined) await store.markProven(db, principal.sessionId);
      return answer;
    },
  };
}
