// The load generator, a process of its own, and the requests that it sends.
import { ask, type Context } from './context.ts';

export type Load = {
  /** The server. Its path does not count. */
  url: string;
  /** As they go over the wire, sent in turns. `{number}` becomes another number in each request. */
  requests: readonly string[];
  connections: number;
  /** How many requests, or for how long. */
  count?: number;
  durationMs?: number;
};

/** The times are of `now()`; the latencies are milliseconds. */
export type Loaded = {
  requests: number;
  startedAt: number;
  endedAt: number;
  p50: number;
  p95: number;
  p99: number;
};

export function startGenerator(context: Context): (load: Load) => Promise<Loaded> {
  const child = context.fork(new URL('./processes/load.ts', import.meta.url));
  return (load) => ask<Loaded>(child, load);
}

export const getRequest = (path: string, token: string) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** `{number}` in the body is replaced by eight digits. */
export function bodyRequest(method: 'POST' | 'PATCH', path: string, token: string, body: object): string {
  const json = JSON.stringify(body);
  const length = Buffer.byteLength(json.replaceAll('{number}', '00000000'));
  const head = `${method} ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${length}\r\n\r\n${json}`;
}
