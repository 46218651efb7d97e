// Large answers in pieces, so that a slow client makes visible progress.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './callers.ts';

const pieceBytes = 64 * 1024;
/** Sixteen of the largest pages. */
const maxUntakenBytes = 128 * 1024 * 1024;

/** It must be the first onSend hook: those after it see a stream. */
export function createSendInPieces(maxBytes = maxUntakenBytes) {
  const untaken = createUntakenAnswers(maxBytes);
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > pieceBytes;
    if (!isLarge || request.method === 'HEAD') return payload;
    const bytes = Buffer.from(payload);
    void reply.header('content-length', bytes.length);
    untaken.add(reply.raw, callerOf(request), bytes.length);
    return Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: pieceBytes });
  };
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes)
    yield bytes.subarray(start, start + pieceBytes);
}

type Answer = { readonly caller: string; readonly bytes: number; readonly socket: Socket };

/** Above `maxBytes`, the caller who holds the most loses the connection of their oldest answer. */
function createUntakenAnswers(maxBytes: number) {
  /** The oldest first. */
  const answers = new Set<Answer>();
  let held = 0;

  function remove(answer: Answer): void {
    if (answers.delete(answer)) held -= answer.bytes;
  }

  function closeOne(): void {
    const bytesOf = new Map<string, number>();
    for (const { caller, bytes } of answers) bytesOf.set(caller, (bytesOf.get(caller) ?? 0) + bytes);
    const [most] = [...bytesOf].reduce((a, b) => (b[1] > a[1] ? b : a));
    const oldest = [...answers].find(({ caller }) => caller === most);
    oldest?.socket.destroy();
    // Answers that wait behind another have no event of their own.
    for (const answer of answers) if (answer.socket === oldest?.socket) remove(answer);
  }

  return {
    /** Counts an answer until its client has all of it. */
    add(response: ServerResponse, caller: string, bytes: number): void {
      const { socket } = response.req;
      if (socket.destroyed) return;
      const answer = { caller, bytes, socket };
      const leave = () => {
        remove(answer);
        socket.removeListener('close', leave);
      };
      // A connection can have a hundred answers (connections.ts).
      socket.setMaxListeners(0);
      socket.once('close', leave);
      response.once('close', leave);
      answers.add(answer);
      held += bytes;
      while (held > maxBytes) closeOne();
    },
  };
}
