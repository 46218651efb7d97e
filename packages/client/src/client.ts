// The client: where Concord is, who calls, and how long to try.
import { ConcordError, toConcordError } from './errors.ts';
import { createClient as createGenerated } from './generated/client/index.ts';
import type { Client } from './generated/client/types.gen.ts';
import { takesIdempotencyKey } from './generated/idempotent.ts';
import { createRetryingFetch } from './retries.ts';

export type ConcordOptions = {
  /**
   * For example `https://concord.example.com`. In a browser also a path of the page's own origin, such as
   * `/console/api`.
   */
  baseUrl: string;
  /** A session token or an access token. A function is asked before each request. Default: none. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Sent with each request. An operation's own headers come before them. Default: none. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Sends each try, and sees each response. It gets a `Request` that is its own, and the signal that ends the
   * try. Default: the global `fetch`.
   */
  fetch?: typeof fetch | undefined;
  /** For one try, in milliseconds. 0: no timeout. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** How many tries may follow the first. Default: 3. */
  maxRetries?: number | undefined;
  /** The longest `Retry-After` to wait for, in milliseconds. A longer one is an error at once. Default: 60,000. */
  maxWaitMs?: number | undefined;
};

/** A timer that is longer ends at once. */
const longestTimerMs = 2_147_483_647;

export type Concord = Client;

/** Paths whose answer is not JSON. */
export const otherAnswers: ReadonlySet<string> = new Set([
  '/metrics',
  '/packages/{file}',
  '/partners/{id}/access-reviews/{review_id}/document',
]);

/** `fetch` would name a token that no header can have in its error, which programs log. */
function requireToken<T extends string | undefined>(token: T): T {
  if (token === undefined || !/[^\t -~\x80-\xff]/.test(token.trim())) return token;
  throw new TypeError('The token has a line break, or another character that no header can have');
}

function requireInteger(name: string, value: number, max: number): number {
  if ((Number.isInteger(value) || value === max) && value >= 0 && value <= max) return value;
  throw new RangeError(`${name} must be an integer from 0 to ${max}, and not ${value}`);
}

/** The error does not show it: it can have a password. */
function requireBaseUrl(text: string): string {
  const { protocol = '', username, password } = URL.canParse(text) ? new URL(text) : {};
  const isUrl = /^https?:$/.test(protocol) && !(username || password);
  if (/[?#]/.test(text) || !(isUrl || /^(\/(?!\/)|$)/.test(text)))
    throw new TypeError(
      'baseUrl must be the URL of Concord without user, query and fragment, such as https://concord.example.com, or a path',
    );
  return text.replace(/\/+$/, '');
}

/** `crypto.randomUUID` is only there with TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(18)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/**
 * Pass it to each operation: `getPartner({ client, path: { id } })`.
 * @throws TypeError when `baseUrl` is none, or the token has a character that no header can have
 * @throws RangeError when `timeoutMs`, `maxRetries` or `maxWaitMs` is out of range
 */
export function createClient(options: ConcordOptions): Concord {
  // Without TypeScript there can be none, so `baseUrl` is missing.
  const given = options ?? ({} as ConcordOptions);
  const { baseUrl, token, headers, timeoutMs = 30_000, maxRetries = 3, maxWaitMs = 60_000 } = given;
  const { fetch = (...request) => globalThis.fetch(...request) } = given;
  /**
   * Requests with a key that Concord looks at. Elsewhere a caller's own header does not make a second request
   * safe.
   */
  const keyed = new WeakSet<Request>();
  const client = createGenerated({
    baseUrl: requireBaseUrl(baseUrl),
    // Token and body are for one Concord, which leads nowhere else.
    redirect: 'manual',
    ...(token !== undefined && {
      auth: typeof token === 'function' ? async () => requireToken(await token()) : requireToken(token),
    }),
    ...(headers && { headers: { ...headers } }),
    fetch: createRetryingFetch({
      fetch,
      timeoutMs: requireInteger('timeoutMs', timeoutMs, longestTimerMs),
      maxRetries: requireInteger('maxRetries', maxRetries, Number.POSITIVE_INFINITY),
      maxWaitMs: requireInteger('maxWaitMs', maxWaitMs, longestTimerMs),
      isKeyed: (request) => keyed.has(request),
    }),
    throwOnError: true,
  });
  client.interceptors.request.use((request, { url }) => {
    if (!takesIdempotencyKey.has(`${request.method} ${url}`)) return request;
    if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', newKey());
    keyed.add(request);
    return request;
  });
  // The page of a proxy, or of another path of Concord, would be the data.
  client.interceptors.response.use((response, _, { url }) => {
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const isOurs = (isJson && response.body !== null) || otherAnswers.has(url);
    if (!response.ok || response.status === 204 || isOurs) return response;
    throw toConcordError(undefined, response);
  });
  client.interceptors.error.use((error, response) => {
    if (error instanceof ConcordError || response === undefined) return error;
    return toConcordError(error, response);
  });
  return client;
}
