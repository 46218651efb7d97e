// A load on an HTTP server, from a thread of its own: keep-alive connections, each with one request in flight.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Context } from './context.ts';

type Load = {
  /** The server. Its path does not count. */
  url: string;
  /** As it goes over the wire: `getRequest` makes one. */
  request: string;
  connections: number;
  durationMs: number;
};

export const getRequest = (path: string, token?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;

/** Responses per second. Every response must be 200. */
export function measureLoad(context: Context, load: Load): Promise<number> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: load });
    context.defer(() => worker.terminate());
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** The yardstick of HTTP: a server of this process that answers every request with this JSON, and does nothing else. Resolves to its URL. */
export async function startBareServer(context: Context, json: string): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(json));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  context.defer(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function generate({ url, request, connections, durationMs }: Load): void {
  const port = Number(new URL(url).port);
  let responses = 0;
  const start = performance.now();
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let missing = 0;
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const head = chunk.toString('latin1');
        if (!head.startsWith('HTTP/1.1 200')) throw new Error(head.slice(0, 200));
        const headEnd = head.indexOf('\r\n\r\n') + 4;
        missing = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      responses++;
      socket.write(request);
    });
    return socket;
  });
  setTimeout(() => {
    for (const socket of sockets) socket.destroy();
    parentPort?.postMessage((responses * 1_000) / (performance.now() - start));
  }, durationMs);
}

if (parentPort) generate(workerData as Load);
