// The built console, in memory: no path of a request reaches the file system.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { entityTag } from '../base/http/entity-tag.ts';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** The console has 300 kB compressed, so more is a mistake. */
const maxTotalBytes = 16 * 1024 * 1024;

type Encoding = 'br' | 'gzip';
export type File = {
  readonly type: string;
  /** Its name has a hash of its content, so the content never changes. */
  readonly immutable: boolean;
  /** Weak: it is the same for each encoding. */
  readonly etag: string;
  readonly content: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
};
/** By the path below /console/, such as `assets/index-Dm3k.js`. */
export type Files = ReadonlyMap<string, File>;

/** Null: there is no build. */
export function readFiles(folder: string): Files | null {
  let left = maxTotalBytes;
  function read(path: string): Buffer {
    left -= statSync(path).size;
    if (left < 0)
      throw new Error(
        `${folder} has more than ${maxTotalBytes} bytes; build it again with \`npm run console\``,
      );
    return readFileSync(path);
  }
  const names = list(folder);
  const files = new Map<string, File>();
  for (const name of names) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const path = join(folder, name);
    const content = read(path);
    files.set(name.split(sep).join('/'), {
      type,
      immutable: name.startsWith(`assets${sep}`),
      etag: `W/${entityTag(content)}`,
      content,
      encoded: {
        ...(names.has(`${name}.br`) && { br: read(`${path}.br`) }),
        ...(names.has(`${name}.gz`) && { gzip: read(`${path}.gz`) }),
      },
    });
  }
  return files.has('index.html') ? files : null;
}

function list(folder: string): Set<string> {
  if (!existsSync(folder)) return new Set();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Set(files.map(({ parentPath, name }) => relative(folder, join(parentPath, name))));
}
