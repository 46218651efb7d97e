// The first code of an app.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import type { Principal } from '../../access/permissions/index.ts';
import { requireFound, ServiceError } from '../../base/errors.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { isCodeOf } from '../better-auth/second-factor-makings.ts';
import type { SignedIn } from '../schema.ts';
import type { Services } from '../services.ts';
import { enableInSession, renewSession, tokenOfRequest } from '../sessions/renew-session.ts';
import { changeOwn } from '../users/own-change.ts';
import * as users from '../users/store.ts';
import { createAttempts } from './attempts.ts';
import * as store from './store.ts';

/**
 * It enables the second factor, or adds the app to passkeys. Ours, because better-auth would go on with a session that
 * ends, and an app that is replaced, meanwhile.
 */
export function createFirstCode(services: Services) {
  const { db, auth, notices } = services;
  const attempts = createAttempts(services);
  return async function verifyFirst(
    request: FastifyRequest,
    caller: Caller,
    code: string,
  ): Promise<SignedIn> {
    const { userId } = caller.principal;
    const clearAttempts = await attempts.count(request, userId, 'step-up');
    const signedIn = await changeOwn(db, caller, async (tx, { principal }) => {
      const sealed = await store.selectSealedSecret(tx, userId);
      if (sealed === undefined) throw new ServiceError('two_factor_not_enabled');
      const isNew = await store.claimProof(tx, userId, store.codeOf(userId, code));
      if (!(isNew && (await isCodeOf(auth, sealed, code)))) throw new ServiceError('invalid_code');
      const { email, name } = requireFound(await users.selectUser(tx, userId));
      // Another code can have been the first.
      if (!(await store.hasApp(tx, userId)))
        await notices.tell(tx, request, { userId, kind: 'second_factor_enabled' });
      const token =
        principal.secondFactor === 'not_enabled'
          ? await enableInSession(tx, request, principal, () =>
              users.setSecondFactorEnabled(tx, userId, true),
            )
          : await addApp(tx, request, principal);
      return { token, user: { id: userId, email, name } };
    });
    await clearAttempts();
    return signedIn;
  };
}

async function addApp(tx: Transaction, request: FastifyRequest, principal: Principal) {
  await store.verifyApp(tx, principal.userId);
  const token = await renewSession(tx, request, principal);
  await sessions.markSecondFactorProven(tx, principal.credential.id);
  return token ?? tokenOfRequest(request);
}
