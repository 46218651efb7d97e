// A response that is made while its client reads it.
import { Readable } from 'node:stream';

/**
 * As bytes: after a text that is not ASCII, Node 26.10 can wait for a `drain` that never comes, so a slow client would
 * wait forever.
 */
export const streamOf = (texts: AsyncIterable<string>): Readable =>
  Readable.from(texts, { objectMode: false });
