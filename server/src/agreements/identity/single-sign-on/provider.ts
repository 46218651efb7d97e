// The OpenID Connect client: discovery, the visit of the browser, and what the provider says of a person.
import { createPrivateKey } from 'node:crypto';
import { calculateJwkThumbprint, createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as oidc from 'openid-client';
import { type GuardedFetch, UnreachableError } from '../../../base/egress/index.ts';
import { ServiceError } from '../../../base/errors.ts';
import { keepLast } from '../../../base/keep-last.ts';
import type { Encryption } from '../../../base/secrets/index.ts';
import { cut } from '../../../base/text.ts';
import type { Options } from '../../options.ts';
import { encryptionOf } from '../connections/connections.ts';
import { readProvider } from '../connections/discovery.ts';
import type { Connection } from '../connections/store.ts';

/** `none` and HMAC never: a stranger could sign with the public key, or nobody would have signed. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const maxKeyBytes = 256 * 1024;
const cachedMs = 10 * 60_000;
/** A provider that is away is asked again after this long. */
const pauseSeconds = 5;
const maxCached = 200;
/** How far the clock of a provider may differ. */
export const toleranceSeconds = 60;

/** A provider is read, and kept, for these: a change of one counts at once. */
const clientNames = ['connection_id', 'revision', 'issuer', 'client_id', 'authentication', 'secret'] as const;
type Client = Pick<Connection, (typeof clientNames)[number]>;
type Provider = { config: oidc.Configuration; keys: JWTVerifyGetKey; algorithms: string[] };
export type Secrets = { nonce: string; verifier: string };
type Visit = {
  redirectUri: string;
  state: string;
  loginHint?: string | undefined;
  maxAge?: number | undefined;
};

export type IdentityProviders = ReturnType<typeof createIdentityProviders>;

export function createIdentityProviders(options: Options, fetch: GuardedFetch) {
  const encryption = encryptionOf(options);
  /** By connection: whoever changes one again and again must not fill the memory. */
  const cache = new Map<string, { client: string; until: number; provider: Promise<Provider> }>();

  /** Requests at the same time share one discovery. @throws ServiceError provider_unavailable */
  async function find(connection: Client): Promise<Provider> {
    const client = JSON.stringify(clientNames.map((name) => connection[name]));
    const now = performance.now();
    let known = cache.get(connection.connection_id);
    if (!known || known.client !== client || known.until < now) {
      known = { client, until: now + cachedMs, provider: discover(fetch, encryption, connection) };
      const made = known;
      made.provider.catch(() => {
        made.until = performance.now() + pauseSeconds * 1_000;
      });
      keepLast(cache, connection.connection_id, made, maxCached);
    }
    return known.provider.catch((cause: unknown) => {
      throw unavailable(cause);
    });
  }

  return {
    find,

    async leave(connection: Connection, { redirectUri, state, loginHint, maxAge }: Visit) {
      const { config } = await find(connection);
      const secrets = { nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
        ...(maxAge !== undefined && { max_age: String(maxAge) }),
      });
      return { url: url.href, secrets };
    },

    /** `url`: to which the browser returned. @throws ServiceError provider_refused, provider_unavailable */
    async answerOf(connection: Connection, url: URL, state: string, { nonce, verifier }: Secrets) {
      const { config } = await find(connection);
      try {
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('The provider sent no ID token');
        const hasEmail = typeof claims.email === 'string' || !config.serverMetadata().userinfo_endpoint;
        const info = hasEmail ? {} : await oidc.fetchUserInfo(config, tokens.access_token, claims.sub);
        return toClaims(connection.issuer, { ...info, ...claims });
      } catch (cause) {
        throw unavailableIn(cause) ?? new ServiceError('provider_refused', { cause });
      }
    },
  };
}

