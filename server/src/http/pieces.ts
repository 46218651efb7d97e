// Large answers in pieces, so that a slow client makes visible progress, and its connection is closed only when it stalls.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const pieceBytes = 64 * 1024;

/** An onSend hook. It must be the first: hooks after it see a stream. */
export async function sendInPieces({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > pieceBytes;
  if (!isLarge || method === 'HEAD') return payload;
  const bytes = Buffer.from(payload);
  void reply.header('content-length', bytes.length);
  return Readable.from(piecesOf(bytes), { objectMode: false, highWaterMark: pieceBytes });
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}
