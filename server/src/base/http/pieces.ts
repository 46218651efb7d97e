// Large answers in pieces, so that a slow client makes visible progress.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from './callers.ts';
import { createUntakenAnswers } from './untaken-answers.ts';

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
