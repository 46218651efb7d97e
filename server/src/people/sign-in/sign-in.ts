// Sign-up and sign-in, with a password or with a provider. better-auth does the work; this adds limits and
// closes races.
import type { FastifyRequest } from 'fastify';
import { sessions } from '../../access/index.ts';
import { requireEmail, requireStoredEmail, storedEmailKey } from '../../base/email.ts';
import { ServiceError } from '../../base/errors.ts';
import { addressGroup } from '../../base/http/address-group.ts';
import type { Queryable } from '../../base/postgres/database.ts';
import { byLink } from '../audited.ts';
import { toAlias } from '../better-auth/address-aliases.ts';
import { type BridgeAnswer, required, toSignedIn } from '../better-auth/bridge.ts';
import type { SignedIn } from '../schema.ts';
import { done } from '../schema.ts';
import type { Services } from '../services.ts';
import * as users from '../users/store.ts';
import { requireInvited } from './invitation-tokens.ts';
import { createAccount } from './new-account.ts';
import * as store from './store.ts';

type NewAccount = { name: string; email: string; password: string };

export function createSignUp({ db, guards: { countAsker, mayMail }, passwords, mail }: Services) {
  async function mailAgain(request: FastifyRequest, email: string) {
    const signUp = await store.selectSignUp(db, email);
    if (!signUp || !(await mayMail(request, 'verification', email))) return;
    await db.transaction(async (tx) => mail.signUp(tx, email, await store.insertSignUp(tx, signUp)));
  }

  return {
    /** Answers the same whether the address has an account or not. Only the mail differs. */
    async signUp(request: FastifyRequest, { name, email, password }: NewAccount) {
      const key = requireEmail(email, '/email');
      await countAsker(request);
      const passwordHash = await passwords.hashNew(password);
      if (!(await mayMail(request, 'sign-up', key))) return done;
      await db.transaction(async (tx) => {
        if ((await users.selectId(tx, key)) !== undefined) await mail.accountExists(tx, key);
        else await mail.signUp(tx, key, await store.insertSignUp(tx, { email: key, name, passwordHash }));
      });
      return done;
    },

    /**
     * The token of an invitation proves the address, so the user is created at once. Only the owner of the
     * address learns that it has an account.
     */
    async signUpInvited(request: FastifyRequest, { name, email, password }: NewAccount, token: string) {
      const key = requireEmail(email, '/email');
      const requireMatch = async (on: Queryable) => {
        if ((await requireInvited(on, token)).email !== key) throw new ServiceError('invitation_for_other');
      };
      await requireMatch(db);
      const passwordHash = await passwords.hashNew(password);
      await db.transaction(async (tx) => {
        await store.lockInvitationToken(tx, token);
        await requireMatch(tx);
        const created = await createAccount(tx, { name, email: key, passwordHash }, (userId) =>
          byLink(request, userId, 'invitation'),
        );
        if (created === null) throw new ServiceError('account_exists');
      });
      return done;
    },

    async sendVerification(request: FastifyRequest, email: string) {
      await countAsker(request);
      const key = storedEmailKey(email);
      if (key !== null) {
        // Runs after the answer, because the time of the answer would reveal whether somebody signs up.
        setImmediate(() => {
          mailAgain(request, key).catch((err) =>
            request.log.error({ err }, 'sending a verification mail again failed'),
          );
        });
      }
      return done;
    },
  };
}

