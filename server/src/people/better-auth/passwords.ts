// Hashing of passwords: scrypt, two at a time, so that many sign-ins cannot starve other requests. Addresses
// take turns.
import { AsyncLocalStorage } from 'node:async_hooks';
import * as scrypt from 'better-auth/crypto';
import { createFairQueue } from '../../base/limits/index.ts';
import { requireUncommon } from './common-passwords.ts';

/**
 * One hash takes about 80 ms of a libuv thread, so 100 wait about 4 s. Files and DNS look-ups use the same
 * threads.
 */
const queueLimits = {
  name: 'password-checks',
  concurrency: 2,
  maxQueued: 100,
  maxQueuedPerGroup: 20,
  retryAfterSeconds: 5,
};

/** Whose request asks for the work. `gone` is aborted when the request has ended. */
type Asker = { readonly group: string; readonly gone: AbortSignal };

export type Passwords = ReturnType<typeof createPasswords>;
type Functions = Pick<typeof scrypt, 'hashPassword' | 'verifyPassword'>;

/**
 * The functions are better-auth's, unless a test gives others. The result's throw ServiceError rate_limited when the
 * queue is full.
 */
export function createPasswords({ hashPassword, verifyPassword }: Functions = scrypt) {
  const queue = createFairQueue(queueLimits);
  const askers = new AsyncLocalStorage<Asker>();
  function inLine<T>(work: () => Promise<T>): Promise<T> {
    // No asker: the command line, or the start of the service.
    const { group, gone } = askers.getStore() ?? { group: '' };
    return queue.run(group, work, gone);
  }
  return {
    /** `pointer`: to the password in the body. @throws ServiceError common_password */
    hashNew: (password: string, pointer = '/password') =>
      inLine(async () => {
        await requireUncommon(password, pointer);
        return hashPassword(password);
      }),
    /**
     * For better-auth, which hashes the password of a sign-in with an unknown address, so that it takes as long
     * as one with a known address. A refusal here would tell the two apart.
     */
    hash: (password: string) => inLine(() => hashPassword(password)),
    verify: (data: { hash: string; password: string }) => inLine(() => verifyPassword(data)),
    /**
     * Password work inside `work` waits in the asker's line. better-auth calls us without its request, so this
     * is ambient.
     */
    askedBy: (asker: Asker, work: () => void): void => askers.run(asker, work),
  };
}
