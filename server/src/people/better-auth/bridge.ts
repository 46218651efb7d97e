// The bridge to better-auth: calls its operations, and converts their answers into our form (docs/decisions/0008).
import type { FastifyRequest } from 'fastify';
import { readBearer } from '../../access/index.ts';
import { type ErrorCode, ServiceError } from '../../base/errors.ts';
import type { SignedIn } from '../schema.ts';
import { type Auth, addressHeader, linkedHeader, pageHeader } from './better-auth.ts';
import { requestIdHeader } from './verified-addresses.ts';

/**
 * Tokens that better-auth keeps in cookies. On our wire they are members of bodies, so that clients need no
 * cookies.
 */
type CarriedTokens = {
  /** Between the password and the second factor. */
  twoFactorToken?: string | undefined;
  /** Lets a device skip the second factor at sign-in. It does not prove one. */
  trustDeviceToken?: string | undefined;
  /** From the redirect to a provider until the browser returns. This one is a cookie on our wire too. */
  stateToken?: string | undefined;
};

export type BridgeAnswer = CarriedTokens & {
  body: Record<string, unknown>;
  sessionToken?: string | undefined;
  location?: string | undefined;
  /** What the state of a visit to a provider names as the page to return to. */
  page?: string | undefined;
  linkedUserId?: string | undefined;
};

/** The operations that we call. Their hooks run as they do for requests over HTTP. */
type Operation =
  | 'signInEmail'
  | 'signInSocial'
  | 'linkSocialAccount'
  | 'callbackOAuth'
  | 'getTOTPURI'
  | 'generateBackupCodes'
  | 'verifyTOTP'
  | 'verifyBackupCode';

type Call = {
  operation: Operation;
  body?: object;
  params?: Record<string, string>;
  query?: Record<string, string>;
  tokens?: CarriedTokens;
  sessionToken?: string;
};

/** The backup code is right, but another request changed the codes meanwhile. */
export class CodesChanged extends Error {}

type Run = (input: Omit<Call, 'operation'> & { headers: Headers; asResponse: true }) => Promise<Response>;

export function createBridge(auth: Auth) {
  const cookieNames = auth.$context.then((context) => ({
    session: context.authCookies.sessionToken.name,
    twoFactor: context.createAuthCookie('two_factor').name,
    trustDevice: context.createAuthCookie('trust_device').name,
    state: context.createAuthCookie('state').name,
  }));

  return {
    /** @throws ServiceError when better-auth answers with an error, and any failure of the database */
    async call(
      request: FastifyRequest,
      { operation, tokens = {}, sessionToken, ...input }: Call,
    ): Promise<BridgeAnswer> {
      const names = await cookieNames;
      // A new set of headers: no other header of the client reaches better-auth, and none can forge the
      // address.
      const headers = new Headers({ [addressHeader]: request.ip, [requestIdHeader]: request.id });
      const bearer = readBearer(request.headers.authorization);
      const token = sessionToken ?? (bearer?.kind === 'session' ? bearer.token : undefined);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      if (request.headers['user-agent'] !== undefined)
        headers.set('user-agent', request.headers['user-agent']);
      const cookies = (['twoFactor', 'trustDevice', 'state'] as const).flatMap((name) => {
        const token = tokens[`${name}Token`];
        return token === undefined ? [] : [`${names[name]}=${token}`];
      });
      if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
      // Each operation has a type of its own. Its schema checks the input, and we read the answer.
      const run = auth.api[operation] as unknown as Run;
      const answer = await auth
        .surfaceFailures(() => run({ ...input, headers, asResponse: true }))
        .catch((error: unknown) => {
          if (isLinkedMeanwhile(error)) throw new ServiceError('provider_refused');
          if (!isOfNobody(error)) throw error;
          throw new ServiceError(operation === 'signInEmail' ? 'invalid_credentials' : 'unauthenticated');
        });
      const content = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
      if (answer.status === 409 && operation === 'verifyBackupCode') throw new CodesChanged();
      if (answer.status >= 400) throw refusal(answer.status, content);
      const set = new Map(answer.headers.getSetCookie().map(readCookie));
      return {
        body: content ?? {},
        sessionToken: set.get(names.session)?.split('.', 1)[0],
        twoFactorToken: set.get(names.twoFactor),
        trustDeviceToken: set.get(names.trustDevice),
        stateToken: set.get(names.state),
        location: answer.headers.get('location') ?? undefined,
        page: answer.headers.get(pageHeader) ?? undefined,
        linkedUserId: answer.headers.get(linkedHeader) ?? undefined,
      };
    },
  };
}

/** The answer of a sign-in: a token, or a challenge for the second factor. */
export function toSignedIn({ body, sessionToken, twoFactorToken, trustDeviceToken }: BridgeAnswer): SignedIn {
  if (body.twoFactorRedirect === true)
    return { twoFactorRedirect: true, twoFactorToken: required(twoFactorToken) };
  const { id, email, name } = body.user as NonNullable<SignedIn['user']>;
  return {
    // The new session comes first: the token in the body of better-auth may belong to a deleted session.
    token: sessionToken ?? String(body.token),
    user: { id, email, name },
    ...(trustDeviceToken !== undefined && { trustDeviceToken }),
  };
}

export function required(token: string | undefined) {
  if (token === undefined) throw new Error('better-auth answered without a token');
  return token;
}

/** better-auth wrote a row of a user who was deleted meanwhile (foreign_key_violation). */
const isOfNobody = (error: unknown) =>
  /_user_id_fkey$/.test(String((error as { constraint?: unknown }).constraint));

/** Another return from the provider has linked the account. */
const isLinkedMeanwhile = (error: unknown) =>
  (error as { constraint?: unknown }).constraint === 'account_provider_key';

/** Name and value of a Set-Cookie header. An empty value deletes the cookie, and is undefined here. */
function readCookie(header: string): [string, string | undefined] {
  const [pair = ''] = header.split(';', 1);
  const equals = pair.indexOf('=');
  return [pair.slice(0, equals), pair.slice(equals + 1) || undefined];
}

const refusals: Readonly<Record<string, ErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'invalid_credentials',
  EMAIL_NOT_VERIFIED: 'email_not_verified',
  BANNED_USER: 'banned',
  INVALID_PASSWORD: 'invalid_password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'invalid_password',
  INVALID_CODE: 'invalid_code',
  INVALID_BACKUP_CODE: 'invalid_code',
  INVALID_TWO_FACTOR_COOKIE: 'invalid_token',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'invalid_token',
  INVALID_TOKEN: 'invalid_token',
  TOKEN_EXPIRED: 'invalid_token',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_not_enabled',
  TOTP_NOT_ENABLED: 'two_factor_not_enabled',
  BACKUP_CODES_NOT_ENABLED: 'two_factor_not_enabled',
};

const refusalsByStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
};

function refusal(status: number, { code }: Record<string, unknown>) {
  const known = refusals[String(code)] ?? refusalsByStatus[status];
  if (known) return new ServiceError(known);
  if (status < 500) return new ServiceError('invalid_request');
  return new ServiceError('internal', {
    cause: new Error(`better-auth answered ${status} ${String(code ?? '')}`),
  });
}