async function discover(fetch: GuardedFetch, encryption: Encryption, connection: Client): Promise<Provider> {
  const { issuer, client_id } = connection;
  const server = await readProvider(fetch, issuer);
  const named = server.id_token_signing_alg_values_supported ?? ['RS256'];
  const allowed = named.filter((each) => algorithms.includes(each));
  if (allowed.length === 0)
    throw new UnreachableError(`${issuer} signs with no algorithm that Concord takes`);
  const config = new oidc.Configuration(
    { ...server, id_token_signing_alg_values_supported: allowed },
    client_id,
    { [oidc.clockTolerance]: toleranceSeconds },
    await authenticationOf(
      connection.authentication,
      encryption.decrypt(connection.secret, connection.connection_id),
    ),
  );
  oidc.enableNonRepudiationChecks(config);
  if (issuer.startsWith('http:')) oidc.allowInsecureRequests(config);
  const keysUrl = new URL(String(server.jwks_uri));
  const ask = async (
    url: string,
    { method, headers, body }: { method?: string; headers?: unknown; body?: unknown },
  ) => {
    const areKeys = url === keysUrl.href;
    const response = await fetch(url, {
      ...(method !== undefined && { method }),
      headers: headersOf(headers),
      body,
      ...(areKeys && { maxBytes: maxKeyBytes }),
    });
    if (response.status >= 500 || (areKeys && response.status !== 200))
      throw new UnreachableError(`${url} answered with status ${response.status}`);
    return response;
  };
  config[oidc.customFetch] = ask;
  const keys = createRemoteJWKSet(keysUrl, {
    [customFetch]: (url, { method, headers }) => ask(url, { method, headers }),
    cooldownDuration: 60_000,
  });
  return { config, keys, algorithms: allowed };
}

/** The library wraps the errors of `fetch`. */
export function unavailableIn(error: unknown): ServiceError | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof UnreachableError) return unavailable(at);
  return undefined;
}

/** What the provider says is wrong, such as `invalid_client`, or what is wrong with its answer. */
export function reasonOf(error: Error): string {
  if (error.cause instanceof Error && !(error instanceof UnreachableError)) return reasonOf(error.cause);
  const { error: code, error_description: text } = error as { error?: unknown; error_description?: unknown };
  const said = [code, text].filter((part) => typeof part === 'string').join(': ');
  return cut((said || error.message).replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' '), 500);
}

/** Whoever starts a sign-in learns no address of the provider. The log has the cause. */
const unavailable = (cause: unknown) =>
  new ServiceError('provider_unavailable', { headers: { 'retry-after': String(pauseSeconds) }, cause });

async function authenticationOf(
  kind: Connection['authentication'],
  secret: string,
): Promise<oidc.ClientAuth> {
  if (kind === 'client_secret_basic') return oidc.ClientSecretBasic(secret);
  if (kind === 'client_secret_post') return oidc.ClientSecretPost(secret);
  const key = createPrivateKey(secret);
  const kid = await calculateJwkThumbprint(key.export({ format: 'jwk' }));
  return oidc.PrivateKeyJwt({
    key: key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']),
    kid,
  });
}

const headersOf = (headers: unknown): Record<string, string> =>
  Object.fromEntries(headers instanceof Headers ? headers : Object.entries((headers ?? {}) as object));

/** Null: it is no text, or has characters that nobody reads, some of which no database takes. */
export const textOf = (value: unknown, maxLength = 255): string | null =>
  typeof value === 'string' && value !== '' && value.length <= maxLength && !/[\p{Cc}\p{Cs}]/u.test(value)
    ? value
    : null;

/**
 * Google vouches for an address beside its own domains only with `hd`: without it, anybody could have made a
 * personal account with the address of a company.
 */
const google = 'https://accounts.google.com';

/** What the ID token says, or the UserInfo endpoint where the token has no address. */
export type Claims = ReturnType<typeof toClaims>;

export function toClaims(issuer: string, claims: Record<string, unknown> & { sub: string }) {
  const { sub, email, email_verified: verified, hd, name, auth_time: authTime, sid, acr, amr } = claims;
  const subject = textOf(sub);
  if (subject === null) throw new Error('The subject is no text of at most 255 characters');
  return {
    subject,
    email: textOf(email, 254),
    /** False: the provider does not say that the person has shown the address to be theirs. */
    emailVerified:
      (verified == null || /^(true|1)$/i.test(String(verified))) &&
      (issuer !== google || textOf(hd) !== null),
    name: textOf(name),
    /** Since 1970. Null: the provider does not say when it saw the person. */
    authTimeMs: typeof authTime === 'number' && authTime >= 0 ? authTime * 1_000 : null,
    providerSession: textOf(sid),
    acr: textOf(acr),
    amr: Array.isArray(amr) ? amr.flatMap((each) => textOf(each, 64) ?? []).slice(0, 10) : null,
  };
}
