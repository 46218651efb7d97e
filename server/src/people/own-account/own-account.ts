// The operations of signed-in users on their own account: sessions, password, address, deletion.
import type { FastifyRequest } from 'fastify';
import { type Caller, sessions } from '../../access/index.ts';
import type { Actor } from '../../audit/index.ts';
import { requireEmail } from '../../base/email.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { withTextTimes } from '../../base/postgres/sql/rows.ts';
import { recordOwn } from '../audited.ts';
import * as links from '../links/store.ts';
import { done } from '../schema.ts';
import type { Services } from '../services.ts';
import { renewSession } from '../sessions/renew-session.ts';
import { changeOwn } from '../users/own-change.ts';
import * as users from '../users/store.ts';
import { selectLinkedAccounts } from './store.ts';

/** The ways in which the user can sign in. */
export async function listAccounts(on: Queryable, userId: string) {
  const rows = await selectLinkedAccounts(on, userId);
  return rows.map(({ scope, ...row }) => ({
    ...withTextTimes(row),
    scopes: scope?.split(/[ ,]+/).filter(Boolean) ?? [],
  }));
}

export async function listSessions(on: Queryable, userId: string, currentId: string) {
  const rows = await sessions.selectSessions(on, userId);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    ipAddress: row.ip_address,
    userAgent: row.user_agent,
    mfaVerifiedAt: row.mfa_verified_at?.toISOString() ?? null,
  }));
}

export function createOwnAccount(services: Services) {
  const { db, guards, passwords, passwordCheck, mail, notices } = services;
  return {
    ...createOwnDeletion(services),

    /**
     * Ours, because better-auth uses several transactions, and a session that must end could survive a
     * failure.
     */
    changePassword: (
      request: FastifyRequest,
      caller: Caller,
      {
        currentPassword,
        newPassword,
        revokeOtherSessions = true,
      }: { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean },
    ) =>
      guards.withPassword(caller.principal.userId, async () => {
        const { principal } = caller;
        const { userId, credential } = principal;
        const hash = await passwordCheck.requirePassword(userId, currentPassword);
        const newHash = await passwords.hashNew(newPassword, '/newPassword');
        await changeOwn(db, caller, async (tx) => {
          await users.changePasswordInSession(tx, !revokeOtherSessions);
          // False after a parallel change: the password that was checked is no longer the current one.
          if (!(await users.updatePasswordHash(tx, userId, hash, newHash)))
            throw new ServiceError('invalid_password');
          if (revokeOtherSessions) await sessions.deleteOtherSessions(tx, userId, credential.id);
          await renewSession(tx, request, principal);
          await notices.tell(tx, request, { userId, kind: 'password_changed' });
        });
        return done;
      }),

    /**
     * Does the same whether the new address has an account or not. Only the text of the mail to it differs.
     */
    async changeEmail(request: FastifyRequest, caller: Caller, newEmail: string) {
      const { userId, credential } = caller.principal;
      const email = requireEmail(newEmail, '/newEmail');
      if (email === (await users.selectEmail(db, userId))) {
        throw invalidRequest('/newEmail', 'must differ from the address of your account');
      }
      await guards.countAsker(request, userId);
      const mayMail = await guards.mayMail(request, 'change', email);
      await changeOwn(db, caller, async (tx, { actor }) => {
        const taken = (await users.selectId(tx, email)) !== undefined;
        const token = await links.insertLink(tx, userId, {
          purpose: 'change_email',
          email,
          sessionId: credential.id,
        });
        await recordOwn(tx, asked(actor, 'account.change_email'));
        await notices.tell(tx, request, { userId, kind: 'email_change_requested' });
        if (mayMail) await (taken ? mail.addressTaken(tx, email) : mail.changeEmail(tx, email, token));
      });
      return done;
    },
  };
}

function createOwnDeletion({ db, guards, passwordCheck, mail, deletePerson }: Services) {
  return {
    async requestDeletion(request: FastifyRequest, caller: Caller) {
      const { userId } = caller.principal;
      const email = await users.selectEmail(db, userId);
      await guards.countAsker(request, userId);
      const mayMail = await guards.mayMail(request, 'delete', email);
      await changeOwn(db, caller, async (tx, { actor }) => {
        await recordOwn(tx, asked(actor, 'account.delete'));
        const token = await links.insertLink(tx, userId, { purpose: 'delete_user' });
        if (mayMail) await mail.deleteUser(tx, await users.selectEmail(tx, userId), token);
      });
      return done;
    },

    /**
     * Returns what it changed. Ours, because better-auth deletes the sessions, the linked accounts and the
     * user one after the other.
     */
    deleteUser: (
      request: FastifyRequest,
      { actor, principal: { userId }, recheck }: Caller,
      password: string,
    ) =>
      guards.withPassword(userId, async () => {
        await passwordCheck.requirePassword(userId, password);
        return db
          .transaction(async (tx) => {
            await users.lockUser(tx, userId, userId);
            await recheck(tx);
            // Its own row is that of `audited`.
            return (await deletePerson(tx, userId, { actor, action: 'account.delete' }, request)) ?? {};
          })
          .catch((error: unknown) => {
            throw users.toRefusal(error);
          });
      }),
  };
}

/** The audit row of a change that takes effect when a link is completed. */
const asked = (actor: Actor, action: string) => ({ actor, action, outcome: 'intended' }) as const;
