// Tests hash hundreds of passwords, and scrypt takes 80 ms of a core for each. Here it does a thousandth of the work.
import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type Done = (error: Error | null, key: NonSharedBuffer) => void;
const { scrypt } = crypto;
const cheap: Partial<ScryptOptions> = { N: 16 };
let cost = cheap;
let held: PromiseWithResolvers<void> | undefined;

crypto.scrypt = (async (password: string, salt: string, size: number, options: ScryptOptions, done: Done) => {
  await held?.promise;
  scrypt(password, salt, size, { ...options, ...cost }, done);
}) as unknown as typeof scrypt;
syncBuiltinESMExports();

/** Until `releaseHashes`, or the end of the test, passwords wait for their hashes. */
export function holdHashes() {
  held ??= Promise.withResolvers<void>();
  onTestFinished(releaseHashes);
}

export function releaseHashes() {
  held?.resolve();
  held = undefined;
}

/** For a file whose passwords are also hashed by programs that it starts, or by earlier releases. */
export function useFullHashes() {
  beforeAll(() => {
    cost = {};
  });
  afterAll(() => {
    cost = cheap;
  });
}
