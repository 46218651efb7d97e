import { expect, it } from 'vitest';
import { bucketOf, endOfBucket } from './latency.ts';

it('N3: every duration is in one bucket, which is a millisecond or 10 % wide', () => {
  const wrong: number[] = [];
  let before = -1;
  for (let ms = 0; ms <= 330_000; ms++) {
    const bucket = bucketOf(ms);
    const end = endOfBucket(bucket);
    if (bucket < before || bucket > before + 1 || end < ms || end > ms * 1.1) wrong.push(ms);
    before = bucket;
  }
  expect(wrong).toEqual([]);
  // The database holds the numbers of buckets from -1 to 199.
  expect(before).toBeLessThan(200);
});

it('N3: the last bucket takes longer durations', () => {
  expect(bucketOf(10_000_000)).toBe(bucketOf(330_000));
  expect(endOfBucket(bucketOf(330_000))).toBe(330_000);
});
