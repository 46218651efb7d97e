// How often something is read again, in milliseconds.

/** For lists that people watch. */
const liveMs = 10_000;
/** For what people wait for. */
const waitMs = 1_000;
/** Whoever still waits then may have left the page open. */
const quickReads = 60;

type Poll = {
  isLive: boolean;
  /** A search that has found nothing so far: its pages would be read anew. */
  isSearching: boolean;
  /** What the person waits for has not come yet. */
  isWaiting: boolean;
  reads: number;
};

export function pollMs({ isLive, isSearching, isWaiting, reads }: Poll): number | false {
  if (isWaiting) return reads < quickReads ? waitMs : liveMs;
  return isLive && !isSearching && liveMs;
}
