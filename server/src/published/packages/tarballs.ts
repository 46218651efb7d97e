// The packages that were built, in memory: no path of a request reaches the file system.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entityTag } from '../../base/http/entity-tag.ts';

export type Tarball = {
  readonly name: string;
  readonly version: string;
  /** The names of the files below /packages/. The second has a hash of the content. */
  readonly file: string;
  readonly immutableFile: string;
  readonly integrity: string;
  readonly etag: string;
  readonly content: Buffer;
};

/** What `npm run packages` writes to packages.json. */
type Built = { name: string; version: string; file: string };

/** @throws Error when the folder has no build */
export function readTarballs(folder: string): Tarball[] {
  const built = JSON.parse(readFileSync(join(folder, 'packages.json'), 'utf8')) as Built[];
  return built.map(({ name, version, file }) => {
    const content = readFileSync(join(folder, file));
    const shortName = name.slice(name.indexOf('/') + 1);
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
    return {
      name,
      version,
      file: `${shortName}.tgz`,
      immutableFile: `${shortName}-${version}-${hash}.tgz`,
      integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      etag: entityTag(content),
      content,
    };
  });
}
