// Reads the raw body and the headers of a request of Node's http server.
import { isRawBody, type WebhookBody } from './request.ts';
import { joinChunks } from './streams.ts';

/** The part of `http.IncomingMessage` that the adapters use. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly rawHeaders: readonly string[];
  /** The raw body, where a platform or a `verify` function of a parser keeps it. */
  readonly rawBody?: unknown;
  /** Set by a body parser. It is used if it is raw. */
  readonly body?: unknown;
  /** True when something has read the body already. */
  readonly readableEnded?: boolean | undefined;
  on(event: 'data', listener: (chunk: Uint8Array | string) => void): unknown;
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown;
};

/**
 * Returns the raw body, from where a middleware put it or from the stream. If a parser has consumed the
 * stream, `raw` is what it made of the body; the receiver refuses that.
 */
export async function readNodeBody(
  request: NodeRequest,
  maxBytes: number,
): Promise<{ raw: WebhookBody } | 'disconnected'> {
  const { rawBody, body, readableEnded } = request;
  for (const raw of [rawBody, body]) if (isRawBody(raw)) return { raw };
  if (readableEnded || (readableEnded === undefined && body !== undefined))
    return { raw: body as WebhookBody };
  const bytes = await readStream(request, maxBytes);
  return bytes ? { raw: bytes } : 'disconnected';
}

/**
 * Reads the body up to the first chunk beyond `maxBytes`. Undefined when the sender disconnects before the
 * end.
 */
function readStream(request: NodeRequest, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    request.on('data', (data) => {
      if (!(length <= maxBytes)) return;
      // After `request.setEncoding`, the stream has text.
      const chunk = typeof data === 'string' ? new TextEncoder().encode(data) : data;
      length += chunk.length;
      chunks.push(chunk);
      if (!(length <= maxBytes)) resolve(joinChunks(chunks, length));
    });
    request.on('end', () => resolve(joinChunks(chunks, length)));
    for (const event of ['close', 'error'] as const) request.on(event, () => resolve(undefined));
  });
}

/** Uses the raw headers, because Node's `headers` drops or joins duplicates. */
export function toPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  return pairs;
}
