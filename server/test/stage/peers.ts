// Receivers over real sockets for tests of sending, and a sender that may reach them.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { createDestinations } from '../../src/base/egress/destinations.ts';
import { createSend } from '../../src/base/egress/send.ts';
import { startListening } from './listen.ts';

type Settings = Partial<Omit<Parameters<typeof createSend>[0], 'destinations'>> & { allowedCidrs?: string[] };

export function createPeers() {
  const closing: (() => void)[] = [];

  async function listen(server: TcpServer, host?: string) {
    const { port, close } = await startListening(server, host);
    closing.push(close);
    return port;
  }

  return {
    listen,
    /** A receiver that answers HTTP. */
    serve: (listener: RequestListener) => listen(createServer(listener)),
    /** A receiver that writes bytes. */
    speak: (talk: (socket: Socket) => void) => listen(createTcpServer(talk)),
    sender({ allowedCidrs = ['127.0.0.0/8', '::1'], timeoutMs = 60_000, ...rest }: Settings = {}) {
      const { send, close } = createSend({
        destinations: createDestinations({ allowedCidrs, allowHttp: true }),
        timeoutMs,
        ...rest,
      });
      closing.push(close);
      return (url: string, body: string | Buffer = '{"a":1}', headers: Record<string, string> = {}) =>
        send({
          url: new URL(url),
          headers: { 'content-type': 'application/json', ...headers },
          body: Buffer.from(body),
        });
    },
    closeLast: () => closing.pop()?.(),
    closeAll() {
      for (const close of closing.splice(0)) close();
    },
  };
}

/**
 * Writes the same bytes for as long as the other side reads them. Resolves when it has closed the connection.
 */
export function flood(socket: Socket, text: string): Promise<void> {
  const block = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const write = () => {
    while (socket.write(block));
    socket.once('drain', write);
  };
  write();
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
