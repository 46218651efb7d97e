// The shared bytes: nobody holds more than the total, and nobody is overtaken.
import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

const staying = new AbortController().signal;

it('F6: the bytes of all holders stay within the budget, and waiting is fair', async () => {
  const budget = createByteBudget({ bytes: 10, maxWaiting: 10, patienceMs: 60_000 });
  const granted: string[] = [];
  const take = (name: string, bytes: number) =>
    budget.take(bytes, staying).then((release) => {
      granted.push(name);
      return release;
    });
  const first = await take('first', 6);
  const second = await take('second', 4);
  const large = take('large', 8);
  const small = take('small', 1);
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
  const budget = createByteBudget({ bytes: 10, maxWaiting: 2, patienceMs: 20 });
  const release = await budget.take(10, staying);
  const leaving = new AbortController();
  const left = budget.take(10, leaving.signal);
  const patient = budget.take(1, staying);
  await expect(budget.take(1, staying)).rejects.toMatchObject({ code: 'rate_limited', headers: { 'retry-after': '5' } });
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(patient).rejects.toMatchObject({ code: 'rate_limited' });
  release();
  expect([budget.free(), budget.waiting()]).toEqual([10, 0]);
});
