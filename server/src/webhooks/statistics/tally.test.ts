import { expect, it } from 'vitest';
import { createTally, noCounts } from './tally.ts';

it('N3, W69: percentiles are of the answered attempts, by the nearest rank', () => {
  const tally = createTally();
  expect(tally.counts()).toEqual(noCounts);
  tally.add('timeout', [-1], [7]);
  expect(tally.counts()).toMatchObject({ attempts: 7, delivered: 0, p50_ms: null, p95_ms: null });
  // They have no attempt.
  tally.add('filtered', [-1], [5]);
  tally.add('delivered', [3, 4], [10, 8]);
  tally.add('status_5xx', [4, 9], [1, 1]);
  const failed = [
    { reason: 'status_5xx', count: 2 },
    { reason: 'timeout', count: 7 },
  ];
  // 20 answers: the tenth is in bucket 3, and the nineteenth is the last one in bucket 4.
  expect(tally.counts()).toEqual({ attempts: 27, delivered: 18, failed, p50_ms: 3, p95_ms: 4, filtered: 5 });
  tally.add('delivered', [9], [1]);
  expect(tally.counts()).toMatchObject({ p50_ms: 4, p95_ms: 9 });
});
