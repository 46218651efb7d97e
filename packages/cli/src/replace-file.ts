// Replaces a file as a whole.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Whoever reads it gets the old text or the new one. A link at `path` is replaced, and not followed. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const next = join(dirname(path), `.concord-${randomUUID()}`);
  try {
    await writeFile(next, text, { flag: 'wx', mode, flush: true });
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
}
