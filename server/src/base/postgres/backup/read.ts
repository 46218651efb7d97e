// Reads a backup from its start to its end, and checks all of it.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { damaged, readBackupFile } from './file.ts';
import { type End, type Manifest, parseEnd, parseManifest, parseTableEnd } from './manifest.ts';
import { kinds, readRecords } from './records.ts';

type Progress = { table: string; bytes: number };

type BackupReader = {
  readonly manifest: Manifest;
  /** @throws Error when they are not those that were written */
  rows(table: string): AsyncGenerator<Buffer>;
  /** Call it after the last table. @throws Error when something is missing */
  end(): Promise<End>;
};

export async function readBackup<T>(
  path: string,
  onProgress: (progress: Progress) => void,
  work: (reader: BackupReader) => Promise<T>,
): Promise<T> {
  const records = readRecords(readBackupFile(path), (why) => damaged(path, why));
  const all = createHash('sha256');
  const found = { rows: 0, bytes: 0 };

  async function next(...expected: number[]): Promise<{ kind: number; payload: Buffer }> {
    const { value } = await records.next();
    if (!value || !expected.includes(value.kind)) throw damaged(path, 'a record is missing');
    return value;
  }

  async function* rows(table: string): AsyncGenerator<Buffer> {
    const { payload: name } = await next(kinds.table);
    if (name.toString() !== table) throw damaged(path, `the table ${table} is missing`);
    const hash = createHash('sha256');
    const before = { ...found };
    for (;;) {
      const { kind, payload } = await next(kinds.rows, kinds.tableEnd);
      if (kind === kinds.tableEnd) {
        const here = { rows: found.rows - before.rows, bytes: found.bytes - before.bytes };
        const written = parse(parseTableEnd, payload);
        if (!isDeepStrictEqual(written, { table, ...here, sha256: hash.digest('hex') }))
          throw damaged(path, `the rows of ${table} are not those that were written`);
        all.update(payload);
        return;
      }
      hash.update(payload);
      found.bytes += payload.length;
      found.rows += countRows(payload);
      onProgress({ table, bytes: found.bytes });
      yield payload;
    }
  }

  async function end(): Promise<End> {
    const written = parse(parseEnd, (await next(kinds.end)).payload);
    if (!isDeepStrictEqual(written, { ...found, sha256: all.digest('hex') }))
      throw damaged(path, 'the sums at its end are not those of its content');
    if (!(await records.next()).done) throw damaged(path, 'something follows its end');
    return written;
  }

  function parse<V>(read: (json: unknown) => V, payload: Buffer): V {
    try {
      return read(JSON.parse(payload.toString()));
    } catch {
      throw damaged(path, 'a record has another form');
    }
  }

  try {
    const { payload } = await next(kinds.manifest);
    all.update(payload);
    return await work({ manifest: parse(parseManifest, payload), rows, end });
  } finally {
    await records.return(undefined);
  }
}

/** In PostgreSQL's text format a row ends with a line feed, and values have none. */
function countRows(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}

export const verifyBackup = (
  path: string,
  onProgress: (progress: Progress) => void,
): Promise<{ manifest: Manifest; end: End }> =>
  readBackup(path, onProgress, async ({ manifest, rows, end }) => {
    for (const { table } of manifest.tables) for await (const _ of rows(table));
    return { manifest, end: await end() };
  });
