// The client: where Concord is, who calls, and how long to try.
import { ConcordError, toConcordError } from './errors.ts';
import { createClient as createGenerated } from './generated/client/index.ts';
import type { Client } from './generated/client/types.gen.ts';
import { takesIdempotencyKey } from './generated/idempotent.ts';
import { createRetryingFetch } from './retries.ts';

export type ConcordOptions = {
  /** For example `https://concord.example.com`. */
  baseUrl: string;
  /** A session token or an access token. A function is asked before each request. Default: none. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** Of one try, in milliseconds. 0: no timeout. Default: 30,000. */
  timeoutMs?: number | undefined;
  /** How many tries may follow the first. Default: 3. */
  maxRetries?: number | undefined;
};

export type Concord = Client;

/** Pass it to each operation: `getPartner({ client, path: { id } })`. */
export function createClient({ baseUrl, token, fetch, timeoutMs = 30_000, maxRetries = 3 }: ConcordOptions): Concord {
  const client = createGenerated({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    ...(token !== undefined && { auth: typeof token === 'function' ? () => token() : token }),
    fetch: createRetryingFetch({ fetch: fetch ?? ((...request) => globalThis.fetch(...request)), timeoutMs, maxRetries }),
    throwOnError: true,
  });
  client.interceptors.request.use((request, { url }) => {
    if (takesIdempotencyKey.has(`${request.method} ${url}`) && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', crypto.randomUUID());
    return request;
  });
  client.interceptors.error.use((error, response, request) => {
    if (error instanceof ConcordError || response === undefined || request?.signal.aborted) return error;
    return toConcordError(error, response);
  });
  return client;
}
