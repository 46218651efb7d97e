// The file that keeps the token: readable by its owner only, and replaced as a whole.
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CliError } from './exits.ts';
import { isId } from './input.ts';
import type { Io } from './io.ts';

export type Kept = { readonly url: string; readonly token: string; readonly partner: string | null };

/** XDG: a relative path is ignored. */
export function pathOfFile(env: Io['env']): string {
  const { XDG_CONFIG_HOME: base = '' } = env;
  return join(isAbsolute(base) ? base : join(env.HOME || homedir(), '.config'), 'concord', 'cli.json');
}

export async function readFileOfToken(path: string): Promise<Kept | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new CliError('usage', `${path} cannot be read: ${error.message}`, { cause: error });
  });
  if (text === null) return null;
  const kept = parse(text);
  if (kept === null)
    throw new CliError('usage', `${path} is not a file of this program. Run concord login, or delete it`);
  return kept;
}

function parse(text: string): Kept | null {
  try {
    const { url, token, partner } = JSON.parse(text);
    const isKept = typeof url === 'string' && typeof token === 'string';
    return isKept
      ? { url, token, partner: typeof partner === 'string' && isId(partner) ? partner : null }
      : null;
  } catch {
    return null;
  }
}

export const writeFileOfToken = (path: string, kept: Kept): Promise<void> =>
  replace(path, kept).catch((error: Error) => {
    throw new CliError('usage', `${path} cannot be written: ${error.message}`, { cause: error });
  });

async function replace(path: string, kept: Kept): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const next = join(folder, `.cli-${randomUUID()}`);
  try {
    const file = await open(next, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(kept, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}

export const removeFileOfToken = (path: string): Promise<void> => rm(path, { force: true });
