// What must hold after a fault: acknowledged events exist, rejected ones do not, and what exists is
// delivered, in order.
import { expect } from 'vitest';
import { succeed } from '../stage/cast.ts';
import type { Received } from '../stage/receiver.ts';
import type { Answer, Load } from './load.ts';
import type { World } from './world.ts';

type Event = { id: string; data: { sku: string } };

async function readFeed({ apis, operatorToken: token }: World, partner: string) {
  const feed: Event[] = [];
  for (;;) {
    const from = feed.at(-1);
    const path = `/partners/${partner}/events?page_size=1000${from ? `&page_from=${from.id}` : ''}`;
    const page: Event[] = succeed(await apis[1].request('GET', path, { token }));
    if (page.length === 0) return feed;
    feed.push(...page);
  }
}

/** `mayLose`: acknowledged events that need not exist, after asynchronous replication. */
export async function expectWhole(
  world: World,
  load: Load,
  mayLose: (answer: Answer) => boolean = () => false,
) {
  const feeds = new Map<string, Event[]>();
  for (const { id } of load.partners) feeds.set(id, await readFeed(world, id));
  const existing = new Map(
    [...feeds].flatMap(([partner, feed]) => feed.map((event) => [`${partner} ${event.data.sku}`, event])),
  );
  expect(existing.size).toBe([...feeds.values()].flat().length);
  const eventOf = ({ partner, sku }: Answer) => existing.get(`${partner} ${sku}`);
  const ofOutcome = (outcome: Answer['outcome']) =>
    load.answers.filter((answer) => answer.outcome === outcome);

  const acknowledged = ofOutcome('acknowledged');
  const lost = acknowledged.filter((answer) => eventOf(answer)?.id !== answer.id);
  expect(lost.filter((answer) => !mayLose(answer))).toEqual([]);
  expect(ofOutcome('rejected').filter((answer) => eventOf(answer))).toEqual([]);
  const asked = new Set(load.answers.map(({ partner, sku }) => `${partner} ${sku}`));
  expect([...existing.keys()].filter((key) => !asked.has(key))).toEqual([]);

  const { slowest, silence, twice } = await expectDelivered(world, load, feeds);
  await expectAtRest(world);
  const received = new Set(world.receiver.received.map(({ event }) => event.id));
  return {
    acknowledged: acknowledged.length,
    rejected: ofOutcome('rejected').length,
    unknown: ofOutcome('unknown').length,
    'unknown that exist': ofOutcome('unknown').filter((answer) => eventOf(answer)).length,
    ...(lost.length > 0 && {
      lost: lost.length,
      'lost, but delivered before': lost.filter(({ id }) => received.has(id!)).length,
    }),
    deliveries: [...feeds.values()].flat().length * load.partners[0]!.urls.length,
    twice,
    'longest silence at an endpoint, ms': Math.round(silence),
    'longest wait for a delivery, ms': Math.round(slowest),
  };
}

async function expectDelivered(
  { receiver }: World,
  load: Load,
  feeds: ReadonlyMap<string, readonly Event[]>,
) {
  const expected = load.partners.flatMap(({ id, urls }) =>
    feeds.get(id)!.flatMap((event) => urls.map((url) => `${event.id} ${url}`)),
  );
  const arrivals = () => Map.groupBy(receiver.received, ({ event, url }) => `${event.id} ${url}`);
  await expect
    .poll(
      () => {
        const came = arrivals();
        return expected.filter((each) => !came.has(each));
      },
      { interval: 200 },
    )
    .toEqual([]);
  const came = arrivals();
  const acknowledgedAt = new Map(load.acknowledgedSince(0).map(({ id, at }) => [id, at]));
  const seen = expected.map((key) => came.get(key)!);
  const waits = seen.map(([first]) => first!.at - (acknowledgedAt.get(first!.event.id) ?? first!.at));
  const again = seen.flatMap(([first, ...more]) => more.map((second) => ({ first: first!, second })));
  expect(again.filter(({ first, second }) => !load.faults.some(isBetween(first, second)))).toEqual([]);
  for (const url of load.partners[0]!.urls) expect(overtaken(receiver.at(url), load)).toEqual([]);
  expect(receiver.refused).toEqual([]);
  const silences = load.partners.flatMap(({ urls }) => urls.map((url) => longestSilence(receiver.at(url))));
  return { slowest: Math.max(...waits), silence: Math.max(...silences), twice: again.length };
}

/** Something is published all the time, so a silence is a lane that nobody sends from. */
const longestSilence = (received: readonly Received[]) =>
  Math.max(...received.slice(1).map(({ at }, index) => at - received[index]!.at));

/**
 * Events at a strict endpoint that arrived after an event which was asked for when they were acknowledged
 * already.
 */
function overtaken(received: readonly Received[], { answers }: Load) {
  const skuOf = ({ event }: Received) => (event.data as { sku: string }).sku;
  const askedAt = new Map(answers.toReversed().map(({ sku, from }) => [sku, from]));
  const acknowledgedAt = new Map(
    answers.flatMap(({ sku, outcome, at }) => (outcome === 'acknowledged' ? [[sku, at] as const] : [])),
  );
  const order = [...new Set(received.map(skuOf))];
  let latest = Number.NEGATIVE_INFINITY;
  return order.filter((sku) => {
    const isLate = (acknowledgedAt.get(sku) ?? Number.POSITIVE_INFINITY) < latest;
    latest = Math.max(latest, askedAt.get(sku)!);
    return isLate;
  });
}

/** An attempt is made twice when its sender did not get the answer, or could not record it. */
const isBetween =
  (first: Received, second: Received) =>
  ({ from, to }: { from: number; to: number }) =>
    first.at <= to && second.at >= from;

/** Nothing is pending, and no lane is stuck. */
async function expectAtRest({ sql }: World) {
  await expect
    .poll(
      () =>
        sql(`select (select count(*)::int from delivery where status <> 'delivered') as pending,
               (select count(*)::int from lane where owner is null and next_at < concord_now() - interval '2 seconds') as stuck`),
      { interval: 200 },
    )
    .toEqual([{ pending: 0, stuck: 0 }]);
}
