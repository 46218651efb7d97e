// Opens the port, and closes it when the requests in flight are finished.
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpServer } from './server.ts';

/** Returns the port. @throws Error that says what to do */
export async function openPort(
  server: HttpServer,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await server.listen({ host, port });
  } catch (cause) {
    const message = explain((cause as NodeJS.ErrnoException).code, host, port);
    throw message === undefined ? cause : new Error(message, { cause });
  }
  return (server.server.address() as AddressInfo).port;
}

function explain(code: string | undefined, host: string, port: number): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop the program that uses it, or set PORT to another port.`;
  if (code === 'EACCES') return `This user may not open port ${port}. Set PORT to a number above 1023.`;
  // EINVAL: of a zone that it does not have, as in `fe80::1%eth1`.
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EINVAL')
    return `HOST ${host} is not an address of this machine.`;
  return undefined;
}

type Patience = {
  /** How long requests still get answers, which close their connection. Then idle connections close. */
  drainMs: number;
  /** After this time, busy connections close too. */
  patienceMs: number;
};

export async function closeServer(
  { server, close, closeWithAnswers }: HttpServer,
  { drainMs, patienceMs }: Patience,
): Promise<void> {
  const patience = setTimeout(() => server.closeAllConnections(), patienceMs);
  closeWithAnswers();
  if (drainMs > 0) await delay(drainMs);
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  try {
    await close();
  } finally {
    clearInterval(sweep);
    clearTimeout(patience);
  }
}
