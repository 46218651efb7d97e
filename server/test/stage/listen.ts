// Servers on a free port of this machine.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** `close` ends its connections too. */
export async function startListening(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
  });
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Listens until the test finishes. Returns the port. */
export async function listen(server: Server) {
  const { port, close } = await startListening(server);
  onTestFinished(close);
  return port;
}

/** A port on which nobody listens at this moment. */
export async function freePort(host?: string) {
  const server = createServer();
  const { port, close } = await startListening(server, host);
  close();
  await once(server, 'close');
  return port;
}
