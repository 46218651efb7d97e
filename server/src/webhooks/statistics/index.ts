// The entry point of statistics: how many attempts were delivered or failed, and how long answers took.
export { failureReasons } from './outcome.ts';
export { type Period, type PeriodQuery, periodQuery, readPeriod, steps } from './period.ts';
export { createStatistics, nothing, readStatistics, type Statistics, toCounted } from './statistics.ts';
export {
  countAttempts,
  countLate,
  deletePartnerCounts,
  type Filtered,
  insertFiltered,
  isLate,
  lastDelivered,
  selectFailedLately,
  selectRecent,
} from './store.ts';