export function createPasswordSignIn({ db, bridge, guards, newSessions }: Services) {
  return async (
    request: FastifyRequest,
    { email, password, trustDeviceToken }: { email: string; password: string; trustDeviceToken?: string },
  ): Promise<SignedIn> => {
    const key = requireStoredEmail(email, '/email');
    const guardKey = `${key} ${addressGroup(request.ip)}`;
    await guards.signIn.count(guardKey);
    const before = await users.selectPasswordHashByEmail(db, key);
    const answer = await bridge
      .call(request, {
        operation: 'signInEmail',
        body: { email: toAlias(key), password },
        tokens: { trustDeviceToken },
      })
      .catch(async (error: unknown) => {
        // The password was not checked: too many others wait.
        if (error instanceof ServiceError && error.code === 'rate_limited')
          await guards.signIn.refund(guardKey);
        newSessions.failed(request, error, { by: 'password' }, () => users.selectId(db, key));
        throw error;
      });
    // A password change ends all sessions. One that committed after the check, or commits now, did not see
    // this session yet.
    if ((await users.selectSettledPasswordHash(db, { email: key })) !== before) {
      // A challenge needs no deletion: nobody has its token.
      if (answer.sessionToken !== undefined) await sessions.deleteSessionByToken(db, answer.sessionToken);
      throw new ServiceError('invalid_credentials');
    }
    if (answer.sessionToken !== undefined) {
      // better-auth renews the token of a trusted device whenever it accepts one.
      await newSessions.handOut(request, answer.sessionToken, {
        by: answer.trustDeviceToken === undefined ? 'password' : 'trusted_device',
      });
    }
    await guards.signIn.clear(guardKey);
    return toSignedIn(answer);
  };
}

export function createProviderSignIn({
  bridge,
  prepareProvider,
  newSessions,
  providerLinks,
  consoleVisits,
}: Services) {
  async function completeVisit(
    request: FastifyRequest,
    provider: string,
    answer: BridgeAnswer,
  ): Promise<SignedIn> {
    if (answer.linkedUserId !== undefined) await providerLinks.linked(request, provider, answer.linkedUserId);
    if (answer.twoFactorToken !== undefined) return toSignedIn(answer);
    if (answer.location === undefined) throw new ServiceError('provider_refused');
    const error = URL.parse(answer.location, 'http://x')?.searchParams.get('error');
    if (error != null) throw toRefusal(error);
    if (answer.sessionToken === undefined) return { linked: true };
    const user = await newSessions.handOut(request, answer.sessionToken, { by: 'provider', provider });
    return { token: answer.sessionToken, user };
  }

  return {
    /**
     * The URL for the browser, and the state for its cookie. `linkSocialAccount` links the provider to the signed-in
     * user.
     */
    async leaveForProvider(
      request: FastifyRequest,
      operation: 'signInSocial' | 'linkSocialAccount',
      provider: string,
    ) {
      await prepareProvider(provider);
      const page = consoleVisits.begin(request, operation === 'linkSocialAccount');
      const { body, stateToken } = await bridge.call(request, {
        operation,
        body: {
          provider,
          disableRedirect: true,
          ...(page !== undefined && { callbackURL: page, errorCallbackURL: page }),
        },
      });
      return { url: String(body.url), stateToken: required(stateToken) };
    },

    /**
     * Completes a sign-in with a session, or a link with `linked`. If the console asked, the browser goes
     * back to its page.
     */
    async returnFromProvider(
      request: FastifyRequest,
      provider: string,
      query: Record<string, string>,
      stateToken: string | undefined,
    ): Promise<{ signedIn: SignedIn } | { page: string }> {
      await prepareProvider(provider);
      const answer = await bridge.call(request, {
        operation: 'callbackOAuth',
        params: { id: provider },
        query,
        tokens: { stateToken },
      });
      const visit = consoleVisits.read(answer.page);
      if (visit === null) return { signedIn: await completeVisit(request, provider, answer) };
      try {
        const signedIn = await completeVisit(request, provider, answer);
        const { page, browserHash } = visit;
        if (browserHash === null) return { page: `${page}#linked=${encodeURIComponent(provider)}` };
        return { page: await consoleVisits.keep({ page, browserHash }, signedIn) };
      } catch (error) {
        if (error instanceof ServiceError) return { page: `${visit.page}#error=${error.code}` };
        throw error;
      }
    },
  };
}

/**
 * Why better-auth did not sign in. It says `account_not_linked` when the address belongs to a user and one
 * side has not verified it.
 * The answer is the same when no user has the address, so that it does not reveal who has an account.
 */
function toRefusal(error: string) {
  if (error === 'BANNED_USER') return new ServiceError('banned');
  if (error !== 'email_not_verified' && error !== 'account_not_linked')
    return new ServiceError('provider_refused');
  return new ServiceError('email_not_verified', {
    detail:
      'The provider or Concord has not verified your e-mail address. Verify it at the provider. If you have an account, set a new password with POST /api/auth/request-password-reset, which verifies the address here.',
  });
}
