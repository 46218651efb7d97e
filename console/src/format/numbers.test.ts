// Numbers as people read them.
import { expect, it } from 'vitest';
import { formatShare } from './numbers.ts';

it('B61: a share is 0% only of nothing, and 100% only of all', () => {
  const shares = [
    [0, 7_164],
    [3, 7_164],
    [3_582, 7_164],
    [7_161, 7_164],
    [7_164, 7_164],
    [0, 0],
  ] as const;
  expect(shares.map(([part, all]) => formatShare(part, all))).toEqual([
    ...['0%', '< 0.1%', '50%', '> 99.9%', '100%', '–'],
  ]);
});
