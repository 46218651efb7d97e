// The package.json of a package: as it is in the repository, and as it is published.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../built-folder.ts';

type Dependencies = Readonly<Record<string, string>>;
export type Manifest = Record<string, unknown> & {
  name: string;
  version: string;
  dependencies?: Dependencies;
  /** A program: its name, and the source that starts it. */
  bin?: Readonly<Record<string, string>>;
};

/** `folder`: from the root of the repository. */
export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

const scope = '@concord/';
const folderOf = (name: string) => `packages/${name.slice(scope.length)}`;

/** The folders of our packages that this one needs, and what these need of others. */
export function readDependencies({ dependencies = {} }: Manifest): { ours: string[]; theirs: Dependencies } {
  const entries = Object.entries(dependencies);
  const direct = entries.filter(([name]) => name.startsWith(scope)).map(([name]) => folderOf(name));
  const below = direct.map((folder) => readDependencies(readManifest(folder)));
  return {
    ours: [...new Set([...direct, ...below.flatMap(({ ours }) => ours)])],
    theirs: Object.assign(
      Object.fromEntries(entries.filter(([name]) => !name.startsWith(scope))),
      ...below.map(({ theirs }) => theirs),
    ),
  };
}

/** `module-sync`: the ES module, where `require` can load it, so that a process has one copy of the code. */
const libraryEntries = {
  // For TypeScript's old resolution, which knows no exports.
  main: './cjs/index.js',
  types: './cjs/index.d.ts',
  exports: {
    '.': {
      'module-sync': { types: './index.d.ts', default: './index.js' },
      require: { types: './cjs/index.d.ts', default: './cjs/index.js' },
      default: { types: './index.d.ts', default: './index.js' },
    },
  },
};

/**
 * In the repository the exports are the sources, so that nothing has to be built to run or test; published are the
 * built files, with the version of Concord. Our packages are inside, so one tarball is enough.
 */
export function toPublished(manifest: Manifest, version: string): Manifest {
  const { private: _, exports: _exports, devDependencies: _dev, dependencies: _own, bin, ...kept } = manifest;
  const { theirs } = readDependencies(manifest);
  return {
    ...kept,
    version,
    ...(bin === undefined
      ? { ...libraryEntries, ...(Object.keys(theirs).length > 0 && { dependencies: theirs }) }
      : { bin: Object.fromEntries(Object.keys(bin).map((name) => [name, `./${name}.js`])) }),
    engines: { node: '>=20.3' },
  };
}
