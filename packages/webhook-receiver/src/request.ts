// Reads an incoming request, from fetch or in parts, and checks its sizes and characters.
import type { Fields } from '@concord/http-message-signatures';
import { WebhookError } from './errors.ts';
import { readStream } from './streams.ts';

/** The body as received, before any parsing: its bytes, or its text. A text is encoded as UTF-8. */
export type WebhookBody = string | ArrayBuffer | ArrayBufferView;

/** A request in parts, for servers without fetch. */
export type WebhookRequest = {
  readonly method: string;
  /** The endpoint's public URL. */
  readonly url: string;
  readonly headers: Fields;
  readonly body: WebhookBody;
};

/** A request that is read whole. */
export type ReadRequest = WebhookRequest & {
  readonly body: Uint8Array;
  /** The URL that a fetch request names. The client can choose it, so it is only a hint. */
  readonly requestedUrl?: string | undefined;
};

/** Characters of all header names and values. */
const maxHeaderLength = 65_536;

export async function readRequest(
  request: Request | WebhookRequest,
  { url, maxBodyBytes }: { url: string | undefined; maxBodyBytes: number },
): Promise<ReadRequest> {
  assertRequest(request);
  const { method, headers } = request;
  const target = readUrl(url ?? request.url);
  assertHeaders(headers);
  const body = isFetch(request) ? await readBody(request, maxBodyBytes) : toBytes(request.body);
  if (!(body.length <= maxBodyBytes))
    throw new WebhookError('body_too_large', 'request', `The body must have at most ${maxBodyBytes} bytes`);
  return { method, url: target, headers, body, requestedUrl: isFetch(request) ? request.url : undefined };
}

/** True for every kind of raw body. Objects of other realms (test runners, `node:vm`) count too. */
export function isRawBody(body: unknown): body is WebhookBody {
  return (
    typeof body === 'string' ||
    ArrayBuffer.isView(body) ||
    Object.prototype.toString.call(body) === '[object ArrayBuffer]'
  );
}

function toBytes(body: WebhookBody): Uint8Array {
  if (!isRawBody(body)) {
    throw new WebhookError(
      'body_unreadable',
      'request',
      'A body parser has consumed the body, so its bytes are gone. Put this handler before the parser, or keep the bytes: ' +
        'express.json({ verify: (request, response, bytes) => { request.rawBody = bytes; } })',
    );
  }
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return ArrayBuffer.isView(body)
    ? new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    : new Uint8Array(body);
}

/** Plain JavaScript can pass anything. */
function assertRequest(request: Request | WebhookRequest): void {
  const { method, headers } = (request ?? {}) as Partial<WebhookRequest>;
  if (typeof method !== 'string' || typeof headers !== 'object' || headers === null)
    throw new WebhookError(
      'request_invalid',
      'request',
      'Pass a fetch Request, or { method, headers, body } with the raw body',
    );
}

/** Normalizes the URL as the sender does before signing it. */
function readUrl(url: string): string {
  try {
    return new URL(url).href;
  } catch (cause) {
    throw new WebhookError('message_invalid', 'request', 'The URL must be absolute', { cause });
  }
}

function isFetch(request: Request | WebhookRequest): request is Request {
  return 'arrayBuffer' in request;
}

async function readBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) {
    throw new WebhookError(
      'body_unreadable',
      'request',
      'Something has read the body already: pass request.clone() to the first reader, or pass { method, headers, body }',
    );
  }
  const body = await readStream(request.body, maxBodyBytes).catch((cause: unknown) => {
    throw new WebhookError('body_unreadable', 'request', 'The body cannot be read to its end', { cause });
  });
  if (!body)
    throw new WebhookError('body_too_large', 'request', `The body must have at most ${maxBodyBytes} bytes`);
  return body;
}

/** The lines of each header. Names are in lower case. */
export function linesOf(headers: Fields): [name: string, lines: string[]][] {
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  return Array.from(
    pairs as Iterable<readonly [string, string | readonly string[] | undefined]>,
    ([name, value]) => [name.toLowerCase(), [value ?? []].flat()],
  );
}

/**
 * Refuses line breaks, folded lines and NUL in every header, because servers differ in how they read them.
 */
function assertHeaders(headers: Fields): void {
  let length = 0;
  for (const [name, lines] of linesOf(headers)) {
    for (const line of lines) {
      length += name.length + line.length;
      if (length > maxHeaderLength)
        throw new WebhookError(
          'too_large',
          'request',
          `The headers must have at most ${maxHeaderLength} characters`,
        );
      if (/[\r\n\0]/.test(line))
        throw new WebhookError('character_invalid', 'request', `${name} must not have a line break or NUL`);
    }
  }
}
