// The commonest passwords, which nobody may choose. They are read when the first password is set: 25 ms, and
// 1 MB from then on.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { catalogue } from '../../base/error-catalogue.ts';
import { ServiceError } from '../../base/errors.ts';

/** The commonest first, in lower case. From leaked passwords, kept by zxcvbn-ts. */
const list = '@zxcvbn-ts/language-common/src/passwords.json';
/** People put two of these together to reach the shortest length. */
const partsRank = 10_000;
const shortestPassword = 12;
const fewestCharacters = 4;

const { message } = catalogue.common_password;

/** @throws ServiceError common_password at `pointer` */
export async function requireUncommon(password: string, pointer: string): Promise<void> {
  if (!isCommon(password.toLowerCase(), await readList())) return;
  throw new ServiceError('common_password', {
    detail: message,
    faults: [{ pointer, code: 'invalid_value', message }],
  });
}

function isCommon(password: string, common: ReadonlySet<string>): boolean {
  if (common.has(password) || new Set(password).size < fewestCharacters) return true;
  for (let end = 1; end < password.length; end++)
    if (common.has(password.slice(0, end)) && common.has(password.slice(end))) return true;
  return false;
}

let read: Promise<ReadonlySet<string>> | undefined;
function readList(): Promise<ReadonlySet<string>> {
  read ??= load().catch((error: unknown) => {
    read = undefined;
    throw error;
  });
  return read;
}

async function load(): Promise<ReadonlySet<string>> {
  const all = JSON.parse(await readFile(createRequire(import.meta.url).resolve(list), 'utf8')) as string[];
  return new Set(all.filter((password, rank) => rank < partsRank || password.length >= shortestPassword));
}
