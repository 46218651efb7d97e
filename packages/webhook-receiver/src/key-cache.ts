// The key cache: fetches the JWKS of one environment, refreshes it when it is stale, and outlives outages of
// the JWKS.
import type { Verifier } from '@concord/http-message-signatures';
import { assertFunctions, assertMilliseconds, readHttpsUrl } from './checks.ts';
import { WebhookError } from './errors.ts';
import { parseJwks } from './jwks.ts';
import { createReport, type OnError, writeError } from './report.ts';
import { readStream } from './streams.ts';

/** The source of keys for `verifyWebhook`. Usually created by `createKeyCache`. */
export type Keys = {
  /**
   * Returns the key with this kid; undefined when the JWKS lacks it. Throws `keys_unavailable` when the JWKS
   * is unavailable.
   */
  findKey(kid: string): Promise<Verifier | undefined>;
};

export type KeyCacheOptions = {
  /**
   * The URL of the JWKS. Live and sandbox have one each, so they need a cache each. Must be https unless
   * `allowHttp` is set.
   */
  readonly url: string;
  /** Allows http, for a service on your own machine; false by default. */
  readonly allowHttp?: boolean;
  /**
   * A document is fresh for its max-age (1 hour without one) less its Age, but at least this long; 60,000 (1
   * minute) by default.
   */
  readonly minFreshMs?: number;
  /** A document is fresh for at most this long; 86,400,000 (24 hours) by default. */
  readonly maxFreshMs?: number;
  /**
   * A stale document serves for its stale-if-error while fetching fails, at most this long; 86,400,000 (24
   * hours) by default.
   */
  readonly maxStaleMs?: number;
  /** The minimum time between two fetches, also for unknown kids; 30,000 (30 seconds) by default. */
  readonly cooldownMs?: number;
  /** The time limit of one fetch, including the body; 5,000 (5 seconds) by default. */
  readonly timeoutMs?: number;
  /**
   * Called with the problems of each fetched document that has invalid keys; `console.error` by default.
   * Other keys are used.
   */
  readonly onInvalidKeys?: OnError;
  /** Returns the current time in Unix milliseconds; `Date.now` by default. */
  readonly now?: () => number;
  /** The global `fetch` by default. */
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
 * Creates the key cache of one environment. It runs one fetch at a time. A fetch fails on a redirect, a
 * status other than 200, more than 64 KiB, or a malformed document. Invalid keys are skipped.
 *
 * @throws {WebhookError} `findKey` throws `keys_unavailable` when fetching fails and no usable cached
 * document has the key
 * @throws {TypeError} when `url` is not a valid https URL, or a function is none
 * @throws {RangeError} when a duration is out of range
 * @see RFC 7517, section 5; RFC 9111, sections 4.2.3 and 5.2.2; RFC 5861, section 4
 * @example
 * const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' });
 */
export function createKeyCache(options: KeyCacheOptions): Keys {
  const url = readHttpsUrl('the JWKS, such as https://concord.example.com/.well-known/jwks.json', options);
  const {
    minFreshMs = 60_000,
    maxFreshMs = 86_400_000,
    maxStaleMs = 86_400_000,
    cooldownMs = 30_000,
    timeoutMs = 5_000,
  } = options;
  const { now = Date.now, fetch = globalThis.fetch } = options;
  assertMilliseconds({ minFreshMs, maxFreshMs, maxStaleMs, cooldownMs, timeoutMs });
  assertFunctions(options, ['now', 'fetch', 'onInvalidKeys']);
  const report = createReport(options.onInvalidKeys ?? writeError, now);
  let document: Document | undefined;
  let attempt: { readonly at: number; failure?: unknown } | undefined;
  let runningFetch: Promise<void> | undefined;

  async function load(): Promise<Document> {
    const fetchedAt = now();
    const signal = AbortSignal.timeout(timeoutMs);
    // Some runtimes lack `redirect: 'error'`. With `manual`, a redirect is a response whose status is not
    // 200.
    const response = await fetch(url.href, {
      redirect: 'manual',
      signal,
      headers: { accept: 'application/json' },
    });
    const body = response.status === 200 ? await readStream(response.body, maxBytes) : undefined;
    if (!body) {
      await response.body?.cancel();
      throw new Error(
        `The JWKS must answer 200 with at most ${maxBytes} bytes; it answered ${response.status}`,
      );
    }
    const { verifiers, problems } = await parseJwks(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (problems.length > 0)
      report(
        new WebhookError(
          'key_invalid',
          'fetch_keys',
          `The JWKS ${url.href} has invalid keys: ${problems.join('; ')}`,
        ),
      );
    const { maxAgeMs = defaultFreshMs, staleIfErrorMs = maxStaleMs } = readCacheControl(
      response.headers.get('cache-control') ?? '',
    );
    const freshMs = Math.min(Math.max(maxAgeMs - readAgeMs(response.headers), minFreshMs), maxFreshMs);
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

  /**
   * Joins the running fetch, or starts one unless the cool-down runs. A clock set back ends the cool-down.
   */
  async function refreshUnlessCooling(): Promise<void> {
    if (!runningFetch && attempt && isWithin(attempt.at, cooldownMs)) return;
    runningFetch ??= refresh().finally(() => {
      runningFetch = undefined;
    });
    await runningFetch;
  }

  const isWithin = (start: number, durationMs: number) => now() >= start && now() < start + durationMs;
  const isFresh = () => document !== undefined && isWithin(document.fetchedAt, document.freshMs);

  return {
    async findKey(kid) {
      const known = isFresh() ? document?.verifiers.get(kid) : undefined;
      if (known) return known;
      await refreshUnlessCooling();
      const found = mayServe() ? document?.verifiers.get(kid) : undefined;
      // A kid is unknown only when a fresh document lacks it and the last fetch succeeded.
      if (!found && (!isFresh() || attempt?.failure !== undefined)) {
        throw new WebhookError('keys_unavailable', 'fetch_keys', `The JWKS is unavailable: ${url.href}`, {
          cause: attempt?.failure,
        });
      }
      return found;
    },
  };

  function mayServe(): boolean {
    return document !== undefined && now() < document.fetchedAt + document.freshMs + document.staleMs;
  }
}

/**
 * Reads max-age, no-store and no-cache (RFC 9111, section 5.2.2) and stale-if-error (RFC 5861, section 4).
 */
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

/** The time that the document has spent in caches (RFC 9111, section 5.1). An invalid Age is ignored. */
function readAgeMs(headers: Headers): number {
  const age = headers.get('age') ?? '';
  return /^\d{1,10}$/.test(age) ? Number(age) * 1_000 : 0;
}
