// Whether an attempt is on its way, so that a person who waits for it sees it at once.
import type { Delivery } from '@concord/client';

const soonMs = 15_000;

/** For `until` of a query. */
export const isNotDueSoon = ({ next_attempt_at }: Delivery): boolean =>
  next_attempt_at === null || Date.parse(next_attempt_at) - Date.now() > soonMs;
