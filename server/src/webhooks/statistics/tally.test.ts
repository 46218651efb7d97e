import { expect, it } from 'vitest';
import { tally } from './tally.ts';

const row = (outcome: string, buckets: number[], counts: number[]) => ({ outcome, buckets, counts });

it('N3, W69: percentiles are of the answered attempts, by the nearest rank', () => {
  const none = { attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null, filtered: 0 };
  expect(tally([])).toEqual(none);
  const rows = [row('timeout', [-1], [7])];
  expect(tally(rows)).toMatchObject({ attempts: 7, delivered: 0, p50_ms: null, p95_ms: null });
  // Filtered events have no attempt.
  rows.push(row('filtered', [-1], [5]), row('delivered', [3, 4], [10, 8]), row('status_5xx', [4, 9], [1, 1]));
  const failed = [
    { reason: 'status_5xx', count: 2 },
    { reason: 'timeout', count: 7 },
  ];
  // 20 answers: the tenth is in bucket 3, and the nineteenth is the last one in bucket 4.
  expect(tally(rows)).toEqual({ attempts: 27, delivered: 18, failed, p50_ms: 3, p95_ms: 4, filtered: 5 });
  rows.push(row('delivered', [9], [1]));
  expect(tally(rows)).toMatchObject({ p50_ms: 4, p95_ms: 9 });
});
