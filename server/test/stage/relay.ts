// A TCP relay whose port is known before the service starts, so its base URL can be its own address.
import { connect, createServer, type Socket } from 'node:net';
import { startListening } from './listen.ts';

/**
 * Half-open connections end after about 12 seconds: the keep-alive probes of Node come every second, ten
 * times.
 */
const keepAliveMs = 2_000;

export async function startRelay(host = '127.0.0.1') {
  let target: URL | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = target === null ? near : connect(Number(target.port), target.hostname);
    if (far === near) return void near.destroy();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.setKeepAlive(true, keepAliveMs);
      sockets.add(one.on('error', () => other.destroy()).on('close', () => sockets.delete(one)));
      one.pipe(other);
    }
  });
  const { port, close } = await startListening(server, host);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    url: `http://${host}:${port}`,
    to(url: string) {
      target = new URL(url);
    },
    /** Ends every connection. */
    cut,
    close() {
      close();
      cut();
    },
  };
}
