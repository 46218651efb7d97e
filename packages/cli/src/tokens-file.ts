// The file that keeps the token: readable by its owner only, and replaced as a whole.
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CliError } from './exits.ts';
import { isId } from './input.ts';
import type { Io } from './io.ts';
import { replaceFile } from './replace-file.ts';

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

export async function writeFileOfToken(path: string, kept: Kept): Promise<void> {
  const folder = dirname(path);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, 0o600);
  } catch (error) {
    throw new CliError('usage', `${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

export const removeFileOfToken = (path: string): Promise<void> => rm(path, { force: true });
