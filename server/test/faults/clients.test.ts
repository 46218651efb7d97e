// Clients that hold connections: they send slowly, or nothing at all.

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { atOnce } from '../stage/cast.ts';
import { startFaultStage } from './stage.ts';

/**
 * Connections of this machine's addresses 127.0.1.1 and so on, so that each address has as many as it may
 * (L5).
 */
function createCrowd(url: string) {
  const { port } = new URL(url);
  const sockets = new Set<Socket>();
  return {
    sockets,
    join: (address: number) =>
      new Promise<Socket | null>((resolve) => {
        const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.1.${address}` });
        sockets.add(socket);
        socket.on('error', () => {});
        socket.once('connect', () => resolve(socket));
        socket.once('close', () => {
          sockets.delete(socket);
          resolve(null);
        });
        socket.resume();
      }),
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('O63: slow clients do not stop others: they lose their connections, and others are served', async () => {
  const stage = await startFaultStage();
  const crowd = createCrowd(stage.url);
  await stage.suffer('slow clients (2,000 connections, 40 s)', async () => {
    const start = performance.now();
    const goesOn = () => performance.now() - start < 40_000;
    let lost = 0;
    /** Sends a byte of a header each second, and begins again when the connection is closed. */
    async function dawdle(index: number) {
      while (goesOn()) {
        const socket = await crowd.join(1 + (index % 4));
        socket?.write(
          index % 2 === 0
            ? 'GET / HTTP/1.1\r\nhost: a\r\nx: '
            : 'POST /partners HTTP/1.1\r\nhost: a\r\ncontent-length: 9000\r\n\r\n',
        );
        while (goesOn() && socket && !socket.destroyed) {
          socket.write('a');
          await pause(1_000);
        }
        if (goesOn()) lost++;
      }
    }
    await atOnce(2_000, (index) => dawdle(index));
    expect(lost).toBeGreaterThanOrEqual(2_000);
    crowd.leave();
  });
});

it('O64: 10,000 idle connections do not stop those who are connected, and their end frees everything', async () => {
  const stage = await startFaultStage();
  const crowd = createCrowd(stage.url);
  await stage.suffer('10,000 idle connections (10 s)', async () => {
    for (let address = 1; address <= 10; address++) await atOnce(1_000, () => crowd.join(address));
    // The load has a few connections of the 10,000.
    expect(crowd.sockets.size).toBeGreaterThan(9_900);
    await pause(10_000);
    expect(await stage.isReady()).toBe(true);
    crowd.leave();
  });
});
