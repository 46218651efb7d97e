// What the tests of several machines share: a fault under load with its printed counts, and the time of
// recovery.

import { afterAll, beforeAll, expect } from 'vitest';
import { atOnce } from '../stage/cast.ts';
import { expectWhole } from './checks.ts';
import { type Answer, type Load, makeLoad } from './load.ts';
import { type CleanUps, requestWindow, startWorld, type World } from './world.ts';

type Counts = Record<string, unknown>;
/** `mayLose`: acknowledged events that need not exist. */
type Told = { counts: Counts; mayLose?: (answer: Answer) => boolean };

/** A world for all tests of a file. */
export function useWorld(options: { isSynchronous: boolean }): { readonly world: World } {
  const cleanUps: CleanUps = [];
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ ...options, undo: cleanUps });
  });
  afterAll(async () => {
    for (let undo = cleanUps.pop(); undo; undo = cleanUps.pop()) await undo();
  });
  return {
    get world() {
      return world;
    },
  };
}

/** Runs a fault under load, then checks everything and prints the counts. */
export async function under(what: string, world: World, fault: (load: Load) => Promise<Told>) {
  const load = await makeLoad(world);
  await load.flows(3);
  const { counts, mayLose } = await fault(load);
  await load.flows(3);
  await load.end();
  const all: Counts = { ...counts, ...(await expectWhole(world, load, mayLose)) };
  const words = Object.entries(all).map(([name, value]) => `${name} ${value}`);
  process.stdout.write(`${what}: ${words.join('; ')}\n`);
  return all;
}

/**
 * Milliseconds until a request that began after the fault was acknowledged: the first of anybody, and the
 * last first of a publisher.
 */
export async function recovery(load: Load, since: number): Promise<Counts> {
  await load.flows(1);
  const firsts = [...Map.groupBy(load.acknowledgedSince(since), ({ publisher }) => publisher).values()].map(
    ([first]) => first!.at,
  );
  return {
    'first acknowledgement after, ms': Math.round(Math.min(...firsts) - since),
    'all publishers after, ms': Math.round(Math.max(...firsts) - since),
  };
}

/** The replica becomes the primary, and the address leads to it. */
export async function promote({ relay, database }: World) {
  await database.replica.sql('select pg_promote()');
  relay.to(database.replica.url);
  relay.cut();
  database.primary = database.replica;
}

/** Makes more requests than the window allows, at both APIs in turn. Returns how many passed. */
export async function useUpWindow({ apis }: World, token: string) {
  const statuses: number[] = [];
  const ask = async (index: number) =>
    statuses.push((await apis[index % 2]!.request('GET', '/partners/x', { token })).status);
  while (statuses.length < requestWindow.requests + 20) await atOnce(20, (index) => ask(index));
  expect(new Set(statuses)).toEqual(new Set([404, 429]));
  return statuses.filter((status) => status === 404).length;
}
