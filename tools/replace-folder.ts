// Makes a folder anew, so that nobody reads it half made.
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasCode } from '../server/src/base/errors.ts';

/** Without its index, a build counts as none. */
const indexFiles = ['.sources', 'index.html', 'packages.json'];
/** Making a folder takes seconds: what is older was left by a crash. */
const leftAfterMs = 3_600_000;

/**
 * `fill` gets an empty folder beside `folder`. When it is done, a rename puts it in the place of the old one,
 * which was renamed before. So a reader finds the old folder, the new one, or none for a moment, and never a
 * part of one.
 * After a crash the old folder is still there. Between the two renames there is none, and the next call makes
 * it.
 */
export async function replaceFolder(folder: string, fill: (next: string) => Promise<void>): Promise<void> {
  const prefix = `${basename(folder)}-next-`;
  await removeLeftovers(dirname(folder), prefix);
  // Its own name, since another call can be at work.
  const work = await mkdtemp(join(dirname(folder), prefix));
  const next = join(work, 'next');
  try {
    await mkdir(next);
    await fill(next);
    for (let count = 0; !(await moveTo(folder, next)); count++)
      await moveAway(folder, join(work, `old-${count}`));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** False: there is a folder already. */
async function moveTo(folder: string, next: string): Promise<boolean> {
  try {
    await rename(next, folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return false;
    throw error;
  }
}

async function moveAway(folder: string, old: string): Promise<void> {
  try {
    await rename(folder, old);
  } catch (error) {
    // Another call has moved it.
    if (hasCode(error, 'ENOENT')) return;
    // The file system of containers cannot rename folders of its lower layers.
    if (!hasCode(error, 'EXDEV')) throw error;
    for (const file of indexFiles) await rm(join(folder, file), { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftovers(parent: string, prefix: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > leftAfterMs) await rm(path, { recursive: true, force: true });
  }
}
