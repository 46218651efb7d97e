// The JavaScript and the types of packages: as ES modules by the compiler, and as bundles by esbuild.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { root } from '../built-folder.ts';
import { readDependencies, readManifest } from './manifest.ts';

/** By the path in the package. */
export type Files = Map<string, string>;

const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
const execute = promisify(execFile);

/**
 * Compiles the sources of packages, and of those that they need, in a folder of its own: builds at the same time do
 * not meet. `folders`: from the root of the repository.
 */
export async function compile(folders: readonly string[]): Promise<(folder: string) => Files> {
  if (folders.length === 0) return () => new Map();
  const work = mkdtempSync(join(tmpdir(), 'concord-compile-'));
  const place = (folder: string) => join(work, folder);
  try {
    const all = new Set(folders.flatMap((folder) => [...needs(folder), folder]));
    for (const folder of all) writeProject(folder, place);
    await execute(process.execPath, [tsc, '--build', ...[...all].map(place)], { encoding: 'utf8' }).catch(
      ({ stdout, stderr }) => {
        throw new Error(`the packages do not compile:\n${stdout}${stderr}`);
      },
    );
    const compiled = new Map([...all].map((folder) => [folder, readFiles(join(place(folder), 'out'))]));
    return (folder) => compiled.get(folder) ?? new Map();
  } finally {
    rmSync(work, { recursive: true });
  }
}

const needs = (folder: string) => readDependencies(readManifest(folder)).ours;

/** The tsconfig.json of the package, with other places. */
function writeProject(folder: string, place: (folder: string) => string): void {
  const source = join(root, folder, 'src');
  const project = {
    extends: join(root, folder, 'tsconfig.json'),
    compilerOptions: {
      rootDir: source,
      outDir: join(place(folder), 'out'),
      tsBuildInfoFile: join(place(folder), 'tsbuildinfo'),
    },
    include: [source],
    references: needs(folder).map((other) => ({ path: place(other) })),
  };
  mkdirSync(place(folder), { recursive: true });
  writeFileSync(join(place(folder), 'tsconfig.json'), JSON.stringify(project));
}

function readFiles(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((path) => /\.(js|d\.ts)$/.test(path));
  return new Map(files.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
}

/** Puts our packages that a package needs beside its own files, and imports them from there. */
export function includeOurs(folder: string, compiled: (folder: string) => Files): Files {
  const files: Files = new Map(compiled(folder));
  const ours = needs(folder).map((other) => ({ path: posix.basename(other), ...readManifest(other), other }));
  for (const { path, other } of ours)
    for (const [file, text] of compiled(other)) files.set(`${path}/${file}`, text);
  for (const [file, text] of files) {
    const imported = ours.reduce((before, { name, path }) => {
      const relative = posix.relative(posix.dirname(file), `${path}/index.js`);
      const specifier = relative.startsWith('.') ? relative : `./${relative}`;
      return before.replaceAll(new RegExp(`(from |import\\()(['"])${name}\\2`, 'g'), `$1$2${specifier}$2`);
    }, text);
    files.set(file, imported);
  }
  return files;
}

/** One file for `require`. */
export function bundleLibrary(folder: string): Promise<string> {
  const { theirs } = readDependencies(readManifest(folder));
  return bundle(join(root, folder, 'src/index.ts'), {
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    external: Object.keys(theirs),
  });
}

/** One file that Node runs without any dependency. `require`: for CommonJS packages inside. */
export function bundleProgram(source: string, version: string): Promise<string> {
  const banner = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;
  return bundle(source, {
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: banner },
    define: { concordVersion: JSON.stringify(version) },
  });
}

async function bundle(source: string, options: Parameters<typeof build>[0]): Promise<string> {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [source],
    bundle: true,
    write: false,
    absWorkingDir: root,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error(`${source} was not bundled`);
  return file.text;
}
