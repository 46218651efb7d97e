// The order of measurements, and what becomes of their numbers.
import { expect, test } from 'vitest';
import type { Variant } from './case.ts';
import type { Context } from './context.ts';
import { measureRounds } from './rounds.ts';

const context = { say: () => {}, scope: <T>(work: (inner: Context) => Promise<T>) => work({} as Context) };
const definition = { name: 'example', yardstick: 'bare' };

/** Yields these values, one after the other, and notes its name. */
function variant(name: string, values: (number | Record<string, number>)[], order: string[] = []): Variant {
  const left = [...values];
  return {
    name,
    unit: 'requests/s',
    measure: async () => {
      order.push(name);
      return left.shift() as number;
    },
  };
}

test('variants are measured in turns, and each round begins with another one', async () => {
  const order: string[] = [];
  const variants = ['bare', 'b', 'c'].map((name) => variant(name, [1, 1, 1], order));
  await measureRounds({ definition, variants, rounds: 3, context });
  expect(order.join(' ')).toBe('bare b c b c bare c bare b');
});

test('a row has the median and the ends of its values, and of the ratios within each round', async () => {
  const variants = [variant('bare', [100, 200, 400]), variant('pool', [50, 120, 160])];
  const rows = await measureRounds({ definition, variants, rounds: 3, context });
  expect(rows).toEqual([
    {
      case: 'example',
      variant: 'bare',
      unit: 'requests/s',
      value: { median: 200, min: 100, max: 400 },
      against: null,
      ratio: null,
    },
    {
      case: 'example',
      variant: 'pool',
      unit: 'requests/s',
      value: { median: 120, min: 50, max: 160 },
      against: 'bare',
      ratio: { median: 0.5, min: 0.4, max: 0.6 },
    },
  ]);
});

test('named numbers have rows of their own, each against the same number of the yardstick', async () => {
  const variants = [variant('bare', [{ p50: 1, p95: 2 }]), variant('busy', [{ p50: 3, p95: 8 }])];
  const rows = await measureRounds({ definition, variants, rounds: 1, context });
  expect(rows.map((row) => [row.variant, row.against, row.ratio?.median])).toEqual([
    ['bare/p50', null, undefined],
    ['bare/p95', null, undefined],
    ['busy/p50', 'bare/p50', 3],
    ['busy/p95', 'bare/p95', 4],
  ]);
});

test('a yardstick that is no variant is an error before anything is measured', async () => {
  const order: string[] = [];
  const running = measureRounds({ definition, variants: [variant('pool', [1], order)], rounds: 1, context });
  await expect(running).rejects.toThrow('example has no variant "bare", its yardstick');
  expect(order).toEqual([]);
});
