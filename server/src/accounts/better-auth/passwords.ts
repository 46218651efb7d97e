// Hashing of passwords: scrypt, two at a time, so that a flood of sign-ins does not starve the rest.
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import pLimit from 'p-limit';
import { ServiceError } from '../../errors.ts';

// scrypt takes 80 ms of a thread; libuv has four, which also serve files and look-ups.
const atOnce = 2;
/** Beyond this many waiting, about 4 s, it is better to say so. */
const mostWaiting = 100;

export type Passwords = {
  hash(password: string): Promise<string>;
  verify(data: { hash: string; password: string }): Promise<boolean>;
};

/** @throws ServiceError rate_limited, when too many are waiting */
export function createPasswords(): Passwords {
  const limit = pLimit(atOnce);
  function queue<T>(work: () => Promise<T>): Promise<T> {
    if (limit.pendingCount >= mostWaiting) throw new ServiceError('rate_limited', { headers: { 'retry-after': '5' } });
    return limit(work);
  }
  return {
    hash: async (password) => queue(() => hashPassword(password)),
    verify: async (data) => queue(() => verifyPassword(data)),
  };
}
