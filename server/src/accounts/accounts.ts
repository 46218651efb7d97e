// What a person does with their account. better-auth does the work; what it leaves open is closed here.
import type { FastifyRequest } from 'fastify';
import { type ErrorCode, ServiceError } from '../errors.ts';
import { addressGroup } from '../http/limits.ts';
import type { Principal } from '../permissions/index.ts';
import type { Database } from '../postgres/database.ts';
import type { Bridge } from './bridge.ts';
import { emailKey } from './email.ts';
import type { Guards } from './guards.ts';
import { bindLink, completeSignUp, findSignUp, keepSignUp, useLink } from './links.ts';
import type { AccountMail } from './mails.ts';
import type { Passwords } from './passwords.ts';
import { required, type SignedIn, toSignedIn } from './signed-in.ts';
import * as store from './store.ts';

type Options = {
  db: Database;
  bridge: Bridge;
  guards: Guards;
  passwords: Passwords;
  mail: AccountMail;
};
export type Accounts = ReturnType<typeof createAccounts>;

const done = { status: true } as const;

export function createAccounts({ db, bridge, guards, passwords, mail }: Options) {
  /** The hash that the password was checked against. @throws ServiceError invalid_password */
  async function currentHash({ userId }: Principal, password: string): Promise<string> {
    const hash = await store.selectPasswordHash(db, userId);
    if (hash === undefined || !(await passwords.verify({ hash, password }))) throw new ServiceError('invalid_password');
    return hash;
  }

  /** Counts mail to an address; beyond the bounds the answer is the same, and no mail is sent. */
  async function mayMail({ ip }: FastifyRequest, purpose: string, email: string): Promise<boolean> {
    try {
      await guards.mailFromAddress.count(`${purpose} ${email} ${addressGroup(ip)}`);
      await guards.mail.count(email);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  return {
    /** The answer is the same whether the address is known or not; a mail tells its owner. */
    async signUp(request: FastifyRequest, { name, email, password }: { name: string; email: string; password: string }) {
      const key = validEmail(email, '/email');
      const passwordHash = await passwords.hash(password);
      if (!(await mayMail(request, 'sign-up', key))) return done;
      await db.transaction(async (tx) => {
        if (await store.userExists(tx, key)) await mail.accountExists(tx, key);
        else await mail.signUp(tx, key, await keepSignUp(tx, { email: key, name, passwordHash }));
      });
      return done;
    },

    async sendVerification(request: FastifyRequest, email: string) {
      const key = emailKey(email);
      if (key === null || !(await mayMail(request, 'verification', key))) return done;
      const signUp = await findSignUp(db, key);
      if (signUp) await db.transaction(async (tx) => mail.signUp(tx, key, await keepSignUp(tx, signUp)));
      return done;
    },

    /** A link works once: that of a sign-up makes the account, the others change the user they were made for. */
    async verifyEmail(request: FastifyRequest, token: string) {
      if (await db.transaction((tx) => completeSignUp(tx, token))) return done;
      const userId = await useLink(db, token);
      if (userId === undefined || !(await store.hasEmail(db, userId, emailInToken(token)))) {
        throw new ServiceError('invalid_token');
      }
      try {
        const { sessionToken } = await bridge.call(request, {
          path: '/verify-email',
          method: 'GET',
          query: { token },
        });
        // better-auth signs in whoever opens the link; here that takes a password.
        if (sessionToken !== undefined) await store.deleteSessionByToken(db, sessionToken);
      } catch (error) {
        // The address was taken meanwhile.
        if ((error as { code?: unknown }).code === '23505') throw new ServiceError('invalid_token', { cause: error });
        if (!(error instanceof ServiceError)) await bindLink(db, token, userId);
        throw error;
      }
      return done;
    },

    async signIn(
      request: FastifyRequest,
      { email, password, trustDeviceToken }: { email: string; password: string; trustDeviceToken?: string },
    ): Promise<SignedIn> {
      const key = emailKey(email) ?? email;
      const attempt = `${key} ${addressGroup(request.ip)}`;
      await guards.signIn.count(attempt);
      const before = await store.selectPasswordHashByEmail(db, key);
      const answer = await bridge.call(request, {
        path: '/sign-in/email',
        body: { email: key, password },
        tokens: { trustDeviceToken },
      });
      // The password was changed after it was checked and before the session was there to be ended.
      if ((await store.selectPasswordHashByEmail(db, key)) !== before) {
        await store.endWhatBegan(db, answer);
        throw new ServiceError('invalid_credentials');
      }
      await guards.signIn.clear(attempt);
      return toSignedIn(answer);
    },

    /** Where to send the browser, and the state that its cookie carries. `linking`: for the user who is signed in. */
    async leaveForProvider(request: FastifyRequest, provider: string, linking: boolean) {
      const { body, stateToken } = await bridge.call(request, {
        path: linking ? '/link-social' : '/sign-in/social',
        body: { provider, disableRedirect: true },
      });
      return { url: String(body.url), stateToken: required(stateToken) };
    },

    /** Back from the provider: a session, or `linked` for a user who had one. */
    async returnFromProvider(
      request: FastifyRequest,
      provider: string,
      query: Record<string, string>,
      stateToken: string | undefined,
    ): Promise<SignedIn> {
      const answer = await bridge.call(request, {
        path: `/callback/${encodeURIComponent(provider)}`,
        method: 'GET',
        query,
        tokens: { stateToken },
      });
      if (answer.location === undefined || URL.parse(answer.location, 'http://x')?.searchParams.has('error')) {
        throw new ServiceError('provider_refused');
      }
      if (answer.sessionToken === undefined) return { linked: true };
      const user = await store.selectUserOfSession(db, answer.sessionToken);
      if (!user) throw new ServiceError('provider_refused');
      return { token: answer.sessionToken, user };
    },

    async requestPasswordReset(request: FastifyRequest, email: string) {
      const key = emailKey(email);
      if (key !== null && (await mayMail(request, 'reset', key))) {
        // After the answer: its time would tell whether there is such a user. Who gets no mail asks again.
        setImmediate(() => {
          bridge
            .call(request, { path: '/request-password-reset', body: { email: key } })
            .catch((err) => request.log.error({ err }, 'a password reset was not begun'));
        });
      }
      return done;
    },

    async resetPassword(request: FastifyRequest, body: { token: string; newPassword: string }) {
      await bridge.call(request, { path: '/reset-password', body });
      return done;
    },

    async signOut({ userId, credential }: Principal): Promise<void> {
      // Not better-auth's: it answers with success even when the session could not be deleted.
      await store.deleteSession(db, userId, credential.id);
    },

    listAccounts: ({ userId }: Principal) => store.selectLinkedAccounts(db, userId),

    async listSessions({ userId, credential }: Principal) {
      const rows = await store.selectSessions(db, userId);
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
      if (!(await store.deleteSession(db, userId, sessionId))) throw new ServiceError('not_found');
      return done;
    },

    async revokeOtherSessions({ userId, credential }: Principal) {
      await store.deleteOtherSessions(db, userId, credential.id);
      return done;
    },

    /** In one transaction, which better-auth's is not: no session that should be gone outlives the change. */
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
        const hash = await currentHash(principal, currentPassword);
        const newHash = await passwords.hash(newPassword);
        await db.transaction(async (tx) => {
          await store.changePasswordInSession(tx, !revokeOtherSessions);
          // False when it was changed meanwhile: then the password that was shown is no longer the current one.
          if (!(await store.updatePasswordHash(tx, userId, hash, newHash))) throw new ServiceError('invalid_password');
          if (revokeOtherSessions) await store.deleteOtherSessions(tx, userId, credential.id);
        });
        return done;
      }),

    async changeEmail(request: FastifyRequest, { userId }: Principal, newEmail: string) {
      const key = validEmail(newEmail, '/newEmail');
      // The first mail goes to the old address, the second, when that is opened, to the new one.
      const old = await store.selectEmail(db, userId);
      if ((await mayMail(request, 'change', old)) && (await mayMail(request, 'change', key))) {
        await bridge.call(request, { path: '/change-email', body: { newEmail: key } });
      }
      return done;
    },

    /** In one statement, which takes sessions and linked accounts along; better-auth deletes them one after the other. */
    deleteUser: (principal: Principal, password: string) =>
      guards.withPassword(principal.userId, async () => {
        await currentHash(principal, password);
        await db
          .transaction(async (tx) => {
            await store.lockUser(tx, principal.userId, principal.userId);
            await store.deleteUser(tx, principal.userId);
          })
          .catch((error: unknown) => {
            throw store.toRefusal(error);
          });
        return done;
      }),
  };
}

/** The address that a token of better-auth speaks of; whether the token is genuine, better-auth says. */
function emailInToken(token: string): string {
  try {
    const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof payload.email === 'string' ? payload.email : '';
  } catch {
    return '';
  }
}

function validEmail(text: string, pointer: string): string {
  const key = emailKey(text);
  // better-auth takes no other characters in front of the @.
  if (key !== null && /^[\w'+.-]+@/.test(key)) return key;
  const code = 'invalid_request' satisfies ErrorCode;
  throw new ServiceError(code, {
    faults: [{ pointer, code: 'invalid_value', message: 'is not an e-mail address' }],
  });
}
