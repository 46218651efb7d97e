// Reads an incoming request, from fetch or in parts, and checks its sizes and characters.
import type { Fields } from '@concord/http-message-signatures';
import { WebhookError } from './errors.ts';
import { readStream } from './streams.ts';

/** A request in parts, for servers without fetch. */
export type WebhookRequest = {
  readonly method: string;
  /** The endpoint's public URL. */
  readonly url: string;
  readonly headers: Fields;
  /** The bytes as received, before any parsing. */
  readonly body: Uint8Array;
};

/** Characters of all header names and values. */
const maxHeaderLength = 65_536;

export async function readRequest(
  request: Request | WebhookRequest,
  { url, maxBodyBytes }: { url: string | undefined; maxBodyBytes: number },
): Promise<WebhookRequest> {
  const { method, headers } = request;
  const target = readUrl(url ?? request.url);
  assertHeaders(headers);
  const body = isFetch(request) ? await readBody(request, maxBodyBytes) : request.body;
  if (!(body instanceof Uint8Array))
    throw new WebhookError('body_unreadable', 'request', 'The body must be its raw bytes: read it before any parser');
  if (!(body.length <= maxBodyBytes))
    throw new WebhookError('body_too_large', 'request', `The body must have at most ${maxBodyBytes} bytes`);
  return { method, url: target, headers, body };
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
  if (request.bodyUsed)
    throw new WebhookError('body_unreadable', 'request', 'Something has read the body already: pass the request unread');
  const body = await readStream(request.body, maxBodyBytes);
  if (!body) throw new WebhookError('body_too_large', 'request', `The body must have at most ${maxBodyBytes} bytes`);
  return body;
}

/** Refuses line breaks, folded lines and NUL in every header, because servers differ in how they read them. */
function assertHeaders(headers: Fields): void {
  let length = 0;
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs as Iterable<readonly [string, string | readonly string[] | undefined]>) {
    for (const line of [value ?? ''].flat()) {
      length += name.length + line.length;
      if (length > maxHeaderLength)
        throw new WebhookError('too_large', 'request', `The headers must have at most ${maxHeaderLength} characters`);
      if (/[\r\n\0]/.test(line))
        throw new WebhookError('character_invalid', 'request', `${name} must not have a line break or NUL`);
    }
  }
}
