// Two APIs and three workers on hosts of their own, with a primary and a synchronous replica: what breaks,
// and what must hold then.
import { expect, it } from 'vitest';
import { succeed } from '../stage/cast.ts';
import { promote, recovery, under, useUpWindow, useWorld } from './stage.ts';
import { requestWindow } from './world.ts';

const stage = useWorld({ isSynchronous: true });

type Seen = { role: string; alive: boolean; lanes: number; started_at: string };

/** The workers in the order of `world.workers`. */
async function seenWorkers() {
  const { apis, operatorToken: token } = stage.world;
  const { instances }: { instances: Seen[] } = succeed(
    await apis[1].request('GET', '/platform/status', { token }),
  );
  const workers = instances.filter(({ role }) => role === 'worker');
  return workers.toSorted((one, other) => one.started_at.localeCompare(other.started_at));
}
const aliveWorkers = async () => (await seenWorkers()).filter(({ alive }) => alive).length;

/** The worker with the most lanes. */
async function busiestWorker() {
  const lanes = async () => (await seenWorkers()).map((worker) => worker.lanes);
  await expect.poll(async () => Math.max(...(await lanes())), { interval: 200 }).toBeGreaterThan(0);
  const now = await lanes();
  return stage.world.workers[now.indexOf(Math.max(...now))]!;
}

it('I8: a worker that is cut off for longer than its lease loses nothing, and works again when it is back', async () => {
  const counts = await under('A worker cut off', stage.world, async (load) => {
    const worker = await busiestWorker();
    const since = performance.now();
    return load.during(async () => {
      await worker.host.setLink('down');
      await expect.poll(aliveWorkers, { interval: 500 }).toBe(2);
      // The others have taken over all its lanes.
      await load.arrives();
      const cutOff = performance.now() - since;
      await worker.host.setLink('up');
      await expect.poll(aliveWorkers, { interval: 500 }).toBe(3);
      return {
        counts: {
          'cut off for, ms': Math.round(cutOff),
          'works again after, ms': Math.round(performance.now() - since - cutOff),
        },
      };
    });
  });
  // W18: the lease of 20 seconds and a margin.
  expect(counts['longest silence at an endpoint, ms']).toBeLessThan(30_000);
});

it('I8: an API that is killed loses nothing that it acknowledged, and clients go on with the other one', async () => {
  await under('An API killed', stage.world, async (load) => {
    const [api] = stage.world.apis;
    const since = performance.now();
    return load.during(async () => {
      await api.kill();
      const counts = await recovery(load, since);
      const left = () => stage.world.sql(`select from pg_stat_activity where application_name = 'api-1'`);
      await expect.poll(left).toEqual([]);
      await api.restart();
      return { counts };
    });
  });
});

it('I10: while the synchronous replica is away nothing is acknowledged, also when somebody cancels the wait', async () => {
  const { database, apis, operatorToken: token } = stage.world;
  await under('The synchronous replica away', stage.world, async (load) =>
    load.during(async () => {
      await database.replica.kill();
      // Every publisher waits for a commit: no answer comes any more.
      await expect.poll(() => performance.now() - load.answers.at(-1)!.at).toBeGreaterThan(1_000);
      const since = performance.now();
      const waiting = `from pg_stat_activity where wait_event = 'SyncRep' and query = 'commit'`;
      const cancelled = await database.primary.sql(`select pg_cancel_backend(pid) ${waiting}`);
      expect(cancelled.length).toBeGreaterThan(0);
      const failures = () => load.answers.filter(({ at, outcome }) => outcome === 'unknown' && at >= since);
      await expect.poll(() => new Set(failures().map(({ publisher }) => publisher)).size).toBe(8);
      const read = await apis[1].request('GET', `/partners/${load.partners[0]!.id}`, { token });
      const [{ connections }] = await database.primary.sql(
        `select count(*)::int as connections from pg_stat_activity`,
      );
      expect(load.answers.filter(({ at, outcome }) => outcome === 'acknowledged' && at >= since)).toEqual([]);
      const slowest = Math.max(...failures().map(({ from, at }) => at - from));
      const back = performance.now();
      await stage.world.restartReplica();
      return {
        counts: {
          'longest wait for a 500, ms': Math.round(slowest),
          'a read meanwhile': read.status,
          connections,
          ...(await recovery(load, back)),
        },
      };
    }),
  );
});

it('I9, L9: the primary is killed and the replica promoted behind the same address: nothing acknowledged is lost', async () => {
  const { database, signIn } = stage.world;
  const token = await signIn();
  await under('The primary killed, synchronous replication', stage.world, async (load) => {
    expect(await useUpWindow(stage.world, token)).toBe(requestWindow.requests);
    return load.during(async () => {
      await database.primary.kill();
      const since = performance.now();
      await promote(stage.world);
      const promoted = Math.round(performance.now() - since);
      return { counts: { 'promoted after, ms': promoted, ...(await recovery(load, since)) } };
    });
  });
  // The promotion has emptied all windows.
  expect(await useUpWindow(stage.world, token)).toBe(requestWindow.requests);
});
