// A folder that is built from sources of the repository, and built again when they have changed.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFile, hashSources, isBuiltFrom } from '../server/src/program/bundle.ts';
import { say } from './command.ts';
import { replaceFolder } from './replace-folder.ts';

export const root = join(import.meta.dirname, '..');

type BuiltFolder = {
  folder: string;
  /** Files and folders, from the root of the repository: everything that the build reads. */
  sources: readonly string[];
  /** Gets an empty folder. */
  fill: (next: string) => Promise<void>;
};

export async function buildFolder({ folder, sources, fill }: BuiltFolder): Promise<void> {
  // Before the build: a source that changes during it is built again.
  const hash = hashSources(sources);
  await replaceFolder(folder, async (next) => {
    await fill(next);
    await writeFile(join(next, hashFile), hash);
  });
}

export async function buildFolderIfChanged(built: BuiltFolder): Promise<void> {
  if (!isBuiltFrom(built)) await buildFolder(built);
}

/** What npm ci does after its installation. `needs`: a development dependency that builds. */
export async function buildAfterInstall(built: BuiltFolder, needs: string, without: string): Promise<void> {
  if (existsSync(join(root, 'node_modules', needs))) await buildFolderIfChanged(built);
  else say(`Development dependencies are left out, so nothing was built. ${without}`);
}
