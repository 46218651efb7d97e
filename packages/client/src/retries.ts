// A fetch with a timeout for each try, which tries again when that cannot do a thing twice.
import { ConcordError, readRetryAfter, toFailure } from './errors.ts';

export type RetryOptions = {
  fetch: typeof fetch;
  /** For one try, until the body is read, in milliseconds. 0: no timeout. */
  timeoutMs: number;
  /** How many tries may follow the first. */
  maxRetries: number;
  /** The longest wait, in milliseconds. If `Retry-After` asks for a longer one, the answer is returned at once. */
  maxWaitMs: number;
  /** Whether Concord keeps the answer for the request's `Idempotency-Key`. */
  isKeyed: (request: Request) => boolean;
};

/** Before the first retry. It doubles for each further one, up to a minute. */
const firstDelayMs = 250;
const longestDelayMs = 60_000;
/** A page has 1000 items at most, and an event 257 KiB. */
const maxBytes = 256 * 1_048_576;

export function createRetryingFetch({
  fetch: send,
  timeoutMs,
  maxRetries,
  maxWaitMs,
  isKeyed,
}: RetryOptions): typeof fetch {
  /**
   * Whether a second request does no more than the first: RFC 9110, section 9.2.2, a precondition, or an
   * idempotency key.
   */
  function isRepeatable(request: Request): boolean {
    if (request.method === 'POST') return isKeyed(request);
    return request.method !== 'PATCH' || request.headers.has('if-match');
  }
  /**
   * A refused request (429) did nothing. Other failures can have happened after the change. 409 with a time to wait: an
   * earlier try with the same key is not done.
   */
  const isRetriable = (request: Request, { status, headers }: Response): boolean =>
    status === 429 ||
    ((status === 408 || status >= 500) && isRepeatable(request)) ||
    (status === 409 && isKeyed(request) && headers.has('retry-after'));

  return async (input, init) => {
    const request = input instanceof Request && init === undefined ? input : new Request(input, init);
    for (let retries = 0; ; retries++) {
      const isLast = retries >= maxRetries;
      const signal =
        timeoutMs > 0 ? AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) : request.signal;
      try {
        // The last try may consume the body; the others send a copy.
        const response = await send(isLast ? request : request.clone(), { signal });
        const askedMs = readRetryAfter(response.headers);
        if (isLast || !isRetriable(request, response) || askedMs > maxWaitMs)
          return await readWhole(response);
        await response.body?.cancel();
        const waitMs = Math.max(askedMs, 0) + Math.random() * firstDelayMs;
        await pause(Number.isNaN(waitMs) ? backOff(retries) : waitMs, request.signal);
      } catch (error) {
        if (request.signal.aborted) throw request.signal.reason;
        if (error instanceof ConcordError) throw error;
        if (isLast || !isRepeatable(request)) throw toFailure(error);
        await pause(backOff(retries), request.signal);
      }
    }
  };
}

/** With the body in memory, so that an answer that stops in the middle is a failure of its try. */
async function readWhole(response: Response): Promise<Response> {
  // Of a browser, for `redirect: 'manual'`: it has no body, and a status that a new response cannot have.
  if (response.type === 'opaqueredirect') return response;
  const { status, statusText, headers } = response;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // By a reader: in Chromium, the error of a TransformStream would take the place of a timeout.
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    if (bytes <= maxBytes) continue;
    void reader?.cancel().catch(() => {});
    const message = 'The answer has more than 256 MiB. Read a list with page_size';
    throw new ConcordError(message, {
      code: 'invalid_answer',
      status,
      requestId: headers.get('x-request-id'),
    });
  }
  return new Response(bytes > 0 ? new Blob(parts) : null, { status, statusText, headers });
}

/** Between half of the delay and all of it, so that clients do not come back at the same moment. */
const backOff = (retries: number): number =>
  Math.min(firstDelayMs * 2 ** retries, longestDelayMs) * (0.5 + Math.random() / 2);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}
