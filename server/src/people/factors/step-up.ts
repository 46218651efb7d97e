// The step-up: a session proves its user again, with the password and the second factor, before a change that
// needs a recent proof.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import { changesBetween, recordAction } from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../base/postgres/database.ts';
import type { Guards } from '../guards.ts';
import type { PasswordCheck } from '../password-check.ts';
import { done } from '../schema.ts';
import { renewSession } from '../sessions/renew-session.ts';
import * as users from '../users/store.ts';
import type { SecondFactor } from './second-factor.ts';

type Options = { db: Database; guards: Guards; passwordCheck: PasswordCheck; secondFactor: SecondFactor };
export type StepUp = ReturnType<typeof createStepUp>;

export function createStepUp({ db, guards, passwordCheck, secondFactor }: Options) {
  async function verifyCode(
    request: FastifyRequest,
    { principal }: Caller,
    code: string | undefined,
  ): Promise<void> {
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
    await secondFactor.check(request, /^\d{6}$/.test(code) ? 'totp' : 'backup-code', { code }, principal);
  }

  return {
    stepUp: async (
      request: FastifyRequest,
      caller: Caller,
      { password, code }: { password: string; code?: string },
    ) => {
      const { actor, principal, recheck } = caller;
      const { userId, credential } = principal;
      const hash = await guards.withPassword(userId, () => passwordCheck.requirePassword(userId, password));
      await verifyCode(request, caller, code);
      await db.transaction(async (tx) => {
        await users.lockOwnUser(tx, userId);
        await recheck(tx);
        // A change of the password that committed meanwhile: what was proven is no longer the password.
        if ((await users.selectPasswordHash(tx, userId)) !== hash) throw new ServiceError('invalid_password');
        await renewSession(tx, request, principal);
        if (code !== undefined) await sessions.markSecondFactorProven(tx, credential.id);
        const proof = await sessions.markProven(tx, credential.id);
        const changes = changesBetween(
          { proven_at: proof?.before?.toJSON() },
          { proven_at: proof?.after.toJSON() },
        );
        await recordAction(tx, {
          actor,
          partnerId: null,
          action: 'account.step_up',
          target: userId,
          changes,
        });
      });
      return done;
    },
  };
}
