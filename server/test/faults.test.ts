// Faults under load: the tests kill workers and the database repeatedly. FAULTS_SECONDS (60 in `npm run test:faults`) sets the duration, and leases
// end in real time. Without it there are a few kills, and the clock of the database ends the leases.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createCast, succeed } from './cast.ts';
import { alive, kill, launch, newDataDir, postmasterPid, signIn } from './launch.ts';
import { type Received, type Receiver, startReceiver, toLoopback } from './receiver.ts';
import { startTestService, type TestService } from './start-service.ts';
import { secrets, startWorker } from './webhook-stage.ts';

const seconds = process.env.FAULTS_SECONDS === undefined ? null : Number(process.env.FAULTS_SECONDS);
const killsInShort = 2;
const partnerCount = seconds === null ? 3 : 5;
/** W18: the lease of 20 s and a margin. */
const longestWaitMs = 30_000;
const leaseMs = 20_000;
const timeout = (seconds ?? 0) * 2_000 + 180_000;

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (let undo = cleanUps.pop(); undo; undo = cleanUps.pop()) await undo();
});

type Post = (path: string, body: object) => Promise<{ status: number; body: { id: string } }>;
type Load = Awaited<ReturnType<typeof makeLoad>>;
type Worker = Awaited<ReturnType<typeof startWorker>>;

/** Partners with endpoints at the receiver, and publishers that run until `end` is called. */
async function makeLoad(post: Post, receiver: Receiver) {
  const partners = await Promise.all(
    Array.from({ length: partnerCount }, async (_, index) => {
      const { id } = succeed((await post('/partners', { name: 'Acme' })) as never);
      const urls = Array.from({ length: 3 }, () => receiver.url());
      for (const url of urls)
        succeed((await post(`/partners/${id}/webhook-endpoints`, { url, ordering: index === 0 ? 'strict' : 'none' })) as never);
      return { id: id as string, urls };
    }),
  );
  /** When each event was acknowledged, and the URLs at which it must arrive. */
  const acknowledged = new Map<string, { at: number; urls: string[] }>();
  const kills: number[] = [];
  const start = performance.now();
  let publishing = true;
  const publishers = partners.map(async ({ id, urls }, index) => {
    for (let quantity = 0; publishing; quantity++) {
      // Where attempts have the same producer id, a lost answer does not cause a second event. The others are published in groups.
      const ids = index % 2 === 0 ? { producer_id: `${index} ${quantity}` } : {};
      const body = { type: 'inventory.updated', data: { sku: 'a', quantity }, ...ids };
      for (;;) {
        const answer = await post(`/partners/${id}/events`, body).catch(() => undefined);
        if (answer?.status === 202) {
          acknowledged.set(answer.body.id, { at: performance.now(), urls });
          break;
        }
      }
      await pause(40);
    }
  });
  return {
    partners,
    acknowledged,
    killed: () => kills.push(performance.now()),
    kills,
    /** Whether the test should kill once more. */
    goesOn: () => (seconds === null ? kills.length < killsInShort : performance.now() - start < seconds * 1_000),
    async end() {
      publishing = false;
      await Promise.all(publishers);
    },
  };
}

/** The time of the signature, rounded down to a second, on the clock of `performance.now()`. */
const signedAt = ({ headers }: Received) =>
  Number(/;created=(\d+)/.exec(headers['signature-input'] ?? '')?.[1]) * 1_000 - performance.timeOrigin;

/** Checks that every acknowledged event arrives at every URL in time, and arrives twice only around a kill. */
async function expectAllDelivered({ acknowledged, kills, partners }: Load, receiver: Receiver): Promise<void> {
  const arrivals = () => Map.groupBy(receiver.received, ({ event, url }) => `${event.id} ${url}`);
  const missing = () => {
    const came = arrivals();
    return [...acknowledged].flatMap(([id, { urls }]) =>
      urls.filter((url) => !came.has(`${id} ${url}`)).map((url) => `${id} ${url}`),
    );
  };
  await expect.poll(missing, { interval: 250 }).toEqual([]);
  const came = arrivals();
  let slowest = 0;
  let twice = 0;
  for (const [id, { at, urls }] of acknowledged) {
    for (const url of urls) {
      const [first, ...more] = came.get(`${id} ${url}`)!;
      const lastKill = Math.max(at, ...kills.filter((moment) => moment < first!.at));
      slowest = Math.max(slowest, first!.at - lastKill);
      for (const again of more) {
        twice++;
        // It was in flight during a kill, so the sender never got the answer.
        expect(kills.some((moment) => signedAt(first!) <= moment && moment < again.at)).toBe(true);
        expect(again.attempt).toBe(first!.attempt);
      }
    }
  }
  if (seconds !== null) expect(slowest).toBeLessThan(longestWaitMs);
  // Strict endpoints received their events in order.
  for (const url of partners[0]!.urls) {
    const firsts = [...Map.groupBy(receiver.at(url), ({ event }) => event.id).values()].map(
      ([first]) => (first!.event.data as { quantity: number }).quantity,
    );
    expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  }
  const deliveries = acknowledged.size * 3;
  process.stdout.write(
    `${deliveries} deliveries, ${kills.length} kills, ${twice} twice, the longest wait after a kill ${Math.round(slowest)} ms\n`,
  );
}

