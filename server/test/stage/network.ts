// A network between a service and its database, for tests in which the database is away.
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { startListening } from './listen.ts';

export type Network = Awaited<ReturnType<typeof startNetwork>>;

const slowMs = 1_500;

/** Where the server of this URL listens, and the URL of a proxy of it on this machine. */
export function proxied(target: string) {
  const url = new URL(target);
  const socketDir = url.searchParams.get('host');
  const there = socketDir
    ? { path: join(socketDir, '.s.PGSQL.5432') }
    : { host: url.hostname, port: Number(url.port || 5432) };
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  const urlAt = (port: number) => {
    url.port = String(port);
    return url.href;
  };
  return { there, urlAt };
}

/** It can cut connections, drop all bytes, delay them, or hold them until it is up. */
export async function startNetwork(target: string) {
  const { there, urlAt } = proxied(target);
  const sockets = new Set<Socket>();
  let mode: 'up' | 'cut' | 'silent' | 'slow' | 'held' = 'up';
  const proxy = createServer((near) => {
    if (mode === 'cut') return void near.destroy();
    const far = connect(there);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      if (mode === 'held') from.pause();
      from.on('error', () => {});
      from.on('data', (chunk) => {
        if (mode === 'slow') setTimeout(() => to.write(chunk), slowMs);
        else if (mode !== 'silent') to.write(chunk);
      });
      from.on('close', () => to.destroy());
    }
  });
  const { port, close } = await startListening(proxy);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    close() {
      cut();
      close();
    },
    url: urlAt(port),
    set(next: typeof mode) {
      mode = next;
      if (mode === 'cut') cut();
      for (const socket of sockets) mode === 'held' ? socket.pause() : socket.resume();
    },
  };
}
