// A quota of all instances, counted in the transaction that uses it up.
import { hash } from 'node:crypto';
import { limitReached } from '../http/limit-reached.ts';
import type { Transaction } from '../postgres/database.ts';
import type { Window } from './limits.ts';
import { countRequests } from './store.ts';

/** Only a 429 shows it. What is rolled back does not count. `problem` begins the message of its 429. */
export function createSharedQuota(name: string, window: Exclude<Window, 'off'>, problem: string) {
  const { requests: quota, windowSeconds } = window;
  return async (tx: Transaction, key: string): Promise<void> => {
    const counted = { key: hash('sha256', `${name} ${key}`, 'base64url'), requests: 1 };
    const [{ total, seconds_left: left } = { total: quota + 1, seconds_left: windowSeconds }] =
      await countRequests(tx, [counted], windowSeconds);
    const secondsLeft = Math.min(Math.ceil(left), windowSeconds);
    if (total > quota) throw limitReached({ name, quota, windowSeconds, secondsLeft, problem });
  };
}
