// Buckets of the latency of an attempt. Pure. Their numbers are stored, so a change of the buckets needs a
// migration.

/** Beyond the longest time that an attempt may take (CONCORD_WEBHOOK_TIMEOUT). */
const longestMs = 330_000;

/** The last millisecond of each bucket: one millisecond wide up to 20 ms, and then 10 % wide. */
const ends: number[] = [];
for (let end = 0; end < longestMs; end = Math.max(end + 1, Math.floor(end * 1.1))) ends.push(end);
ends.push(longestMs);

export const unanswered = -1;

/** The last bucket also takes everything that lasted longer. */
export function bucketOf(durationMs: number): number {
  const found = ends.findIndex((end) => durationMs <= end);
  return found < 0 ? ends.length - 1 : found;
}

/** The longest duration of a bucket, in milliseconds. */
export function endOfBucket(bucket: number): number {
  return ends[bucket] ?? longestMs;
}
