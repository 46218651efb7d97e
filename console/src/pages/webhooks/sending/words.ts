// The words of sending now and of replays, in every dialog the same.
import { formatCount, formatNumber } from '../../../format/numbers.ts';

/** `12 deliveries`; `100,000 deliveries or more` when Concord did not count all. */
export const countOf = (count: number, isComplete: boolean): string =>
  isComplete ? formatCount(count, 'delivery', 'deliveries') : `${formatNumber(count)} deliveries or more`;

/** By code of an error. */
export const explain = {
  replay_running: 'One is running already. Wait until it is done, or stop it.',
  endpoint_paused: 'The endpoint is paused. Resume it first.',
  endpoint_unchecked: 'The endpoint is not checked. Check it first.',
  endpoint_disabled: 'The endpoint is disabled. Resume it first.',
};
