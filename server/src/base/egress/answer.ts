// Reads the answer to one request within limits: interim answers, bytes of any kind, and the time for the
// body (behaviour W14).
import type { ClientRequest, IncomingMessage } from 'node:http';

export type AnswerLimits = {
  readonly maxBodyBytes: number;
  /** How long the body is read. The status has decided by then. */
  readonly bodyMs: number;
};
/** For receivers of webhooks. */
const usualLimits: AnswerLimits = { maxBodyBytes: 64 * 1024, bodyMs: 1_000 };
/** Beside the body: interim answers, header sections, and the framing of chunks. */
const maxOtherBytes = 64 * 1024;
const maxInterimAnswers = 5;

const nothing = Buffer.alloc(0);

export type Answer = {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly contentType?: string | undefined;
  readonly body: Buffer;
};

type Events = {
  /**
   * The status and the headers have arrived before the body. From then on, it can be read for at most this
   * many milliseconds.
   */
  decided(bodyMs: number): void;
  /** The answer is complete, or its connection has ended. */
  complete(): void;
  /** The receiver exceeds a limit, or does not speak HTTP/1.1. What has arrived counts, if the status has. */
  broken(detail: string): void;
};

/**
 * The returned function gives the answer as far as it has arrived: undefined before the status and the
 * headers.
 */
export function readAnswer(
  request: ClientRequest,
  { decided, complete, broken }: Events,
  { maxBodyBytes, bodyMs }: AnswerLimits = usualLimits,
): () => Answer | undefined {
  const maxReceivedBytes = maxBodyBytes + maxOtherBytes;
  let response: IncomingMessage | undefined;
  let interimAnswers = 0;
  let receivedBytes = 0;
  let body: ReturnType<typeof createExcerpt> | undefined;

  request.on('socket', (socket) => {
    const count = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxReceivedBytes) broken(`the answer has more than ${maxReceivedBytes} bytes`);
    };
    socket.prependListener('data', count);
    // The connection may serve another request then.
    request.once('close', () => socket.off('data', count));
  });
  request.on('information', () => {
    if (++interimAnswers > maxInterimAnswers)
      broken(`the answer has more than ${maxInterimAnswers} interim answers (1xx)`);
  });
  const notHttp = () => broken('the answer is not HTTP/1.1');
  request.on('upgrade', (_, socket) => {
    socket.destroy();
    notHttp();
  });
  request.on('response', (received) => {
    // Node takes HTTP/0.9 and 2.0, a status below 100, and 101 without an Upgrade header.
    if ((received.statusCode ?? 0) <= 101 || !['1.0', '1.1'].includes(received.httpVersion)) return notHttp();
    response = received;
    // Most answers arrive at once, and need no time of their own.
    process.nextTick(() => {
      if (!received.complete) decided(bodyMs);
    });
    received.on('data', (chunk: Buffer) => {
      body ??= createExcerpt(maxBodyBytes);
      if (body.add(chunk)) broken(`the body has more than ${maxBodyBytes} bytes`);
    });
    received.on('end', complete);
    received.on('error', complete);
  });

  return () =>
    response && {
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      contentType: response.headers['content-type'],
      body: body?.bytes() ?? nothing,
    };
}

/**
 * The first bytes of a body. It copies chunks, since each of them can keep a whole network buffer in memory.
 */
function createExcerpt(maxBytes: number) {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return {
    bytes: () => buffer.subarray(0, size),
    /** Returns whether it is full. */
    add(chunk: Buffer): boolean {
      const part = chunk.subarray(0, maxBytes - size);
      if (size + part.length > buffer.length) {
        const larger = Buffer.alloc(Math.min(maxBytes, 2 * (size + part.length)));
        buffer.copy(larger);
        buffer = larger;
      }
      part.copy(buffer, size);
      size += part.length;
      return size === maxBytes;
    },
  };
}