async function startApi(): Promise<{ service: TestService; receiver: Receiver; post: Post }> {
  const service = await startTestService({
    ...toLoopback,
    CONCORD_ROLE: 'api',
    CONCORD_SECRETS: secrets,
    CONCORD_LOG_LEVEL: 'error',
  });
  const receiver = await startReceiver(service.url);
  cleanUps.push(async () => {
    await service.stop();
    receiver.close();
    expect(receiver.refused).toEqual([]);
  });
  return { service, receiver, post: (path, body) => service.request('POST', path, { body }) };
}

/**
 * In the short form the last kill takes every worker, the clock ends their leases, and a new worker takes over at once. With workers alive, the
 * clock would end their leases too.
 */
async function endLeases(service: TestService, workers: Worker[], load: Load): Promise<void> {
  if (seconds !== null) return;
  for (const { child } of workers.splice(0)) await kill(child);
  load.killed();
  await service.advanceClock(leaseMs);
  workers.push(await startWorker(service));
}

it('W18: repeated kills of workers lose nothing', { timeout }, async () => {
  const { service, receiver, post } = await startApi();
  const workers = [await startWorker(service), await startWorker(service)];
  const load = await makeLoad(post, receiver);
  while (load.goesOn()) {
    await pause(Math.random() * 1_500);
    const victim = Math.floor(Math.random() * workers.length);
    await kill(workers[victim]!.child);
    load.killed();
    workers[victim] = await startWorker(service);
  }
  await load.end();
  await endLeases(service, workers, load);
  await expectAllDelivered(load, receiver);
  for (const { child } of workers) await kill(child);
});

it('W10, W19: slow commits and kills of workers lose no wake-up and no event of the feed', {
  timeout,
}, async () => {
  const { service, receiver, post } = await startApi();
  // Each publish commits after a random delay.
  await service.database.sql(
    `create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(random() * 0.15); return null; end $$`,
  );
  await service.database.sql(
    `create constraint trigger dawdle after insert on known_producer_id deferrable initially deferred for each row execute function dawdle()`,
  );
  // A group has many rows.
  await service.database.sql(
    `create constraint trigger dawdle after insert on event deferrable initially deferred for each row
     when (new.producer_id is null and new.position % 5 = 0) execute function dawdle()`,
  );
  const workers = await Promise.all([1, 2, 3].map(() => startWorker(service)));
  const load = await makeLoad(post, receiver);
  const cast = createCast(service);
  // Several publishers per partner make commits overtake each other.
  let publishing = true;
  let reading = true;
  const more = load.partners.flatMap(({ id, urls }) =>
    [1, 2, 3].map(async (publisher) => {
      for (let quantity = 0; publishing; quantity++) {
        const ids = publisher === 1 ? {} : { producer_id: `more ${publisher} ${quantity}` };
        const body = { type: 'inventory.updated', data: { sku: 'b', quantity }, ...ids };
        const answer = await post(`/partners/${id}/events`, body);
        load.acknowledged.set(answer.body.id, { at: performance.now(), urls: id === load.partners[0]!.id ? [] : urls });
      }
    }),
  );
  const readers = load.partners.map(async ({ id }) => {
    const member = await cast.member(id, { owner: true });
    const read: string[] = [];
    for (let last = false; ; last = !reading) {
      const from = read.at(-1);
      const path = `/partners/${id}/events?page_size=100${from ? `&page_from=${from}` : ''}`;
      const page: { id: string }[] = succeed(await service.request('GET', path, { token: member.token }));
      read.push(...page.map((event) => event.id));
      if (last && page.length === 0) return [id, read] as const;
    }
  });
  while (load.goesOn()) {
    await pause(Math.random() * (seconds === null ? 1_500 : 3_000));
    await kill(workers[0]!.child);
    load.killed();
    workers[0] = await startWorker(service);
  }
  await load.end();
  publishing = false;
  await Promise.all(more);
  // Each reader continues until it gets an empty page.
  reading = false;
  for (const [id, read] of await Promise.all(readers)) {
    const all: { id: string }[] = succeed(await service.request('GET', `/partners/${id}/events`));
    expect(read).toEqual(all.map((event) => event.id));
  }
  await endLeases(service, workers, load);
  await expectAllDelivered({ ...load, partners: [{ id: '', urls: [] }] }, receiver);
  for (const { child } of workers) await kill(child);
});

it('W14, W18: repeated kills of the database under load lose nothing', { timeout }, async () => {
  const dataDir = newDataDir();
  const password = 'a password for the faults';
  const { ready, child } = launch({
    ...toLoopback,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_RATE_LIMIT: 'off',
  });
  const url = await ready();
  const { request, close } = await signIn(url, password);
  const receiver = await startReceiver(url);
  cleanUps.push(() => {
    close();
    receiver.close();
    expect(receiver.refused).toEqual([]);
  });
  const load = await makeLoad((path, body) => request('POST', path, body), receiver);
  while (load.goesOn()) {
    await pause(500 + Math.random() * 2_000);
    const pid = postmasterPid(dataDir);
    process.kill(pid, 'SIGKILL');
    load.killed();
    await expect.poll(() => alive(pid)).toBe(false);
    await expect.poll(async () => (await request('GET', '/health/ready')).status).toBe(200);
  }
  await load.end();
  await expectAllDelivered(load, receiver);
  await kill(child);
});
