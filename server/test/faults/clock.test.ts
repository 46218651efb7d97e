// The clocks of the service and of its database jump, under load (libfaketime, Debian's package faketime).
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { it, onTestFinished } from 'vitest';
import { createServers } from '../machines/databases.ts';
import { createLoopbackHosts } from '../machines/loopback.ts';
import { newScratchDir } from '../stage/launch.ts';
import { startFaultStage } from './stage.ts';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'.replace(
  'x86_64',
  process.arch === 'arm64' ? 'aarch64' : 'x86_64',
);
const hourMs = 3_600_000;

it('O65: clocks that jump an hour ahead, back, and behind lose nothing and delay nothing for longer than half a minute', async ({
  skip,
}) => {
  skip(!existsSync(library), `There is no ${library}: install Debian's package faketime.`);
  const file = join(newScratchDir(), 'clock');
  let offsetMs = 0;
  const set = (ms: number) => {
    writeFileSync(file, `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}s`);
    offsetMs = ms;
  };
  set(0);
  // A real jump leaves the monotonic clock alone. The file is read again each second.
  const settings = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
  };
  const under = ['env', ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)];

  const servers = createServers();
  const hosts = createLoopbackHosts();
  const host = await hosts.newHost();
  const server = await servers.start(
    { ...host, command: (command, asServer) => host.command([...under, ...command], asServer) },
    await servers.createCluster(),
  );
  onTestFinished(async () => {
    await server.stop();
    servers.remove();
    await hosts.close();
  });
  await server.sql('create database concord');
  const environment = { DATABASE_URL: server.url.replace(/postgres$/, 'concord') };
  const stage = await startFaultStage({ environment, under, clock: () => Date.now() + offsetMs });
  for (const ms of [hourMs, -hourMs]) {
    await stage.suffer(`clocks ${ms > 0 ? 'ahead' : 'behind'} by an hour for 20 s, and back`, async () => {
      set(ms);
      await pause(20_000);
      set(0);
    });
  }
});
