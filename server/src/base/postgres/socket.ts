// The socket of a connection: it sends what one turn of the event loop writes in one piece.
import { Socket } from 'node:net';

/**
 * pg corks and uncorks the socket for each statement, and so sends each by itself. Statements that are sent
 * together need one write.
 */
export function createSocket(): Socket {
  const socket = new Socket();
  const uncork = socket.uncork.bind(socket);
  socket.uncork = () => process.nextTick(uncork);
  return socket;
}
