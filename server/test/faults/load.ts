// The load of the fault tests: partners with endpoints at a receiver, publishers, and the checks of what
// arrived.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { atOnce, succeed, times } from '../stage/cast.ts';
import { createRandom } from '../stage/random.ts';
import type { Received, Receiver } from '../stage/receiver.ts';
import type { Response } from '../stage/start-service.ts';

/** The length of each test. Null: a few kills. */
export const seconds = process.env.FAULTS_SECONDS === undefined ? null : Number(process.env.FAULTS_SECONDS);
const killsInShort = 2;
/** Of each publisher. The short form needs no high rate: its deliveries wait while workers are dead. */
export const betweenEventsMs = seconds === null ? 120 : 40;
const partnerCount = seconds === null ? 3 : 5;
/** W18: the lease of 20 s and a margin. */
const longestWaitMs = 30_000;

const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 2 ** 31);
/** Chooses what fails. The moments differ in each run. */
process.stdout.write(`FAULTS_SEED=${seed} repeats the choice of what fails\n`);
export const random = createRandom(seed);

/**
 * What the answers to the attempts to publish one event say. An attempt without an answer, or with a 5xx, can
 * have published it.
 */
type Answers = { acknowledged: number; rejected: number; unknown: number };
export type Post = (path: string, body: object) => Promise<{ status: number; body: { id: string } }>;
export type Load = Awaited<ReturnType<typeof makeLoad>>;

/** Partners with endpoints at the receiver, and publishers that run until `end` is called. */
export async function makeLoad(post: Post, receiver: Receiver) {
  const partners = await atOnce(partnerCount, async (index) => {
    const { id } = succeed((await post('/partners', { name: 'Acme' })) as never);
    const urls = times(3, () => receiver.url());
    for (const url of urls)
      succeed(
        (await post(`/partners/${id}/webhook-endpoints`, {
          url,
          ordering: index === 0 ? 'strict' : 'none',
        })) as never,
      );
    return { id: id as string, urls };
  });
  /** When each event was acknowledged, and the URLs at which it must arrive. */
  const acknowledged = new Map<string, { at: number; urls: string[] }>();
  /** By partner and quantity, which names the event. */
  const answers = new Map<string, Answers>();
  /** When the last acknowledged request of each partner began. */
  const lastBegun = new Map<string, number>();
  const kills: number[] = [];
  const faults: string[] = [];
  const start = performance.now();
  let publishing = true;
  const publishers = partners.map(async ({ id, urls }, index) => {
    for (let quantity = 0; publishing; quantity++) {
      // Where attempts have the same producer id, a lost answer does not cause a second event. The others are
      // published in groups.
      const ids = index % 2 === 0 ? { producer_id: `${index} ${quantity}` } : {};
      const body = { type: 'inventory.updated', data: { sku: 'a', quantity }, ...ids };
      const counted: Answers = { acknowledged: 0, rejected: 0, unknown: 0 };
      answers.set(`${id} ${quantity}`, counted);
      while (publishing) {
        const begun = performance.now();
        const answer = await post(`/partners/${id}/events`, body).catch(() => undefined);
        counted[kindOf(answer?.status)]++;
        if (answer?.status === 202) {
          lastBegun.set(id, begun);
          acknowledged.set(answer.body.id, { at: performance.now(), urls });
          break;
        }
        await pause(40);
      }
      await pause(betweenEventsMs);
    }
  });
  return {
    partners,
    acknowledged,
    answers,
    kills,
    faults,
    /** Call it at each moment at which a sender was killed, stopped or continued. */
    killed(what: string) {
      kills.push(performance.now());
      faults.push(what);
    },
    /** Whether the test should kill once more. */
    goesOn: () =>
      seconds === null ? kills.length < killsInShort : performance.now() - start < seconds * 1_000,
    /**
     * Resolves when each partner has had an acknowledgement of a request that began now or later, with the
     * time that it took.
     */
    async recovered() {
      const from = performance.now();
      const isBack = () => partners.every(({ id }) => (lastBegun.get(id) ?? 0) >= from);
      await expect.poll(isBack, { interval: 10 }).toBe(true);
      return performance.now() - from;
    },
    async end() {
      publishing = false;
      await Promise.all(publishers);
    },
  };
}

const kindOf = (status: number | undefined): keyof Answers =>
  status === 202 ? 'acknowledged' : status === undefined || status >= 500 ? 'unknown' : 'rejected';

type FeedEvent = { id: string; data: { quantity: number } };
type Get = (path: string) => Promise<Response>;

async function readFeed(get: Get, partnerId: string) {
  const all: FeedEvent[] = [];
  for (let page: FeedEvent[] = [], first = true; first || page.length > 0; first = false) {
    const from = all.length > 0 ? `&page_from=${all.at(-1)?.id}` : '';
    page = succeed(await get(`/partners/${partnerId}/events?page_size=1000${from}`));
    all.push(...page);
  }
  return all;
}

/** Checks that acknowledged events exist, and that others exist only where an answer is missing. */
export async function expectFeed({ acknowledged, answers, partners }: Load, get: Get) {
  const known = new Set<string>();
  for (const { id } of partners) {
    const feed = await readFeed(get, id);
    for (const event of feed) known.add(event.id);
    for (const [quantity, events] of Map.groupBy(feed, ({ data }) => data.quantity)) {
      const { acknowledged: sure = 0, unknown = 0 } = answers.get(`${id} ${quantity}`) ?? {};
      expect(events.length, `events ${quantity} of ${id}`).toBeLessThanOrEqual(sure + unknown);
    }
  }
  expect([...acknowledged.keys()].filter((id) => !known.has(id))).toEqual([]);
}

/**
 * The time of the signature, rounded down to a second, on the clock of `performance.now()`. A sender whose
 * clock is ahead does not say when it signed.
 */
function signedAt({ headers, at }: Received) {
  const signed =
    Number(/;created=(\d+)/.exec(headers['signature-input'] ?? '')?.[1]) * 1_000 - performance.timeOrigin;
  return signed > at ? Number.NEGATIVE_INFINITY : signed;
}

/**
 * Checks that every acknowledged event arrives at every URL in time, and arrives twice only around a kill.
 */
export async function expectAllDelivered(
  { acknowledged, kills, faults, partners }: Load,
  receiver: Receiver,
) {
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
  const counts = [...Map.groupBy(faults, (what) => what)]
    .map(([what, each]) => `${each.length} x ${what}`)
    .join(', ');
  process.stdout.write(
    `${deliveries} deliveries, ${twice} twice, the longest wait after a kill ${Math.round(slowest)} ms; ${counts}\n`,
  );
}
