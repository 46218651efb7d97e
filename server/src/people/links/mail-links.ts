// What links in mails do without a session: set a new password, and delete the own user.
import type { FastifyRequest } from 'fastify';
import { secretChange } from '../../audit/index.ts';
import { storedEmailKey } from '../../base/email.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { byLink, recordOwn } from '../audited.ts';
import { done } from '../schema.ts';
import type { Services } from '../services.ts';
import * as users from '../users/store.ts';
import * as links from './store.ts';

export function createMailLinks({ db, guards, passwords, mail, notices, deletePerson }: Services) {
  const mailReset = (email: string) =>
    db.transaction(async (tx) => {
      // Otherwise a change of the address that commits meanwhile would not end this link, which goes to the
      // old address.
      const userId = await users.lockPersonByEmail(tx, email);
      if (userId === undefined) return;
      await mail.resetPassword(tx, email, await links.insertLink(tx, userId, { purpose: 'reset_password' }));
    });

  return {
    async requestPasswordReset(request: FastifyRequest, email: string) {
      await guards.countAsker(request);
      const key = storedEmailKey(email);
      if (key !== null && (await guards.mayMail(request, 'reset', key))) {
        // Runs after the answer, because the time of the answer would reveal whether the user exists.
        setImmediate(() => {
          mailReset(key).catch((err) => request.log.error({ err }, 'starting a password reset failed'));
        });
      }
      return done;
    },

    async checkReset(token: string) {
      await requireUser(db, token, 'reset_password');
      return done;
    },

    /**
     * Sets the password, also of a user who had none. Triggers end sessions, access tokens, challenges,
     * trusted devices and links.
     */
    async resetPassword(
      request: FastifyRequest,
      { token, newPassword }: { token: string; newPassword: string },
    ) {
      const userId = await requireUser(db, token, 'reset_password');
      const hash = await passwords.hashNew(newPassword, '/newPassword');
      await db.transaction(async (tx) => {
        await users.lockOwnUser(tx, userId);
        if (!(await links.takeLink(tx, token, 'reset_password'))) throw new ServiceError('invalid_token');
        await users.verifyEmail(tx, userId);
        await users.setPassword(tx, userId, hash);
        await recordOwn(tx, {
          actor: byLink(request, userId, 'reset_password'),
          action: 'account.reset_password',
          changes: secretChange('password'),
        });
        await notices.tell(tx, request, { userId, kind: 'password_changed' });
      });
      return done;
    },

    async confirmDeletion(request: FastifyRequest, token: string) {
      const userId = await requireUser(db, token, 'delete_user');
      await db
        .transaction(async (tx) => {
          await users.lockUser(tx, userId, userId);
          if (!(await links.takeLink(tx, token, 'delete_user'))) throw new ServiceError('invalid_token');
          const by = { actor: byLink(request, userId, 'delete_user'), action: 'account.delete' };
          const deleted = await deletePerson(tx, userId, by, request);
          // Without the address, which the deletion has erased.
          const actor = { ...by.actor, address: null };
          await recordOwn(tx, { ...by, actor, changes: deleted ?? {} });
        })
        .catch((error: unknown) => {
          throw users.toRefusal(error);
        });
      return done;
    },
  };
}

/** @throws ServiceError invalid_token */
async function requireUser(on: Queryable, token: string, purpose: links.Purpose) {
  const userId = await links.selectUserOfLink(on, token, purpose);
  if (userId === undefined) throw new ServiceError('invalid_token');
  return userId;
}
