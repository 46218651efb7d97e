// Installs the runtimes other than Node that our packages run in, into node_modules/.cache: they are too
// large for `npm ci`.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const versions = { deno: '2.9.6', bun: '1.4.5', workerd: '1.20261117.1' };
const folder = join(
  import.meta.dirname,
  '../node_modules/.cache/runtimes',
  Object.values(versions).join('-'),
);
const execute = promisify(execFile);

/** The program of a runtime. It is missing until `installRuntimes` has succeeded. */
export const runtime = (name: keyof typeof versions): string => join(folder, 'node_modules/.bin', name);

/** Without a network, the runtimes stay missing. */
export async function installRuntimes(): Promise<void> {
  if (Object.keys(versions).every((name) => existsSync(runtime(name as keyof typeof versions)))) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: versions }));
  await execute('npm', ['install', '--silent', '--no-package-lock'], { cwd: folder }).catch(({ message }) =>
    process.stderr.write(`Deno, Bun and workerd could not be installed: ${message}\n`),
  );
}
