// Limits the bytes of TLS itself. OpenSSL verifies all signatures of a chain at once, and in this thread: those of
// 100 KiB, which it takes, stop the process for half a second. It also takes any number of session tickets and new
// keys.
import { connect as connectTcp, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { largeHandshakeCode, tlsOverheadCode } from './failures.ts';

/** Chains in use have 3 to 8 KiB. */
const maxHandshakeBytes = 16 * 1024;
/** Of a connection, beside its content. Small records need more: each has 22 bytes of its own. */
const maxOverheadBytes = 128 * 1024;
const maxBytesOfContent = 8;

/** `guard` gets the TCP connection before TLS writes. `connect` makes TLS on it. */
export function connectLimited(
  options: ConnectionOptions,
  guard: (socket: Socket) => void,
  connect: (options: ConnectionOptions) => TLSSocket,
): TLSSocket {
  // Without a path, which would be that of a Unix socket.
  const { path: _, ...target } = options;
  const socket = connectTcp({ ...target, noDelay: true } as Parameters<typeof connectTcp>[0] & object);
  guard(socket);
  return overLimited(socket, (limited) => connect({ ...options, socket: limited }));
}

/** TLS on a connection that is open already. */
export const upgradeLimited = (socket: Socket, options: ConnectionOptions): TLSSocket =>
  overLimited(socket, (limited) => connectTls({ ...options, socket: limited }));

/** Nobody may pause its reader: what waits is lost when the other side closes. */
function overLimited(socket: Socket, connect: (limited: Duplex) => TLSSocket): TLSSocket {
  const limited = new Duplex({
    read: () => socket.resume(),
    // The error of a failed write is that of the connection, which follows.
    write: (chunk: Buffer, _, done) => void socket.write(chunk, (error) => error ?? done()),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  const tls = connect(limited);
  let received = 0;
  let isLarge = () => received > maxHandshakeBytes;
  let code = largeHandshakeCode;
  tls.once('secureConnect', () => {
    isLarge = () => received > maxOverheadBytes + maxBytesOfContent * tls.bytesRead;
    code = tlsOverheadCode;
  });
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (isLarge()) limited.destroy(Object.assign(new Error('TLS has too many bytes'), { code }));
    else if (!limited.push(chunk)) socket.pause();
  });
  socket.on('end', () => limited.push(null));
  socket.on('error', (error) => limited.destroy(error));
  socket.on('close', () => limited.destroy());
  return tls;
}
