// The shared bytes: nobody holds more than the total, and nobody is overtaken.
import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const staying = new AbortController().signal;
/** One caller, who may have everything. */
const alone = { bytesPerCaller: 10, maxWaitingPerCaller: 10 };

it('F6: the bytes of all holders stay within the budget, and waiting is fair', async () => {
  const budget = createByteBudget({ ...alone, bytes: 10, maxWaiting: 10, patienceMs: 60_000 });
  const granted: string[] = [];
  const take = (name: string, bytes: number, caller = 'a') =>
    budget.take(caller, bytes, staying).then((release) => {
      granted.push(name);
      return release;
    });
  const first = await take('first', 6);
  const second = await take('second', 4);
  const large = take('large', 8, 'b');
  const small = take('small', 1, 'c');
  expect([budget.free(), budget.waiting()]).toEqual([0, 2]);
  second();
  second();
  // The small one would fit, and must not overtake.
  expect([budget.free(), budget.waiting()]).toEqual([4, 2]);
  first();
  (await large)();
  (await small)();
  expect([granted, budget.free(), budget.waiting()]).toEqual([['first', 'second', 'large', 'small'], 10, 0]);
  // More than there is counts as everything.
  (await take('huge', 1_000))();
  expect(budget.free()).toBe(10);
});

it('F6: a wait ends when the client leaves, when it takes too long, or when too many wait', async () => {
  const budget = createByteBudget({ ...alone, bytes: 10, maxWaiting: 2, patienceMs: 100 });
  const detail = expect.stringMatching(/10 large requests of a user to wait 0\.1 seconds\./);
  const release = await budget.take('a', 8, staying);
  const leaving = new AbortController();
  const left = budget.take('a', 10, leaving.signal);
  const behind = budget.take('a', 1, staying);
  const refused = expect(budget.take('a', 1, staying)).rejects.toMatchObject({
    code: 'rate_limited',
    message: detail,
    headers: { 'retry-after': '5' },
  });
  expect(budget.waiting()).toBe(2);
  leaving.abort();
  expect([budget.free(), budget.waiting()]).toEqual([1, 0]);
  await refused;
  await expect(left).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(budget.take('a', 2, staying)).rejects.toMatchObject({ code: 'rate_limited' });
  for (const each of [release, await behind]) each();
  expect([budget.free(), budget.waiting()]).toEqual([10, 0]);
});

it('F6, L7: a caller neither holds nor waits for everything, and others overtake a caller who has their share', async () => {
  const budget = createByteBudget({
    bytes: 10,
    bytesPerCaller: 6,
    maxWaiting: 10,
    maxWaitingPerCaller: 2,
    patienceMs: 60_000,
  });
  const granted: string[] = [];
  const take = async (caller: string, bytes: number) => {
    const release = await budget.take(caller, bytes, staying);
    granted.push(`${caller}${bytes}`);
    return release;
  };
  const first = await take('a', 6);
  const waiting = [take('a', 1), take('a', 2)];
  await expect(take('a', 3)).rejects.toMatchObject({
    code: 'rate_limited',
    headers: {
      'ratelimit-policy': '"large-bodies";q=2;qu="concurrent-requests"',
      ratelimit: '"large-bodies";r=0;t=5',
    },
  });
  const other = await take('b', 4);
  const third = take('c', 1);
  expect([granted, budget.free(), budget.waiting()]).toEqual([['a6', 'b4'], 0, 3]);
  other();
  (await third)();
  expect([granted, budget.free(), budget.waiting()]).toEqual([['a6', 'b4', 'c1'], 4, 2]);
  first();
  for (const release of await Promise.all(waiting)) release();
  expect([granted, budget.free(), budget.waiting()]).toEqual([['a6', 'b4', 'c1', 'a1', 'a2'], 10, 0]);
});
