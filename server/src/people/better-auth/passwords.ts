// Hashing of passwords: scrypt, two at a time, so that many sign-ins cannot starve other requests. Addresses
// take turns. Nobody may choose one of the commonest.
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as scrypt from 'better-auth/crypto';
import { catalogue } from '../../base/error-catalogue.ts';
import { ServiceError } from '../../base/errors.ts';
import { createFairQueue } from '../../base/limits/index.ts';

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
  function inLine<T>(work: () => Promise<T>) {
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
    askedBy: (asker: Asker, work: () => void) => askers.run(asker, work),
  };
}

/** The commonest first, in lower case. From leaked passwords, kept by zxcvbn-ts. */
const list = '@zxcvbn-ts/language-common/src/passwords.json';
/** People put two of these together to reach the shortest length. */
const partsRank = 10_000;
const shortestPassword = 12;
const fewestCharacters = 4;

const { message } = catalogue.common_password;

async function requireUncommon(password: string, pointer: string) {
  if (!isCommon(password.toLowerCase(), await readList())) return;
  throw new ServiceError('common_password', {
    detail: message,
    faults: [{ pointer, code: 'invalid_value', message }],
  });
}

function isCommon(password: string, common: ReadonlySet<string>) {
  if (common.has(password) || new Set(password).size < fewestCharacters) return true;
  for (let end = 1; end < password.length; end++)
    if (common.has(password.slice(0, end)) && common.has(password.slice(end))) return true;
  return false;
}

/** Read when the first password is set: 25 ms, and 1 MB from then on. */
let read: Promise<ReadonlySet<string>> | undefined;
function readList() {
  read ??= load().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

async function load() {
  const all = JSON.parse(await readFile(createRequire(import.meta.url).resolve(list), 'utf8')) as string[];
  return new Set(all.filter((password, rank) => rank < partsRank || password.length >= shortestPassword));
}
