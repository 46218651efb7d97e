// Writes the file that was named, and no other.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliError } from '../exits.ts';

/** Replaces a file only if it begins with `mark`. A link is not followed. */
export async function writeGenerated(path: string, mark: string, text: string): Promise<void> {
  const next = join(dirname(path), `.concord-${randomUUID()}`);
  try {
    if (!existsSync(dirname(path))) throw new Error('its folder does not exist. Make it first');
    const known = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (known !== null && !known.isFile())
      throw new Error('it is a link or a folder, and not a file. Name another file');
    if (known !== null && !(await readFile(path, 'utf8')).startsWith(mark))
      throw new Error('it has something else. Delete it, or name another file');
    const file = await open(next, 'wx', 0o666);
    await file.writeFile(text).finally(() => file.close());
    // A link that came in the meantime is replaced, and not followed.
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw new CliError('usage', `${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
