// The operations of signed-in users on their own account: sessions, password, address, deletion.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import { ServiceError } from '../../errors.ts';
import type { Principal } from '../../permissions/index.ts';
import type { Database } from '../../postgres/database.ts';
import type { Bridge } from '../better-auth/bridge.ts';
import type { Passwords } from '../better-auth/passwords.ts';
import { requireEmail } from '../email.ts';
import type { Guards } from '../guards.ts';
import type { PasswordCheck } from '../password-check.ts';
import { done } from '../schema.ts';
import * as users from '../users/store.ts';
import { selectLinkedAccounts } from './store.ts';

type Options = { db: Database; bridge: Bridge; guards: Guards; passwords: Passwords; passwordCheck: PasswordCheck };
export type OwnAccount = ReturnType<typeof createOwnAccount>;

export function createOwnAccount({ db, bridge, guards, passwords, passwordCheck }: Options) {
  return {
    async signOut({ userId, credential }: Principal): Promise<void> {
      // Ours, because better-auth answers with success even when it fails to delete the session.
      await sessions.deleteSession(db, userId, credential.id);
    },

    async listAccounts({ userId }: Principal) {
      const rows = await selectLinkedAccounts(db, userId);
      return rows.map((row) => ({
        id: row.id,
        providerId: row.provider_id,
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
        accountId: row.account_id,
        userId: row.user_id,
        scopes: row.scope?.split(/[ ,]+/).filter(Boolean) ?? [],
      }));
    },

    async listSessions({ userId, credential }: Principal) {
      const rows = await sessions.selectSessions(db, userId);
      return rows.map((row) => ({
        id: row.id,
        current: row.id === credential.id,
        createdAt: row.created_at.toISOString(),
        updatedAt: row.updated_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        ipAddress: row.ip_address,
        userAgent: row.user_agent,
        mfaVerifiedAt: row.mfa_verified_at?.toISOString() ?? null,
      }));
    },

    async revokeSession({ userId }: Principal, sessionId: string) {
      if (!(await sessions.deleteSession(db, userId, sessionId))) throw new ServiceError('not_found');
      return done;
    },

    async revokeOtherSessions({ userId, credential }: Principal) {
      await sessions.deleteOtherSessions(db, userId, credential.id);
      return done;
    },

    /** Ours, because better-auth uses several transactions, and a session that must end could survive a failure. */
    changePassword: (
      principal: Principal,
      {
        currentPassword,
        newPassword,
        revokeOtherSessions = true,
      }: { currentPassword: string; newPassword: string; revokeOtherSessions?: boolean },
    ) =>
      guards.withPassword(principal.userId, async () => {
        const { userId, credential } = principal;
        const hash = await passwordCheck.requirePassword(userId, currentPassword);
        const newHash = await passwords.hash(newPassword);
        await db.transaction(async (tx) => {
          await users.changePasswordInSession(tx, !revokeOtherSessions);
          // False after a parallel change: the password that was checked is no longer the current one.
          if (!(await users.updatePasswordHash(tx, userId, hash, newHash))) throw new ServiceError('invalid_password');
          if (revokeOtherSessions) await sessions.deleteOtherSessions(tx, userId, credential.id);
        });
        return done;
      }),

    async changeEmail(request: FastifyRequest, { userId }: Principal, newEmail: string) {
      const key = requireEmail(newEmail, '/newEmail');
      // The first mail goes to the old address. When its link is opened, the second goes to the new one.
      const old = await users.selectEmail(db, userId);
      if ((await guards.mayMail(request, 'change', old, userId)) && (await guards.mayMail(request, 'change', key, userId))) {
        await bridge.call(request, { path: '/change-email', body: { newEmail: key } });
      }
      return done;
    },

    /** Ours, because better-auth deletes the sessions, the linked accounts and the user one after the other. */
    deleteUser: (principal: Principal, password: string) =>
      guards.withPassword(principal.userId, async () => {
        await passwordCheck.requirePassword(principal.userId, password);
        await db
          .transaction(async (tx) => {
            await users.lockUser(tx, principal.userId, principal.userId);
            await users.deleteUser(tx, principal.userId);
          })
          .catch((error: unknown) => {
            throw users.toRefusal(error);
          });
        return done;
      }),
  };
}
