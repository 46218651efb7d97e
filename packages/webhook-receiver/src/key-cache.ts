// The keys of one environment, from one pinned JWKS URL: cached, refreshed when due, and kept for a while when it is down.
import type { Verifier } from '@concord/http-message-signatures';
import { WebhookError } from './errors.ts';
import { parseJwks } from './jwks.ts';
import { readStream } from './streams.ts';

/** Where `verifyWebhook` gets its keys. `createKeyCache` makes the usual one. */
export type Keys = {
  /** The key of this kid, or undefined when there is none. Throws `keys_unavailable` when that cannot be known. */
  findKey(kid: string): Promise<Verifier | undefined>;
};

export type KeyCacheOptions = {
  /** The JWKS of the environment: live and sandbox have one each, and a cache each. https, unless `allowHttp`. */
  readonly url: string;
  /** Allows http, for a service on your own machine. */
  readonly allowHttp?: boolean;
  /** How long a document counts as fresh at least and at most, whatever its max-age; 1 minute and 24 hours by default. */
  readonly minFreshMs?: number;
  readonly maxFreshMs?: number;
  /** How long beyond that it serves while the JWKS is down, if its stale-if-error is not shorter; 24 hours by default. */
  readonly maxStaleMs?: number;
  /** The least time between two fetches for kids that are unknown, or after one that failed; 30 seconds by default. */
  readonly cooldownMs?: number;
  /** For one fetch, its body included; 5 seconds by default. */
  readonly timeoutMs?: number;
  /** The time in milliseconds since 1970; Date.now by default. */
  readonly now?: () => number;
  /** fetch by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

const maxBytes = 65_536;
const defaultFreshMs = 3_600_000;

type Document = {
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly fetchedAt: number;
  freshMs: number;
  staleMs: number;
};

/**
 * Makes the key cache of one environment. There is one fetch at a time; redirects, more than 64 KiB, a status other than 200
 * and a document with a kid twice are failures.
 *
 * @throws {WebhookError} `findKey` throws `keys_unavailable` when there is no document that may still serve
 * @throws {TypeError} when `url` is not https
 * @example
 * const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' });
 */
export function createKeyCache(options: KeyCacheOptions): Keys {
  const {
    minFreshMs = 60_000,
    maxFreshMs = 86_400_000,
    maxStaleMs = 86_400_000,
    cooldownMs = 30_000,
    timeoutMs = 5_000,
  } = options;
  const { now = Date.now, fetch = globalThis.fetch } = options;
  const url = new URL(options.url);
  if (url.protocol !== 'https:' && !(options.allowHttp && url.protocol === 'http:'))
    throw new TypeError('The JWKS URL must be https');

  let document: Document | undefined;
  let attempt: { readonly at: number; failure?: unknown } | undefined;
  let underWay: Promise<void> | undefined;

  async function load(): Promise<Document> {
    const fetchedAt = now();
    const signal = AbortSignal.timeout(timeoutMs);
    // Redirects come back as such, and are then no 200; not every runtime knows `redirect: 'error'`.
    const response = await fetch(url.href, { redirect: 'manual', signal, headers: { accept: 'application/json' } });
    const body = response.status === 200 ? await readStream(response.body, maxBytes) : undefined;
    if (!body) {
      await response.body?.cancel();
      throw new Error(`The JWKS answered ${response.status}, or with more than ${maxBytes} bytes`);
    }
    const verifiers = await parseJwks(new TextDecoder('utf-8', { fatal: true }).decode(body));
    const { maxAgeMs = defaultFreshMs, staleIfErrorMs = maxStaleMs } = readCacheControl(
      response.headers.get('cache-control') ?? '',
    );
    const freshMs = Math.min(Math.max(maxAgeMs, minFreshMs), maxFreshMs);
    return { verifiers, fetchedAt, freshMs, staleMs: Math.min(staleIfErrorMs, maxStaleMs) };
  }

  async function refresh(): Promise<void> {
    const thisAttempt: typeof attempt = { at: now() };
    attempt = thisAttempt;
    try {
      document = await load();
    } catch (failure) {
      thisAttempt.failure = failure;
    }
  }

  /** Joins the fetch that is under way, or starts one unless the last is too recent. A clock that went back does not block. */
  async function refreshUnlessCooling(): Promise<void> {
    if (!underWay && attempt && isWithin(attempt.at, cooldownMs)) return;
    underWay ??= refresh().finally(() => {
      underWay = undefined;
    });
    await underWay;
  }

  const isWithin = (start: number, durationMs: number) => now() >= start && now() < start + durationMs;
  const isFresh = () => document !== undefined && isWithin(document.fetchedAt, document.freshMs);

  return {
    async findKey(kid) {
      const known = isFresh() ? document?.verifiers.get(kid) : undefined;
      if (known) return known;
      await refreshUnlessCooling();
      const found = mayServe() ? document?.verifiers.get(kid) : undefined;
      // Unknown is only what a document says that could be had just now.
      if (!found && (!isFresh() || attempt?.failure !== undefined)) {
        throw new WebhookError('keys_unavailable', 'fetch_keys', 'The JWKS cannot be had', { cause: attempt?.failure });
      }
      return found;
    },
  };

  function mayServe(): boolean {
    return document !== undefined && now() < document.fetchedAt + document.freshMs + document.staleMs;
  }
}

/** The two directives that count here (RFC 9111, section 5.2.2; RFC 5861, section 4), in milliseconds. */
function readCacheControl(value: string): { maxAgeMs?: number; staleIfErrorMs?: number } {
  const read: { maxAgeMs?: number; staleIfErrorMs?: number } = {};
  for (const directive of value.toLowerCase().split(',')) {
    const [name, seconds = ''] = directive.trim().split('=');
    if (name === 'no-store' || name === 'no-cache') return { maxAgeMs: 0 };
    if (!/^\d{1,10}$/.test(seconds)) continue;
    if (name === 'max-age') read.maxAgeMs = Number(seconds) * 1_000;
    if (name === 'stale-if-error') read.staleIfErrorMs = Number(seconds) * 1_000;
  }
  return read;
}
