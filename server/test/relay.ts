// A TCP relay with a port that is known before the service starts, so that the service can have its own address as its base URL.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export async function startRelay() {
  let target: URL | null = null;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = target === null ? near : connect(Number(target.port), target.hostname);
    if (far === near) return void near.destroy();
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one.on('error', () => other.destroy()).on('close', () => sockets.delete(one)));
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    to(url: string) {
      target = new URL(url);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
