// The port for scrapes. It asks for no token, so by default only this machine reaches it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { contentType } from './exposition.ts';

const maxConnections = 50;
type Options = {
  host: string;
  port: number;
  write: () => Promise<string>;
  onFailure: (error: unknown) => void;
  /** Clients that take nothing would leave no connection for Prometheus. */
  silenceMs?: number;
};

export function createMetricsPort({ host, port, write, onFailure, silenceMs = 10_000 }: Options) {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      onFailure(error);
      response.writeHead(500).end();
    });
  });
  server.maxConnections = maxConnections;
  server.setTimeout(silenceMs);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    if (request.url?.split('?', 1)[0] !== '/metrics')
      return void response.writeHead(404).end('The path is /metrics.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    const text = await write();
    response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  return {
    start: (): Promise<number> =>
      new Promise((resolve, reject) => {
        server.once('error', (cause: NodeJS.ErrnoException) => {
          const advice = 'Choose another address with CONCORD_METRICS_PORT and CONCORD_METRICS_HOST.';
          reject(
            new Error(`Metrics cannot be served on port ${port} of ${host} (${cause.code}). ${advice}`, {
              cause,
            }),
          );
        });
        server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
      }),
    stop: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
