// The program as a bundle, which `npm ci` builds. It starts in two thirds of the time, and takes 60 MB less memory,
// than its 2,900 modules. Its lines are those of the sources without types, under the name of each source.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export const bundle = {
  folder: join(root, 'server/dist'),
  /** Everything that the build reads, from the root of the repository. */
  sources: [
    'server/src',
    'packages/http-message-signatures/src',
    'packages/p384-signer/src',
    'packages/webhook-receiver/src',
    'package-lock.json',
    'tools/bundle.ts',
  ],
};

/** In a folder that is built: the hash of the sources that it was built from. */
export const hashFile = '.sources';

/** The path of the bundle's program. Null if it was not built, or the sources have changed since. */
export function findBundle(): string | null {
  const program = join(bundle.folder, 'main.js');
  return isBuiltFrom(bundle) && existsSync(program) ? program : null;
}

export function isBuiltFrom({ folder, sources }: { folder: string; sources: readonly string[] }): boolean {
  const file = join(folder, hashFile);
  return existsSync(file) && readFileSync(file, 'utf8') === hashSources(sources);
}

/** Files and folders count, from the root of the repository. Takes 20 ms for the server. */
export function hashSources(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources)
    for (const path of listFiles(source)) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** The paths below a folder, or that of a file, from the root of the repository. None if it is missing. */
export function listFiles(source: string): string[] {
  const known = statSync(join(root, source), { throwIfNoEntry: false });
  if (!known?.isDirectory()) return known ? [source] : [];
  const paths = readdirSync(join(root, source), { recursive: true, withFileTypes: true });
  return paths
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
}
