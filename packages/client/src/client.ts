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
};

export type Concord = Client;

/** Paths whose answer is not JSON. */
export const otherAnswers: ReadonlySet<string> = new Set([
  '/metrics',
  '/packages/{file}',
  '/partners/{id}/access-reviews/{review_id}/document',
  '/partners/{id}/listeners/{endpoint_id}/requests',
]);

/** `fetch` would name a token that no header can have in its error, which programs log. */
function requireToken<T extends string | undefined>(token: T): T {
  if (token === undefined || !/[^\t -~\x80-\xff]/.test(token.trim())) return token;
  throw new TypeError('The token has a line break, or another character that no header can have');
}

/**
 * Pass it to each operation: `getPartner({ client, path: { id } })`.
 * @throws TypeError when the token has a character that no header can have
 */
export function createClient(options: ConcordOptions): Concord {
  const { baseUrl, token, headers, timeoutMs = 30_000, maxRetries = 3 } = options;
  const { fetch = (...request) => globalThis.fetch(...request) } = options;
  /**
   * Requests with a key that Concord looks at. Elsewhere a caller's own header does not make a second request
   * safe.
   */
  const keyed = new WeakSet<Request>();
  const client = createGenerated({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(token !== undefined && {
      auth: typeof token === 'function' ? async () => requireToken(await token()) : requireToken(token),
    }),
    ...(headers && { headers: { ...headers } }),
    fetch: createRetryingFetch({ fetch, timeoutMs, maxRetries, isKeyed: (request) => keyed.has(request) }),
    throwOnError: true,
  });
  client.interceptors.request.use((request, { url }) => {
    if (!takesIdempotencyKey.has(`${request.method} ${url}`)) return request;
    if (!request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID());
    keyed.add(request);
    return request;
  });
  // The page of a proxy, or of another path of Concord, would be the data.
  client.interceptors.response.use((response, _, { url }) => {
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    if (!response.ok || response.status === 204 || isJson || otherAnswers.has(url)) return response;
    throw toConcordError(undefined, response);
  });
  client.interceptors.error.use((error, response) => {
    if (error instanceof ConcordError || response === undefined) return error;
    return toConcordError(error, response);
  });
  return client;
}
