// The entry point of statistics: how many attempts were delivered or failed, and how long answers took.
import type { Feature } from '../../base/feature.ts';
import { statisticsTasks } from './statistics.ts';

export { failureReasons } from './outcome.ts';
export { type Period, type PeriodQuery, readPeriod, steps } from './period.ts';
export { periodQuery } from './schema.ts';
export { nothing, readStatistics, type Statistics, toCounted } from './statistics.ts';
export {
  countAttempts,
  countLate,
  deletePartnerCounts,
  isLate,
  type Recent,
  selectFailedLately,
  selectRecent,
} from './store.ts';

/** `retentionMs`: how long the history is kept, and with it the sums of hours. */
export const createStatistics = ({ retentionMs }: { retentionMs: number }): Feature => ({
  tasks: statisticsTasks(retentionMs),
});
