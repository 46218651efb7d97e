// A load on an HTTP server: keep-alive connections, each with one request in flight. It writes to sockets
// itself, because a client library would take more CPU than the server that it measures.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Load, Loaded } from '../load.ts';
import { now, percentile } from '../statistics.ts';

// end-with-parent.ts unrefs the channel.
process.channel?.ref();
process.on('message', async (load) => process.send?.(await generate(load as Load)));

/** What `{number}` becomes: no two requests of this process have the same. */
let number = 0;

async function generate({
  url,
  requests,
  connections,
  count = Number.POSITIVE_INFINITY,
  durationMs,
}: Load): Promise<Loaded> {
  const port = Number(new URL(url).port);
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const latencies: number[] = [];
  let sent = 0;
  const startedAt = now();
  const endsAt = startedAt + (durationMs ?? Number.POSITIVE_INFINITY);
  const workers = sockets.map(async (socket) => {
    const exchange = exchanges(socket);
    while (sent < count && now() < endsAt) {
      const request = requests[sent++ % requests.length] ?? '';
      const before = now();
      await exchange(request.replaceAll('{number}', String(++number).padStart(8, '0')));
      latencies.push(now() - before);
    }
  });
  await Promise.all(workers);
  const endedAt = now();
  for (const socket of sockets) socket.destroy();
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(latencies, share)) as [
    number,
    number,
    number,
  ];
  return { requests: latencies.length, startedAt, endedAt, p50, p95, p99 };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  return socket;
}

/** Sends a request and reads its response, which must be a success. */
function exchanges(socket: Socket): (request: string) => Promise<void> {
  let received: Buffer = Buffer.alloc(0);
  let answered: (() => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const length = lengthOf(received);
    if (length === undefined || received.length < length) return;
    received = Buffer.alloc(0);
    answered?.();
  });
  socket.on('close', () => {
    if (answered) throw new Error('The server closed a connection');
  });
  return async (request) => {
    const response = new Promise<void>((resolve) => {
      answered = resolve;
    });
    socket.write(request);
    await response;
    answered = undefined;
  };
}

/** The bytes of a response with a Content-Length. Undefined while its head is incomplete. */
function lengthOf(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.toString('latin1', 0, headEnd);
  if (!/^HTTP\/1\.1 2\d\d /.test(head))
    throw new Error(`The server answered ${received.toString('utf8', 0, 400)}`);
  return headEnd + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
}
