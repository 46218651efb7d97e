// Builds and packs the published packages into packages/dist, where the service finds them.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';
import { root } from '../built-folder.ts';
import { bundleLibrary, bundleProgram, compile, type Files, includeOurs } from './compile.ts';
import { readManifest, toPublished } from './manifest.ts';

/** `packages.json` of the built folder lists these. */
type Packed = { name: string; version: string; file: string };
type Options = {
  /** From the root of the repository. */
  folders: readonly string[];
  /** The empty folder to write to. */
  next: string;
};

export async function buildPackages({ folders, next }: Options): Promise<void> {
  const { version } = readManifest('.');
  const manifests = folders.map((folder) => ({ folder, manifest: readManifest(folder) }));
  const libraries = manifests.filter(({ manifest }) => manifest.bin === undefined);
  const compiled = await compile(libraries.map(({ folder }) => folder));
  const packed = await Promise.all(
    manifests.map(async ({ folder, manifest }): Promise<Packed> => {
      const code = manifest.bin
        ? await createPrograms(folder, manifest.bin, version)
        : await createLibrary(folder, includeOurs(folder, compiled));
      const written = toPublished(manifest, version);
      const file = `${folder.split('/').at(-1)}-${version}.tgz`;
      const files = new Map([
        ['package.json', `${JSON.stringify(written, null, 2)}\n`],
        ['README.md', readFileSync(join(root, folder, 'README.md'), 'utf8')],
        ['LICENSE', readFileSync(join(root, 'LICENSE'), 'utf8')],
        ...code,
      ]);
      await writeFile(join(next, file), pack(files));
      return { name: manifest.name, version, file };
    }),
  );
  await writeFile(join(next, 'packages.json'), `${JSON.stringify(packed, null, 2)}\n`);
}

/** Beside the ES modules stands what `require` gets, with types of its own. */
async function createLibrary(folder: string, modules: Files): Promise<Files> {
  const types = [...modules].filter(([path]) => path.endsWith('.d.ts'));
  return new Map([
    ...modules,
    ...types.map(([path, text]) => [`cjs/${path}`, text] as const),
    ['cjs/index.js', await bundleLibrary(folder)],
    ['cjs/package.json', '{ "type": "commonjs" }\n'],
  ]);
}

async function createPrograms(
  folder: string,
  bin: Readonly<Record<string, string>>,
  version: string,
): Promise<Files> {
  const bundles = Object.entries(bin).map(
    async ([name, source]) =>
      [`${name}.js`, await bundleProgram(join(root, folder, source), version)] as const,
  );
  return new Map(await Promise.all(bundles));
}

/** The same files make the same bytes: their order and attributes are fixed. npm's tarballs have this time. */
const packedAt = Date.UTC(1985, 9, 26, 8, 15);

function pack(files: Files): Uint8Array {
  const entries = [...files].sort(([one], [two]) => (one < two ? -1 : 1));
  const tar = createTar(
    entries.map(([path, text]) => ({ name: `package/${path}`, data: text })),
    { attrs: { mtime: packedAt, uid: 0, gid: 0, user: '', group: '', mode: '644' } },
  );
  return gzipSync(tar, { level: 9 });
}
