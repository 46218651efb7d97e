// Visits to a provider that the console began. The state of the visit names the page of the console to which
// the browser returns. A sign-in returns with a code in place of a session: the page exchanges it, in the
// browser that began, so the session gets into its cookie.
import type { FastifyRequest } from 'fastify';
import { cookieOf, isFromConsole, setCookie } from '../../base/browser-session/index.ts';
import type { Secret } from '../../base/config-values.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../base/postgres/database.ts';
import { createEncryption } from '../../base/secrets/index.ts';
import { challengeOf, selectChallenged } from '../factors/store.ts';
import type { SignedIn } from '../schema.ts';
import { hashOf, newToken } from '../secret-tokens.ts';
import { selectSessionUser } from '../sessions/store.ts';
import * as store from './store.ts';

const signInPage = '/console/provider-return';
const linkPage = '/console/account/sign-in';

/**
 * The visit of a browser whose console asked. `browserHash`: of its cookie; null when it links an account.
 */
type ConsoleVisit = { readonly page: string; readonly browserHash: string | null };
type Tokens = Pick<SignedIn, 'token' | 'twoFactorToken'>;

export function createConsoleVisits({ db, secrets }: { db: Database; secrets: readonly Secret[] }) {
  const encryption = createEncryption(secrets, 'provider code');
  const contextOf = (codeHash: Buffer) => codeHash.toString('hex');

  return {
    /** Begins a visit. @returns the page for its state. Undefined: the console did not ask */
    begin(request: FastifyRequest, linking: boolean): string | undefined {
      if (!isFromConsole(request)) return undefined;
      if (linking) return linkPage;
      const browser = newToken();
      setCookie(request, 'visit', browser);
      return `${signInPage}?browser=${hashOf(browser).toString('base64url')}`;
    },

    /** `state`: what `begin` returned. Null: the console did not ask. */
    read(state: string | undefined): ConsoleVisit | null {
      const [page, query] = (state ?? '').split('?');
      if (page === linkPage) return { page, browserHash: null };
      const browserHash = new URLSearchParams(query).get('browser');
      return page === signInPage && browserHash !== null ? { page, browserHash } : null;
    },

    /** Keeps the answer of a sign-in for a minute. @returns the page with its code, for the browser */
    async keep(
      { page, browserHash }: { page: string; browserHash: string },
      { token, twoFactorToken }: SignedIn,
    ) {
      const code = newToken();
      const codeHash = hashOf(code);
      const userId =
        token === undefined
          ? await selectChallenged(db, challengeOf(twoFactorToken) ?? '')
          : (await selectSessionUser(db, token))?.id;
      if (userId === undefined) throw new ServiceError('provider_refused');
      const answer = encryption.encrypt(JSON.stringify({ token, twoFactorToken }), contextOf(codeHash));
      const kept = { codeHash, browserHash: Buffer.from(browserHash, 'base64url'), userId, answer };
      if (!(await store.insertCode(db, kept))) throw new ServiceError('provider_refused');
      return `${page}#code=${code}`;
    },

    /**
     * Completes a sign-in. @throws ServiceError invalid_token when the code is unknown, used, expired or of
     * another browser
     */
    async complete(request: FastifyRequest, code: string): Promise<SignedIn> {
      const browser = cookieOf(request, 'visit');
      const codeHash = hashOf(code);
      const answer = browser === undefined ? undefined : await store.takeCode(db, codeHash, hashOf(browser));
      if (answer === undefined) throw new ServiceError('invalid_token');
      setCookie(request, 'visit', null);
      const { token, twoFactorToken } = JSON.parse(encryption.decrypt(answer, contextOf(codeHash))) as Tokens;
      if (token === undefined)
        return { twoFactorRedirect: true, ...(twoFactorToken !== undefined && { twoFactorToken }) };
      const user = await selectSessionUser(db, token);
      if (user === undefined) throw new ServiceError('invalid_token');
      return { token, user };
    },
  };
}
