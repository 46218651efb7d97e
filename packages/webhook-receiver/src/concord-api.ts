// Reads from the API of Concord what a checkpoint refers to.
import { assertMilliseconds, readHttpsUrl } from './checks.ts';
import { WebhookError } from './errors.ts';
import { readStream } from './streams.ts';

export type ApiOptions = {
  /** The URL of your Concord, such as `https://concord.example.com`. Must be https unless `allowHttp` is set. */
  readonly url: string;
  /**
   * An access token with the permissions `deliveries.query`, `deliveries.get` and `events.get`, or what returns
   * one.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Allows http, for a service on your own machine; false by default. */
  readonly allowHttp?: boolean | undefined;
  /** The time limit of one request; 30,000 (30 seconds) by default. */
  readonly timeoutMs?: number | undefined;
  /** The global `fetch` by default. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/** An event has at most 257 KiB, and a page of deliveries less. The deliveries of an event are with it. */
const maxBytes = 4 * 1_048_576;

/** `next`: the path of the next page. */
export type Page = { readonly body: object; readonly next: string | null };

/**
 * Reads a path. The token goes to this origin only.
 *
 * @throws {WebhookError} `api_unavailable` when Concord does not answer 200 with JSON
 * @throws {TypeError} or {RangeError} for a wrong option
 */
export async function readApi(options: ApiOptions, path: string): Promise<Page> {
  const { token, timeoutMs = 30_000, fetch = globalThis.fetch } = options;
  const base = readHttpsUrl('your Concord, such as https://concord.example.com', options);
  assertMilliseconds({ timeoutMs });
  const url = new URL(path, base);
  if (url.origin !== base.origin) throw unavailable(`The next page is not on ${base.origin}`);
  const authorization = `Bearer ${typeof token === 'string' ? token : await token()}`;
  try {
    const response = await fetch(url.href, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', authorization },
    });
    const bytes = response.status === 200 ? await readStream(response.body, maxBytes) : undefined;
    if (!bytes) {
      await response.body?.cancel();
      throw unavailable(`GET ${url.pathname} answered ${response.status}`);
    }
    const [, next = null] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? [];
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof body !== 'object' || body === null)
      throw unavailable(`GET ${url.pathname} answered no object`);
    return { body, next };
  } catch (cause) {
    throw cause instanceof WebhookError ? cause : unavailable(`GET ${url.pathname} failed`, cause);
  }
}

const unavailable = (message: string, cause?: unknown) =>
  new WebhookError('api_unavailable', 'checkpoint', message, { cause });
