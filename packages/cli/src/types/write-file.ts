// Writes the file that was named, and no other.
import { existsSync } from 'node:fs';
import { lstat, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../exits.ts';
import { replaceFile } from '../replace-file.ts';

/** Replaces a file only if it begins with `mark`. A link is not followed. */
export async function writeGenerated(path: string, mark: string, text: string): Promise<void> {
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
    await replaceFile(path, text, 0o666);
  } catch (error) {
    throw new CliError('usage', `${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
