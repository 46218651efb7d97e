// Two APIs and three workers on hosts of their own, with a primary and a synchronous replica: what breaks, and what must hold then.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { succeed } from '../cast.ts';
import { expectWhole } from './checks.ts';
import { type Load, makeLoad } from './load.ts';
import { type CleanUps, startWorld, type World } from './world.ts';

const cleanUps: CleanUps = [];
let world: World;
beforeAll(async () => {
  world = await startWorld({ isSynchronous: true, undo: cleanUps });
});
afterAll(async () => {
  for (let undo = cleanUps.pop(); undo; undo = cleanUps.pop()) await undo();
});

/** Runs a fault under load, then checks everything and prints the counts. */
async function under(what: string, fault: (load: Load) => Promise<Record<string, unknown>>): Promise<void> {
  const load = await makeLoad(world);
  await load.flows(5);
  const times = await fault(load);
  await load.flows(5);
  await load.end();
  const counts = Object.entries({ ...times, ...(await expectWhole(world, load)) });
  process.stdout.write(`${what}: ${counts.map(([name, value]) => `${name} ${value}`).join('; ')}\n`);
}

/** Milliseconds until a request that began after the fault was acknowledged: the first of anybody, and the last first of a publisher. */
async function recovery(load: Load, since: number) {
  await load.flows(1);
  const firsts = [...Map.groupBy(load.acknowledgedSince(since), ({ publisher }) => publisher).values()].map(
    ([first]) => first!.at,
  );
  return {
    'first acknowledgement after, ms': Math.round(Math.min(...firsts) - since),
    'all publishers after, ms': Math.round(Math.max(...firsts) - since),
  };
}

async function aliveWorkers(): Promise<number> {
  const { instances } = succeed(await world.apis[1].request('GET', '/platform/status', { token: world.operatorToken }));
  return instances.filter(({ role, alive }: { role: string; alive: boolean }) => role === 'worker' && alive).length;
}

it('I8: a worker that is cut off for longer than its lease loses nothing, and works again when it is back', () =>
  under('A worker cut off', async (load) => {
    const [worker] = world.workers;
    await load.during(async () => {
      await worker!.host.setLink('down');
      // Its last sign of life is 20 seconds old: no lease of it lasts.
      await expect.poll(aliveWorkers, { interval: 500 }).toBe(2);
      await load.flows(5);
      await worker!.host.setLink('up');
      await expect.poll(aliveWorkers, { interval: 500 }).toBe(3);
    });
    return {};
  }));

it('I8: an API that is killed loses nothing that it acknowledged, and clients go on with the other one', () =>
  under('An API killed', async (load) => {
    const [api] = world.apis;
    const since = performance.now();
    return load.during(async () => {
      await api.kill();
      const times = await recovery(load, since);
      const left = () =>
        world.sql(`select from pg_stat_activity where application_name like 'api-1%'`).then((rows) => rows.length);
      await expect.poll(left).toBe(0);
      await api.restart();
      return times;
    });
  }));

it('I9: the primary is killed and the replica promoted behind the same address: nothing acknowledged is lost', () =>
  under('The primary killed, synchronous replication', (load) =>
    load.during(async () => {
      const since = performance.now();
      await world.primary.kill();
      const killed = performance.now() - since;
      await world.replica.sql('select pg_promote()');
      world.relay.to(world.replica.url);
      world.relay.cut();
      const switched = performance.now() - since;
      return { 'killed, ms': Math.round(killed), 'promoted, ms': Math.round(switched), ...(await recovery(load, since)) };
    }),
  ));
