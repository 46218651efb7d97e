// `npm run console`: builds the web console into console/dist. `npm ci` does it too, when its sources have
// changed.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildAfterInstall, buildFolder, buildFolderIfChanged, root } from './built-folder.ts';
import { runCommand } from './command.ts';

const dist = join(root, 'console/dist');
const vite = join(root, 'node_modules/vite/bin/vite.js');
const sources = [
  'console/src',
  'console/index.html',
  'console/vite.config.ts',
  'packages/client/src',
  'docs/receivers',
  'interop/frameworks',
  'package-lock.json',
];

const usage = `Usage: npm run console [-- --if-changed]
Builds the web console into console/dist. The service serves it from there, at /console/.
  --if-changed  builds only when a source has changed since the last build (npm ci runs this)`;

const built = { folder: dist, sources, fill: runVite };

async function runVite(next: string): Promise<void> {
  const options = ['--config', 'console/vite.config.ts', '--outDir', next, '--logLevel', 'warn'];
  const child = spawn(process.execPath, [vite, 'build', 'console', ...options], {
    cwd: root,
    stdio: 'inherit',
    // vite keeps another value of the shell, and would build React's development form.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error('vite could not build the console; its message is above');
}

type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: true };

/** In bytes, compressed with gzip. The first page is the sign-in. */
export async function measureConsole(): Promise<{ first: number; all: number }> {
  await buildFolderIfChanged(built);
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

if (import.meta.main)
  await runCommand(usage, { 'if-changed': { type: 'boolean' } }, (values) =>
    values['if-changed']
      ? buildAfterInstall(built, 'vite', 'The API works without the console.')
      : buildFolder(built),
  );
