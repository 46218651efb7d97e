// A folder that is built from sources of the repository, and built again when they have changed.
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { replaceFolder } from './replace-folder.ts';

export const root = join(import.meta.dirname, '..');
/** In the folder: the hash of the sources that it was built from. */
const hashFile = '.sources';

type BuiltFolder = {
  folder: string;
  /** Files and folders, from the root of the repository: everything that the build reads. */
  sources: readonly string[];
  /** Gets an empty folder. */
  fill: (next: string) => Promise<void>;
};

export async function buildFolder({ folder, sources, fill }: BuiltFolder): Promise<void> {
  // Before the build: a source that changes during it is built again.
  const hash = await hashSources(sources);
  await replaceFolder(folder, async (next) => {
    await fill(next);
    await writeFile(join(next, hashFile), hash);
  });
}

/** Builds unless these very sources were built last. */
export async function buildFolderIfChanged(built: BuiltFolder): Promise<void> {
  const last = await readFile(join(built.folder, hashFile), 'utf8').catch(() => null);
  if (last === null || last !== (await hashSources(built.sources))) await buildFolder(built);
}

/** With the paths below `path`, or the path itself if it is a file. */
async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function hashSources(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Promise.all(sources.map((source) => listFiles(join(root, source))))).flat().sort();
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}
