// The words of sending now and of replays, in every dialog the same.
import { formatCount, formatNumber } from '#format/numbers.ts';

/** `12 deliveries`; `100,000 or more deliveries`, or `deliveries` if it found none, when Concord did not count all. */
export function countOf(count: number, isComplete: boolean): string {
  if (isComplete) return formatCount(count, 'delivery', 'deliveries');
  return count === 0 ? 'deliveries' : `${formatNumber(count)} or more deliveries`;
}

/** Statistics count no more pending deliveries (N5). */
export const mostPending = 100_000;

/** By code of an error. */
export const explain = {
  replay_running: 'One is running already. Wait until it is done, or stop it.',
  endpoint_paused: 'The endpoint is paused. Resume it first.',
  endpoint_unchecked: 'The endpoint is not checked. Check it first.',
  endpoint_disabled: 'The endpoint is disabled. Resume it first.',
};

export const aboutSendNow =
  'Their next attempt is made now. Earlier attempts still count: if one fails again, its retry schedule continues where it was.';
