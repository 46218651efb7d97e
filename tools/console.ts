// `npm run console`: builds the web console into console/dist. `npm ci` does it too, when its sources have
// changed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { replaceFolder } from './replace-folder.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'console/dist');
const hashFile = '.sources';
const vite = join(root, 'node_modules/vite/bin/vite.js');
/** Everything that the build reads. */
const sources = [
  'console/src',
  'console/index.html',
  'console/vite.config.ts',
  'packages/client/src',
  'docs/receiving-webhooks.md',
  'package-lock.json',
];

const help = `Usage: npm run console [-- --if-changed | --sizes]
Builds the web console into console/dist. The service serves it from there, at /console/.
  --if-changed  builds only when a source has changed since the last build (npm ci runs this)
  --sizes       prints what the first page and all pages take, compressed with gzip, and builds nothing
`;

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Promise.all(sources.map((source) => listFiles(join(root, source))))).flat().sort();
  for (const file of files) hash.update(`${relative(root, file)}\0`).update(await readFile(file));
  return hash.digest('hex');
}

/** Builds unless this very source was built last. */
export async function buildIfChanged(): Promise<void> {
  const built = await readFile(join(dist, hashFile), 'utf8').catch(() => null);
  if (built === null || built !== (await hashSources())) await build();
}

async function build(): Promise<void> {
  // Before the build: a source that changes during it is built again.
  const sourcesHash = await hashSources();
  await replaceFolder(dist, async (next) => {
    const options = ['--config', 'console/vite.config.ts', '--outDir', next, '--logLevel', 'warn'];
    const child = spawn(process.execPath, [vite, 'build', 'console', ...options], {
      cwd: root,
      stdio: 'inherit',
      // vite keeps another value of the shell, and would build React's development form.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    if (code !== 0) throw new Error('vite could not build the console; its message is above');
    await writeFile(join(next, hashFile), sourcesHash);
  });
}

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: true };

/** In bytes, compressed with gzip. The first page is the sign-in. */
export async function measureConsole(): Promise<{ first: number; all: number }> {
  const manifest = JSON.parse(await readFile(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  const filesOf = (name: string, seen = new Set<string>()): Set<string> => {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(chunk.file)) return seen;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
    for (const other of chunk.imports ?? []) filesOf(other, seen);
    return seen;
  };
  const sizeOf = async (files: Iterable<string>) => {
    let bytes = 0;
    for (const file of files) bytes += gzipSync(await readFile(join(dist, file)), { level: 9 }).length;
    return bytes;
  };
  const first = filesOf('src/pages/public/sign-in/sign-in-page.tsx', filesOf('index.html'));
  const all = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  return { first: await sizeOf(['index.html', ...first]), all: await sizeOf(['index.html', ...all]) };
}

async function run(args: readonly string[]): Promise<void> {
  if (args.includes('--help')) return void process.stdout.write(help);
  if (args.includes('--sizes')) {
    const { first, all } = await measureConsole();
    return void process.stdout.write(
      `first page ${(first / 1_000).toFixed(1)} kB, all ${(all / 1_000).toFixed(1)} kB (gzip)\n`,
    );
  }
  if (!existsSync(vite)) {
    if (!args.includes('--if-changed'))
      throw new Error('vite is not installed. Run `npm ci` without --omit=dev, then `npm run console`.');
    return void process.stdout.write(
      'The console was not built, since development dependencies are left out. The API works without it.\n',
    );
  }
  await (args.includes('--if-changed') ? buildIfChanged() : build());
}

if (import.meta.main) {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
