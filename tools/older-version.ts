// An older version of the program, taken from the history of this repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export const fullName = (commit: string): string =>
  execFileSync('git', ['rev-parse', `${commit}^{commit}`], { cwd: root, encoding: 'utf8' }).trim();

/** Writes the program of a commit into a folder, with the packages that it needs. */
export function checkOut(commit: string, into: string): void {
  mkdirSync(into, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', into], { input: archive });
  if (hasItsPackages(into)) linkPackages(into);
  else
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: into,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
}

/** Whether what is installed here has the versions that its server needs. */
function hasItsPackages(into: string): boolean {
  const { dependencies } = readJson(join(into, 'server/package.json')) as {
    dependencies: Record<string, string>;
  };
  return Object.entries(dependencies).every(([name, version]) => {
    const installed = join(root, 'node_modules', name, 'package.json');
    return name.startsWith('@concord/') || (existsSync(installed) && readJson(installed).version === version);
  });
}

/** Gives it the packages that are installed here, and its own in place of ours. */
function linkPackages(into: string): void {
  const [from, to] = [join(root, 'node_modules'), join(into, 'node_modules')];
  mkdirSync(join(to, '@concord'), { recursive: true });
  for (const name of readdirSync(from))
    if (!name.startsWith('.') && name !== '@concord') symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(into, 'packages')))
    symlinkSync(join(into, 'packages', name), join(to, '@concord', name));
}

const readJson = (file: string) =>
  JSON.parse(readFileSync(file, 'utf8')) as { version?: string; dependencies?: object };
