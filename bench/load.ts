// A load on an HTTP server, from a thread of its own: keep-alive connections, each with one request in flight.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { Context } from './context.ts';

type Load = {
  /** The server. Its path does not count. */
  url: string;
  /**
   * As it goes over the wire: `getRequest` and `postRequest` make one. With several, connections use them in turns. `{number}` becomes
   * another number in each request.
   */
  request: string | readonly string[];
  connections: number;
  durationMs: number;
};

export const getRequest = (path: string, token?: string) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}\r\n`;

/** `{number}` in the body is replaced by eight digits. */
export const postRequest = (path: string, token: string, body: object) => {
  const json = JSON.stringify(body);
  const length = json.replaceAll('{number}', '00000000').length;
  return `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${json}`;
};

/** Responses per second. Every response must be 200 or 201. */
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
  let count = 0;
  const requests = typeof request === 'string' ? [request] : request;
  const start = performance.now();
  const sockets = Array.from({ length: connections }, (_, index) => {
    const mine = requests[index % requests.length] ?? '';
    const send = () => void socket.write(mine.replaceAll('{number}', () => String(++count).padStart(8, '0')));
    const socket = connect(port, '127.0.0.1', send);
    let missing = 0;
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const head = chunk.toString('latin1');
        if (!/^HTTP\/1\.1 20[01] /.test(head)) throw new Error(head.slice(0, 200));
        const headEnd = head.indexOf('\r\n\r\n') + 4;
        missing = headEnd + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      responses++;
      send();
    });
    return socket;
  });
  setTimeout(() => {
    for (const socket of sockets) socket.destroy();
    parentPort?.postMessage((responses * 1_000) / (performance.now() - start));
  }, durationMs);
}

if (parentPort) generate(workerData as Load);
