// Large counts are kept for a while, small ones are not, and the number of kept counts is bounded.
import { expect, it } from 'vitest';
import { createKeptCounts } from './kept-counts.ts';

function setUp(pending: number) {
  let now = 0;
  let counted = 0;
  const keep = createKeptCounts<readonly { pending: number }[]>(() => now);
  const ask = (key = 'a') =>
    keep(key, async () => {
      counted++;
      return [{ pending }];
    });
  return {
    ask,
    advance: (ms: number) => {
      now += ms;
    },
    counted: () => counted,
  };
}

it('N5: a count of 10,000 or more serves those who ask within ten seconds', async () => {
  const { ask, advance, counted } = setUp(10_000);
  await ask();
  advance(9_999);
  expect([await ask(), counted()]).toEqual([[{ pending: 10_000 }], 1]);
  advance(1);
  await ask();
  expect(counted()).toBe(2);
});

it('N5: a smaller count is made anew for each request', async () => {
  const { ask, counted } = setUp(9_999);
  await ask();
  await ask();
  expect(counted()).toBe(2);
});

it('N5: 100 counts are kept; the oldest gives way', async () => {
  const { ask, counted } = setUp(10_000);
  for (let key = 0; key <= 100; key++) await ask(`${key}`);
  await ask('100');
  await ask('1');
  expect(counted()).toBe(101);
  await ask('0');
  expect(counted()).toBe(102);
});
