// A real program with its database, a receiver, and a load. `suffer` causes a fault under the load, and
// checks what must hold after it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { succeed, times } from '../stage/cast.ts';
import { launch, newDataDir, postmasterPid, signIn } from '../stage/launch.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { expectAllDelivered, expectFeed, makeLoad } from './load.ts';

const password = 'a password for the faults';
/** Connections and files that come and go by themselves. */
const fluctuation = 40;
/** How long the load runs before a fault, and after it. */
const loadedMs = 3_000;

type Options = {
  environment?: Record<string, string>;
  under?: readonly string[];
  dataDir?: string;
  clock?: () => number;
};
export type FaultStage = Awaited<ReturnType<typeof startFaultStage>>;

export async function startFaultStage({
  environment = {},
  under = [],
  dataDir = newDataDir(),
  clock = Date.now,
}: Options = {}) {
  const settings = {
    ...toLoopback,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_RATE_LIMIT: 'off',
  };
  const program = launch({ ...settings, CONCORD_WEBHOOK_RETRY_SCHEDULE: schedule, ...environment }, [], {
    onHost: (command) => [...under, ...command],
  });
  const url = await program.ready();
  const { request, close } = await signIn(url, password);
  const receiver = await startReceiver(url, { now: clock });
  const pid = Number(program.child.pid);
  onTestFinished(() => {
    close();
    receiver.close();
    // While the clocks of sender and receiver differ, the receiver refuses what it gets again later.
    if (clock === Date.now) expect(receiver.refused).toEqual([]);
  });

  const openFiles = () => readdirSync(`/proc/${pid}/fd`).length;
  const status = async () => succeed(await request('GET', '/platform/status'));
  const isReady = async () => (await request('GET', '/health/ready').catch(() => undefined))?.status === 200;

  /**
   * Causes the fault under a load, and waits until it has ended. Then what was acknowledged exists and
   * arrives everywhere, what was rejected does not exist, and nothing is left over. Prints how long it took
   * to publish again, and to deliver what waited.
   */
  async function suffer(what: string, fault: () => Promise<void>) {
    const load = await makeLoad((path, body) => request('POST', path, body), receiver);
    await load.recovered();
    await pause(loadedMs);
    const before = { files: openFiles(), connections: (await status()).database.connections };
    load.killed(what);
    await fault();
    load.killed(`end of ${what}`);
    const publishMs = await load.recovered();
    await pause(loadedMs);
    await load.end();
    await expectAllDelivered(load, receiver);
    await expectFeed(load, (path) => request('GET', path));
    await expect.poll(isReady).toBe(true);
    await expect.poll(async () => (await status()).backlog.pending).toBe(0);
    await expect
      .poll(async () => (await status()).database.connections)
      .toBeLessThanOrEqual(before.connections + fluctuation);
    await expect.poll(openFiles).toBeLessThanOrEqual(before.files + fluctuation);
    const answers = [...load.answers.values()];
    const sum = (kind: 'acknowledged' | 'rejected' | 'unknown') =>
      answers.reduce((total, each) => total + each[kind], 0);
    process.stdout.write(
      `${what}: published again after ${Math.round(publishMs)} ms; ${sum('acknowledged')} acknowledged, ${sum('unknown')} unknown, ` +
        `${sum('rejected')} rejected\n`,
    );
  }

  return { program, pid, url, dataDir, request, receiver, isReady, suffer };
}

/** Soon again, and for long enough that no fault uses up the attempts. */
const schedule = times(40, () => '2s').join(',');

/** The processes of the embedded server. */
export function databasePids(dataDir: string) {
  const postmaster = postmasterPid(dataDir);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [postmaster, ...children];
}

/** The folder of the embedded server's socket. */
export function socketDirOf(dataDir: string) {
  const [, , , , socketDir = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  if (!existsSync(socketDir)) throw new Error(`No server runs on ${dataDir}`);
  return socketDir;
}
