import { expect, it } from 'vitest';
import type { Subscriber } from '../endpoints/store.ts';
import { applyFilters, countFiltered } from './filtering.ts';
import type { NewEvent } from './store.ts';

const subscriber = (id: string, filter: unknown, event_types: string[] | null = null) =>
  ({
    id,
    partner_id: 'p',
    environment: 'live',
    event_types,
    filter: filter && JSON.stringify(filter),
  }) as Subscriber;
const event = (id: string, data: unknown, body = JSON.stringify({ id, data })) =>
  ({ id, partner_id: 'p', environment: 'live', type: 'a', body, filtered_for: null }) as unknown as NewEvent;
const of = (...all: Subscriber[]) => new Map([['p', all]]);

it('W69: data is parsed only for a filter of a subscriber that wants the event', async () => {
  const broken = event('1', null, 'not JSON');
  await applyFilters([broken], of(subscriber('e', null)));
  await applyFilters([broken], of(subscriber('e', { path: '', exists: true }, ['b'])));
  await applyFilters([broken], new Map());
  expect(broken.filtered_for).toBeNull();
  await expect(applyFilters([broken], of(subscriber('e', { path: '', exists: true })))).rejects.toThrow(
    'JSON',
  );
});

it('W69: each endpoint is counted, and equal filters decide together', async () => {
  const events = [1, 2, 3].map((n) => event(String(n), { n }));
  const filter = { path: '/n', range: { gt: 1 } };
  await applyFilters(
    events,
    of(subscriber('a', filter), subscriber('b', filter), subscriber('c', { path: '/n', equals: 3 })),
  );
  expect(events.map(({ filtered_for }) => filtered_for)).toEqual([['a', 'b', 'c'], ['c'], null]);
  const counts = countFiltered(events).map(({ endpointId, count }) => [endpointId, count]);
  expect(counts).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 2],
  ]);
});

it('W69: hostile filters and large batches let other work run in between', async () => {
  const conditions = Array.from({ length: 100 }, (_, index) => ({
    path: `/${'a/'.repeat(18)}${index}`,
    equals: index,
  }));
  const subscribers = Array.from({ length: 100 }, (_, index) =>
    subscriber(`e${index}`, { any: [...conditions.slice(1), { path: '/n', equals: index }] }),
  );
  const deep = Array.from({ length: 20 }).reduce<unknown>((inner) => ({ a: inner }), 1);
  const events = Array.from({ length: 1_000 }, (_, n) =>
    event(String(n), { ...(deep as object), n: n % 100 }),
  );
  const length = subscribers[0]?.filter?.length ?? 0;
  expect(length).toBeGreaterThan(4_000);
  let pauses = 0;
  const pause = async () => void pauses++;
  await applyFilters(events, of(...subscribers), { pause });
  const characters = events.length * subscribers.length * length;
  // No more than 64 Ki characters, and one filter and event, between two pauses.
  expect(pauses).toBeGreaterThan(characters / (2 ** 16 + length + 1_000) - 1);
  expect(countFiltered(events)).toHaveLength(100);
  expect(events.every(({ filtered_for }) => filtered_for?.length === 99)).toBe(true);
});
