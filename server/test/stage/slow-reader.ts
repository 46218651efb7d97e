// A client that begins to read an answer later. Of an answer that is far larger than sockets hold, the service waits.
import { type IncomingMessage, request } from 'node:http';

/** Resolves with the answer before any of it is read. */
export const openAnswer = (url: string, headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent: false, headers }, resolve).on('error', reject).end();
  });

/** Reads the rest. */
export const isWhole = (answer: IncomingMessage) =>
  new Promise<boolean>((resolve) => {
    answer.on('error', () => {});
    answer.on('close', () => resolve(answer.complete));
    answer.resume();
  });
