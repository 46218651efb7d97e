// A fetch for documents of strangers, such as those of identity providers: through the guard of destinations,
// without redirects, in limited time and size.
import { measure } from '../http/json-text.ts';
import { DestinationError, type Destinations } from './destinations.ts';
import type { LookUp } from './lookups.ts';
import { createSend } from './send.ts';

/** Its message is public. */
export class UnreachableError extends Error {}

/** As `fetch` of the platform is called by libraries. */
type Request = {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Default: 64 KiB. A longer answer is an error. */
  maxBytes?: number;
};

/** @throws UnreachableError when there is no whole answer */
export type GuardedFetch = (url: string, request?: Request) => Promise<Response>;

const timeoutMs = 5_000;
/** Libraries copy each value of a document, and compare some with all others. */
const maxValues = 2_000;

/** `close` ends what is under way. */
export function createGuardedFetch(options: {
  destinations: Destinations;
  lookUp: LookUp;
  proxyUrl: URL | null;
}): { fetch: GuardedFetch; close: () => void } {
  const { destinations } = options;
  const { send, close } = createSend({ ...options, timeoutMs });
  return {
    close,
    async fetch(text, { method = 'GET', headers = {}, body, maxBytes = 64 * 1024 } = {}) {
      const outcome = await send({
        url: parse(destinations, text),
        method,
        headers,
        body: Buffer.from(body == null ? '' : String(body)),
        // One byte more shows that the answer is too long.
        limits: { maxBodyBytes: maxBytes + 1, bodyMs: timeoutMs },
      });
      if (outcome.kind === 'failed') throw new UnreachableError(`${text} did not answer: ${outcome.detail}`);
      if (outcome.body.length > maxBytes)
        throw new UnreachableError(`${text} answered with more than ${maxBytes} bytes`);
      const { status, contentType } = outcome;
      if (status < 200 || status > 599) throw new UnreachableError(`${text} answered with status ${status}`);
      if (status === 200 && measure(outcome.body.toString()).values > maxValues)
        throw new UnreachableError(`${text} answered with more than ${maxValues} values`);
      const isEmpty = [204, 205, 304].includes(status);
      return new Response(isEmpty ? null : new Uint8Array(outcome.body), {
        status,
        headers: contentType === undefined ? {} : { 'content-type': contentType },
      });
    },
  };
}

function parse(destinations: Destinations, text: string): URL {
  try {
    return destinations.parseUrl(text);
  } catch (error) {
    if (error instanceof DestinationError) throw new UnreachableError(`${text} ${error.message}`);
    throw error;
  }
}
