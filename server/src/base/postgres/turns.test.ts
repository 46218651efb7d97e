// Turns: shares of owners, requests that hold several connections, and requests that wait too long.
import { afterEach, expect, it, vi } from 'vitest';
import { createTurns } from './turns.ts';

afterEach(() => vi.useRealTimers());

const setUp = (limits: { shareOf?: (owner: string) => number; maxWaiting?: number } = {}) => {
  const nested: string[] = [];
  const turns = createTurns({
    shareOf: () => 1,
    maxWaiting: 10,
    patienceMs: 5_000,
    refusal: () => new Error('refused'),
    onNested: () => nested.push('nested'),
    ...limits,
  });
  const begun: string[] = [];
  /** The request takes a connection. Resolves to the function that releases it. */
  const take = async (name: string, ...owners: string[]) => {
    const release = await turns.runFor(owners, () => turns.take());
    begun.push(name);
    return release;
  };
  return { turns, take, begun, nested };
};
const settled = async () => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

it('L14: requests of an owner wait in line for its share, and others pass them', async () => {
  const { take, begun } = setUp();
  const first = await take('a1', 'a');
  const [second, third] = [take('a2', 'a'), take('a3', 'a')];
  await take('b1', 'b');
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  first();
  (await second)();
  (await third)();
  expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
});

it('L14: a request needs a turn of each owner; it keeps nobody waiting while it waits for one of them', async () => {
  const { take, begun } = setUp();
  const user = await take('u p1', 'u', 'p1');
  const both = take('u p2', 'u', 'p2');
  (await take('v p2', 'v', 'p2'))();
  expect(begun).toEqual(['u p1', 'v p2']);
  user();
  (await both)();
  await take('u p1 again', 'u', 'p1');
  expect(begun).toEqual(['u p1', 'v p2', 'u p2', 'u p1 again']);
});

it('L14: a user with a smaller share than the partner leaves a turn of the partner to others, who pass its line', async () => {
  const { take, begun } = setUp({ shareOf: (owner) => (owner === 'p' ? 2 : 1) });
  const first = await take('u1', 'u', 'p');
  const second = take('u2', 'u', 'p');
  (await take('v1', 'v', 'p'))();
  expect(begun).toEqual(['u1', 'v1']);
  first();
  (await second)();
});

it('L14: a request that has a connection needs no other turn, so requests cannot wait for each other', async () => {
  const { turns, take, begun } = setUp();
  await turns.runFor(['a'], async () => {
    const outer = await turns.take();
    const [inner, another] = await Promise.all([turns.take(), turns.take()]);
    const next = take('next', 'a');
    for (const release of [outer, inner]) release();
    await settled();
    expect(begun).toEqual([]);
    another();
    (await next)();
  });
  expect(begun).toEqual(['next']);
});

it('L14: each connection of a request counts, also after it has waited', async () => {
  const { turns, take, begun } = setUp({ shareOf: () => 2 });
  const [one, two] = turns.runFor(['a'], () => [turns.take(), turns.take()]);
  const third = take('third', 'a');
  const waited = turns.runFor(['a'], () => Promise.all([turns.take(), turns.take()]));
  await settled();
  expect(begun).toEqual([]);
  for (const release of [one, two]) (release as () => void)();
  const releaseThird = await third;
  const [first, second] = await waited;
  const last = take('last', 'a');
  releaseThird();
  first();
  await settled();
  expect(begun).toEqual(['third', 'last']);
  second();
  (await last)();
});

it('L14: work for all waits for no turn, also when a request starts it', async () => {
  const { turns } = setUp();
  await turns.runFor(['a'], () => turns.take());
  expect(turns.runFor(['a'], () => turns.runForAll(() => turns.take()))).toBeTypeOf('function');
  expect(turns.take()).toBeTypeOf('function');
});

it('L14: a request is refused when it has waited too long, or when too many wait; the line goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { take, begun } = setUp({ maxWaiting: 2 });
  const first = await take('a1', 'a');
  const late = expect(take('a2', 'a')).rejects.toThrow('refused');
  vi.advanceTimersByTime(4_000);
  const third = take('a3', 'a');
  await expect(take('a4', 'a')).rejects.toThrow('refused');
  vi.advanceTimersByTime(1_000);
  await late;
  first();
  (await third)();
  (await take('a5', 'a'))();
  expect(begun).toEqual(['a1', 'a3', 'a5']);
});

it('L14: a request that holds a transaction and asks for another connection is told', async () => {
  const { turns, nested } = setUp({ shareOf: () => 2 });
  const release = await turns.runFor(['a'], async () => {
    const first = await turns.take();
    const end = turns.beginTransaction();
    (await turns.take())();
    end();
    (await turns.take())();
    return first;
  });
  release();
  expect(nested).toEqual(['nested']);
});
