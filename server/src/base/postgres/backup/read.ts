// Reads a backup from its start to its end, and checks all of it.
import { createHash } from 'node:crypto';
import { damaged, readBackupFile } from './file.ts';
import { type End, type Manifest, parseEnd, parseManifest, parseTableEnd } from './manifest.ts';
import { kinds, readRecords } from './records.ts';

export type BackupReader = {
  readonly manifest: Manifest;
  /** @throws Error when they are not those that were written */
  rows(table: string): AsyncGenerator<Buffer>;
  /** Call it after the last table. @throws Error when something is missing */
  end(): Promise<End>;
};

export async function readBackup<T>(path: string, work: (reader: BackupReader) => Promise<T>): Promise<T> {
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
    const here = { rows: 0, bytes: 0 };
    for (;;) {
      const { kind, payload } = await next(kinds.rows, kinds.tableEnd);
      if (kind === kinds.tableEnd) {
        const end = parse(parseTableEnd, payload);
        if (
          end.table !== table ||
          end.rows !== here.rows ||
          end.bytes !== here.bytes ||
          end.sha256 !== hash.digest('hex')
        )
          throw damaged(path, `the rows of ${table} are not those that were written`);
        all.update(payload);
        break;
      }
      hash.update(payload);
      here.bytes += payload.length;
      here.rows += countRows(payload);
      yield payload;
    }
    found.rows += here.rows;
    found.bytes += here.bytes;
  }

  async function end(): Promise<End> {
    const written = parse(parseEnd, (await next(kinds.end)).payload);
    if (written.rows !== found.rows || written.bytes !== found.bytes || written.sha256 !== all.digest('hex'))
      throw damaged(path, 'the sums at its end are not those of its content');
    if (!(await records.next()).done) throw damaged(path, 'something follows its end');
    return written;
  }

  function parse<V>(read: (payload: Buffer) => V, payload: Buffer): V {
    try {
      return read(payload);
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
  onProgress: (progress: { table: string; rows: number; bytes: number }) => void,
): Promise<{ manifest: Manifest; end: End }> =>
  readBackup(path, async ({ manifest, rows, end }) => {
    let bytes = 0;
    for (const { table } of manifest.tables) {
      for await (const chunk of rows(table)) {
        bytes += chunk.length;
        onProgress({ table, rows: 0, bytes });
      }
    }
    return { manifest, end: await end() };
  });
