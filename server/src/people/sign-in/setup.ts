// The setup: a link that the start prints lets a person choose the password of the first operator in the
// browser, and signs in.
import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { secretChange } from '../../audit/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { addressGroup } from '../../base/http/address-group.ts';
import { deriveKey } from '../../base/secrets/index.ts';
import { byLink, recordOwn } from '../audited.ts';
import type { SignedIn } from '../schema.ts';
import type { Services, Setup } from '../services.ts';
import * as users from '../users/store.ts';
import { createPasswordSignIn } from './sign-in.ts';
import * as store from './store.ts';

export function createSetup(services: Services) {
  const { db, secrets, guards, passwords, notices, baseUrl } = services;
  const configuredEmail = services.firstOperator.email;
  const signIn = createPasswordSignIn(services);
  return {
    isComplete: () => store.isSetUp(db),

    /** Null: an operator has signed in. */
    async renewLink(): Promise<Setup | null> {
      const token = await store.renewSetupToken(db, (expiresAt) => {
        const [key] = secrets.map((secret) => deriveKey(secret, 'setup link'));
        if (!key) throw new Error('There is no secret');
        const mac = createHmac('sha256', key).update(expiresAt.toISOString()).digest();
        return mac.subarray(0, 24).toString('base64url');
      });
      if (token === null) return null;
      const operator = await store.selectOperatorToSetUp(db, configuredEmail);
      return { link: `${baseUrl}/console/setup#${token}`, email: operator?.email ?? configuredEmail };
    },

    /**
     * Sets the password of the first operator, and signs in with it. Only one of several requests at once
     * succeeds.
     */
    async setUp(
      request: FastifyRequest,
      { token, password }: { token: string; password: string },
    ): Promise<SignedIn> {
      const guardKey = `set-up ${addressGroup(request.ip)}`;
      await guards.signIn.count(guardKey);
      if (!(await store.isSetupToken(db, token))) throw new ServiceError('invalid_token');
      const hash = await passwords.hashNew(password).catch(async (error: unknown) => {
        await guards.signIn.refund(guardKey);
        throw error;
      });
      const email = await db.transaction(async (tx) => {
        const operator = await store.lockOperatorToSetUp(tx, configuredEmail);
        if (operator === undefined || !(await store.takeSetupToken(tx, token)))
          throw new ServiceError('invalid_token');
        await users.setPassword(tx, operator.id, hash);
        const actor = byLink(request, operator.id, 'set_up');
        await recordOwn(tx, { actor, action: 'account.set_up', changes: secretChange('password') });
        await notices.tell(tx, request, { userId: operator.id, kind: 'password_changed' });
        return operator.email;
      });
      await guards.signIn.clear(guardKey);
      // The session completes the setup. If this fails, the operator signs in with the new password.
      return signIn(request, { email, password });
    },
  };
}
