// Checks the packed packages with what a stranger has: publint, attw, their size, and programs that use them.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from '../built-folder.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { type Name, names, published } from './published.ts';
import { useAsStranger } from './stranger.ts';

const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
const execute = promisify(execFile);

/** Lists the problems. `dist`: the built folder. */
export async function checkPackages(dist: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-packages-'));
  try {
    const structuredHeaders = 'node_modules/structured-headers';
    cpSync(join(root, structuredHeaders), join(folder, structuredHeaders), { recursive: true });
    const problems = await Promise.all(names.map((name) => checkPackage(name, dist, folder)));
    return [...problems.flat(), ...(await useAsStranger(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs it in the folder too. */
async function checkPackage(name: Name, dist: string, folder: string): Promise<string[]> {
  const { version } = readManifest('.');
  const tarball = join(dist, `${name}-${version}.tgz`);
  const manifest = readManifest(`packages/${name}`);
  const installed = join(folder, 'node_modules', manifest.name);
  mkdirSync(installed, { recursive: true });
  await execute('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  const problems = await checkForm(tarball, installed, manifest);
  const entry = join(installed, manifest.bin ? `${Object.keys(manifest.bin)[0]}.js` : 'index.js');
  const { own, whole, gzipped } = await measure(entry);
  process.stdout.write(
    `${manifest.name}: ${own} bytes minified; ${whole} with its dependencies (${gzipped} gzipped)\n`,
  );
  if (own > published[name]) problems.push(`size: more than ${published[name]} bytes`);
  return problems.map((problem) => `${manifest.name}: ${problem}`);
}

async function checkForm(tarball: string, installed: string, manifest: Manifest): Promise<string[]> {
  const { messages } = await publint({ pkgDir: installed, strict: true });
  const problems = messages.map((message) => `publint: ${formatMessage(message, manifest)}`);
  // A program has no types.
  if (manifest.bin) return problems;
  await execute(process.execPath, [attw, tarball, '--profile', 'strict', '--no-emoji']).catch(({ stdout }) =>
    problems.push(`attw: ${stdout}`),
  );
  return problems;
}

/** Bytes, minified. */
async function measure(entry: string): Promise<{ own: number; whole: number; gzipped: number }> {
  const bundle = async (packages: 'bundle' | 'external') => {
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      external: ['node:*'],
      packages,
      write: false,
      logLevel: 'error',
    });
    return outputFiles[0]?.contents ?? new Uint8Array();
  };
  const whole = await bundle('bundle');
  return { own: (await bundle('external')).length, whole: whole.length, gzipped: gzipSync(whole).length };
}
