// The request that came in: a fetch Request, or its parts from any server; bounded, and free of what no header may have.
import type { Fields } from '@concord/http-message-signatures';
import { WebhookError } from './errors.ts';
import { readStream } from './streams.ts';

/** A request in parts. `url` is the endpoint's public URL; `body` are the bytes as they came, before any parsing. */
export type WebhookRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Fields;
  readonly body: Uint8Array;
};

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
    throw new WebhookError('body_unreadable', 'request', 'The body is not given as its raw bytes');
  if (!(body.length <= maxBodyBytes))
    throw new WebhookError('body_too_large', 'request', `The body is beyond ${maxBodyBytes} bytes`);
  return { method, url: target, headers, body };
}

/** As the sender's URL class writes it: that is what it signs. */
function readUrl(url: string): string {
  try {
    return new URL(url).href;
  } catch (cause) {
    throw new WebhookError('message_invalid', 'request', 'The URL is not absolute', { cause });
  }
}

function isFetch(request: Request | WebhookRequest): request is Request {
  return 'arrayBuffer' in request;
}

async function readBody(request: Request, maxBodyBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw new WebhookError('body_unreadable', 'request', 'The body was read before: give the request unread');
  const body = await readStream(request.body, maxBodyBytes);
  if (!body) throw new WebhookError('body_too_large', 'request', `The body is beyond ${maxBodyBytes} bytes`);
  return body;
}

/** A line break (also a folded one) or NUL in any field is refused: servers differ in what they make of them. */
function assertHeaders(headers: Fields): void {
  let length = 0;
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs as Iterable<readonly [string, string | readonly string[] | undefined]>) {
    for (const line of [value ?? ''].flat()) {
      length += name.length + line.length;
      if (length > maxHeaderLength)
        throw new WebhookError('too_large', 'request', `The headers are beyond ${maxHeaderLength} characters`);
      if (/[\r\n\0]/.test(line)) throw new WebhookError('character_invalid', 'request', `${name} has a line break or NUL`);
    }
  }
}
