// Kills of workers, databases and programs under load. FAULTS_SECONDS sets the duration, FAULTS_SEED repeats
// the choice of what fails. Without FAULTS_SECONDS there are two kills, and the clock ends the leases.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { atOnce, createCast, stock, succeed } from '../stage/cast.ts';
import {
  alive,
  kill,
  launch,
  newUsedDataDir,
  postmasterPid,
  signIn,
  usedPassword,
  workersOf,
} from '../stage/launch.ts';
import { type Receiver, startReceiver, toLoopback } from '../stage/receiver.ts';
import type { TestService } from '../stage/start-service.ts';
import { openDelivering, startWorker, startWorkerHere } from '../stage/webhook-stage.ts';
import {
  betweenEventsMs,
  expectAllDelivered,
  type Load,
  makeLoad,
  type Post,
  random,
  seconds,
} from './load.ts';

const leaseMs = 20_000;
const timeout = (seconds ?? 0) * 2_000 + 180_000;

type Worker = Awaited<ReturnType<typeof startWorker>>;

/** In the long form it can also deliver, and then it sends what it publishes from memory. */
async function startApi(): Promise<{ service: TestService; receiver: Receiver; post: Post }> {
  const stage = await openDelivering({
    CONCORD_ROLE: seconds === null ? 'api' : random.pick(['api', 'all']),
    CONCORD_LOG_LEVEL: 'error',
  });
  return { ...stage, post: (path, body) => stage.service.post(path, body) };
}

/**
 * In the short form the last kill takes every worker, the clock ends their leases, and a new worker takes
 * over at once. With workers alive, the clock would end their leases too.
 */
async function endLeases(service: TestService, workers: Worker[], load: Load) {
  if (seconds !== null) return;
  for (const { child } of workers.splice(0)) await kill(child);
  load.killed('all workers');
  await service.advanceClock(leaseMs);
  await startWorkerHere(service);
}

it('W10, W18, W19: slow commits and repeated kills of workers lose no wake-up, no event of the feed, and no delivery', {
  timeout,
}, async () => {
  const { service, receiver, post } = await startApi();
  // Each publish commits after a random delay.
  await service.sql(
    `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(random() * 0.15); return null; end $$`,
  );
  await service.sql(
    `create constraint trigger dawdle after insert on known_producer_id deferrable initially deferred for each row execute function dawdle()`,
  );
  // A group has many rows.
  await service.sql(
    `create constraint trigger dawdle after insert on event deferrable initially deferred for each row
     when (new.producer_id is null and new.position % 5 = 0) execute function dawdle()`,
  );
  const workers = await atOnce(seconds === null ? 2 : 3, () => startWorker(service));
  const load = await makeLoad(post, receiver);
  const cast = createCast(service);
  // Several publishers of a partner make commits overtake each other. Strict endpoints have one.
  let publishing = true;
  let reading = true;
  const more = load.partners.slice(1).flatMap(({ id, urls }) =>
    [1, 2, 3].map(async (publisher) => {
      for (let quantity = 0; publishing; quantity++) {
        const ids = publisher === 1 ? {} : { producer_id: `more ${publisher} ${quantity}` };
        const answer = await post(`/partners/${id}/events`, { ...stock(quantity), ...ids });
        load.acknowledged.set(answer.body.id, { at: performance.now(), urls });
        if (seconds === null) await pause(betweenEventsMs);
      }
    }),
  );
  const readers = load.partners.map(async ({ id }) => {
    const member = await cast.owner(id);
    const read: string[] = [];
    for (let last = false; ; last = !reading) {
      const from = read.at(-1);
      const path = `/partners/${id}/events?page_size=100${from ? `&page_from=${from}` : ''}`;
      const page: { id: string }[] = succeed(await service.get(path, member.token));
      read.push(...page.map((event) => event.id));
      if (last && page.length === 0) return [id, read] as const;
      if (seconds === null) await pause(betweenEventsMs);
    }
  });
  while (load.goesOn()) {
    await pause(Math.random() * (seconds === null ? 1_500 : 3_000));
    const victim = Math.floor(Math.random() * workers.length);
    await kill(workers[victim]!.child);
    load.killed('a worker');
    workers[victim] = await startWorker(service);
  }
  await load.end();
  publishing = false;
  await Promise.all(more);
  // Each reader continues until it gets an empty page.
  reading = false;
  for (const [id, read] of await Promise.all(readers)) {
    const all: { id: string }[] = succeed(await service.get(`/partners/${id}/events`));
    expect(read).toEqual(all.map((event) => event.id));
  }
  await endLeases(service, workers, load);
  await expectAllDelivered(load, receiver);
  for (const { child } of workers) await kill(child);
});

/** Longer than the lease, so other processes send what a stopped worker had. */
const stoppedMs = 23_000;

it('W14, W18, I5: repeated kills of the database, of workers beside the program, and of the program lose nothing', {
  timeout,
}, async () => {
  const dataDir = await newUsedDataDir();
  const start = async (port = '0') => {
    const program = launch({
      ...toLoopback,
      PORT: port,
      CONCORD_DATA_DIR: dataDir,
      CONCORD_RATE_LIMIT: 'off',
      CONCORD_WORKERS: seconds === null ? '0' : '2',
    });
    return { child: program.child, url: await program.ready() };
  };
  let { child, url } = await start();
  const { request, close } = await signIn(url, usedPassword);
  const receiver = await startReceiver(url);
  onTestFinished(() => {
    close();
    receiver.close();
    expect(receiver.refused).toEqual([]);
  });
  const load = await makeLoad((path, body) => request('POST', path, body), receiver);
  const isReady = async () => (await request('GET', '/health/ready').catch(() => undefined))?.status === 200;
  const faults: Record<string, () => Promise<void>> = {
    async 'the database'() {
      const pid = postmasterPid(dataDir);
      process.kill(pid, 'SIGKILL');
      load.killed('the database');
      await expect.poll(() => alive(pid)).toBe(false);
      await expect.poll(isReady).toBe(true);
    },
    async 'a worker'() {
      const pid = random.pick(await workersOf(child));
      if (pid === undefined) return;
      process.kill(pid, 'SIGKILL');
      load.killed('a worker');
    },
    async 'the program'() {
      const pids = [...(await workersOf(child)), postmasterPid(dataDir)];
      await kill(child);
      load.killed('the program');
      ({ child, url } = await start(new URL(url).port));
      // A worker that goes on without the program would deliver beside the next one.
      expect(pids.filter(alive)).toEqual([]);
    },
    async 'a stopped worker'() {
      const pid = random.pick(await workersOf(child));
      if (pid === undefined) return;
      process.kill(pid, 'SIGSTOP');
      load.killed('a stopped worker');
      await pause(stoppedMs);
      process.kill(pid, 'SIGCONT');
      load.killed('a continued worker');
    },
  };
  const kinds = ['the database', 'the database', 'a worker', 'a worker', 'the program', 'a stopped worker'];
  while (load.goesOn()) {
    await pause(500 + Math.random() * 2_000);
    await faults[seconds === null ? 'the database' : random.pick(kinds)]!();
  }
  await load.end();
  await expectAllDelivered(load, receiver);
  await kill(child);
});
