// Tests hash hundreds of passwords, and scrypt takes 80 ms of a core for each. Here it does a thousandth of the work.
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type Done = (error: Error | null, key: NonSharedBuffer) => void;
const { scrypt } = crypto;
let cost: Partial<ScryptOptions> = { N: 16 };
let held: Promise<void> | undefined;

crypto.scrypt = (async (password: string, salt: string, size: number, options: ScryptOptions, done: Done) => {
  await held;
  scrypt(password, salt, size, { ...options, ...cost }, done);
}) as unknown as typeof scrypt;
syncBuiltinESMExports();

/** Until the function that it returns is called, or the test ends, passwords wait for their hashes. */
export function holdHashes() {
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  function release() {
    held = undefined;
    resolve();
  }
  onTestFinished(release);
  return release;
}

/** For a file whose passwords are also hashed by programs that it starts, or by earlier releases. */
export function useFullHashes() {
  beforeAll(() => {
    cost = {};
  });
  afterAll(() => {
    cost = { N: 16 };
  });
}
