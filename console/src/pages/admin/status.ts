// What counts as trouble in the state of the platform, for every page of operators.
import type { PlatformStatus } from '@concord/client';

const oldMailSeconds = 900;
const worstClockMs = 1_000;

/** Only those that run. */
export const countWorkers = ({ instances }: PlatformStatus): number =>
  instances.filter(({ alive, role }) => alive && role !== 'api').length;
export const isMailOld = ({ mail }: PlatformStatus): boolean =>
  (mail.oldest_age_seconds ?? 0) > oldMailSeconds;
export const isClockWrong = ({ clock_difference_ms }: PlatformStatus): boolean =>
  Math.abs(clock_difference_ms) > worstClockMs;
