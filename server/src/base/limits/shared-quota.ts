// A quota of all instances, counted in the database, so that it survives a restart.
import { hash } from 'node:crypto';
import type { RateLimit } from '../config-values.ts';
import { limitReached } from '../http/limit-reached.ts';
import type { Queryable } from '../postgres/database.ts';
import { countRequests, deleteCount, quotas, refundRequest } from './store.ts';

/** Counts a use, also in a transaction: what is rolled back does not count. `total`: in its window, this one included. */
export async function countUse(
  on: Queryable,
  name: string,
  key: string,
  windowSeconds: number,
): Promise<{ total: number; secondsLeft: number }> {
  const counted = { key: keyOf(name, key), requests: 1 };
  const [{ total, seconds_left: left } = { total: Infinity, seconds_left: windowSeconds }] =
    await countRequests(on, quotas, [counted], windowSeconds);
  return { total, secondsLeft: Math.min(Math.ceil(left), windowSeconds) };
}

/** Hashes give keys one length, and keep e-mail addresses out of the table. */
const keyOf = (name: string, key: string) => `${name}:${hash('sha256', key, 'base64url')}`;

/** Only a 429 shows it. `problem` begins its message. */
export function createSharedQuota(
  name: string,
  { requests: quota, windowSeconds }: Exclude<RateLimit, 'off'>,
  problem?: string,
) {
  return {
    /** @throws ServiceError rate_limited above the quota */
    async count(on: Queryable, key: string): Promise<void> {
      const { total, secondsLeft } = await countUse(on, name, key, windowSeconds);
      if (total > quota) throw limitReached({ name, quota, windowSeconds, secondsLeft, problem });
    },
    refund: (on: Queryable, key: string): Promise<void> => refundRequest(on, keyOf(name, key)),
    clear: (on: Queryable, key: string): Promise<void> => deleteCount(on, keyOf(name, key)),
  };
}
