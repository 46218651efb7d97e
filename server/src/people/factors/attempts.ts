// Attempts to prove the second factor: whose it is, and how often it failed.
import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../access/permissions/index.ts';
import { cookieOf, setCookie } from '../../base/browser-session/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { addressGroup } from '../../base/http/address-group.ts';
import type { Services } from '../services.ts';
import * as store from './store.ts';

export function createAttempts({ db, guards }: Services) {
  return {
    /** The user of the session, or of the sign-in that waits. @throws ServiceError invalid_token */
    async findUserId(
      request: FastifyRequest,
      twoFactorToken: string | undefined,
      principal: Principal | null,
    ) {
      if (principal) return principal.userId;
      const identifier = store.challengeOf(twoFactorToken);
      const userId = identifier === undefined ? undefined : await store.selectChallenged(db, identifier);
      if (userId === undefined) {
        // While the browser has it, codes do not count in its session.
        if (cookieOf(request, 'twoFactor') !== undefined) setCookie(request, 'twoFactor', null);
        throw new ServiceError('invalid_token');
      }
      return userId;
    },

    /** Counts an attempt before it is made. @returns what resets the counts after a success */
    async count({ ip }: FastifyRequest, userId: string, kind: 'step-up' | 'sign-in') {
      const addressKey = `${userId} ${addressGroup(ip)}`;
      await guards.secondFactor.count(addressKey);
      // Counted separately: a stolen session must not lock its owner out of sign-in.
      const userKey = `${kind} ${userId}`;
      await guards.secondFactorOfUser.count(userKey);
      return async () => {
        await guards.secondFactor.clear(addressKey);
        await guards.secondFactorOfUser.clear(userKey);
      };
    },
  };
}
