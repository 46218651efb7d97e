// Hashing of passwords: scrypt, two at a time, so that many sign-ins cannot starve other requests.
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';
import { ServiceError } from '../../errors.ts';

// One hash takes about 80 ms of a libuv thread. Files and DNS look-ups use the same threads.
const maxConcurrency = 2;
/** About 4 s of waiting. */
const maxQueued = 100;

export type Passwords = {
  hash(password: string): Promise<string>;
  verify(data: { hash: string; password: string }): Promise<boolean>;
};

/** Its functions throw ServiceError rate_limited when the queue is full. */
export function createPasswords(): Passwords {
  const limit = pLimit(maxConcurrency);
  function queue<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= maxQueued) throw new ServiceError('rate_limited', { headers: { 'retry-after': '5' } });
    return limit(work);
  }
  return {
    hash: async (password) => queue(() => hashPassword(password)),
    verify: async (data) => queue(() => verifyPassword(data)),
  };
}
