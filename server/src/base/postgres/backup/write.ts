// Writes a backup of a database that is in use: everything as it was at one moment.

import { createHash } from 'node:crypto';
import type { Client, PoolConfig } from 'pg';
import { hasCode } from '../../errors.ts';
import { openSession } from '../long-session.ts';

import { readContents, rowsOf, type Table } from '../tables.ts';
import { writeBackupFile } from './file.ts';
import type { Manifest, TableEnd } from './manifest.ts';
import { encodeRecord, kinds } from './records.ts';

const lockNotAvailable = '55P03';

type Progress = { table: string; rows: number; bytes: number };

type Options = {
  connection: PoolConfig;
  path: string;
  version: string;
  secrets: string | null;
  onProgress: (progress: Progress) => void;
};

type Written = Progress & { size: number; takenAt: string };

export const writeBackup = ({ connection, path, onProgress, ...about }: Options): Promise<Written> =>
  openSession(connection, async (source) => {
    // It ends with the connection: a moment after a backup, since the server or a pooler closes that.
    await source
      .query(
        `set lock_timeout to '3s'; select pg_advisory_lock(hashtextextended('concord backup', 0)); set lock_timeout to 0`,
      )
      .catch((cause) => {
        if (!hasCode(cause, lockNotAvailable)) throw cause;
        throw new Error('Another backup of this database is running. Wait for it.', { cause });
      });
    await source.query('begin isolation level repeatable read read only');
    let last: Progress = { table: '', rows: 0, bytes: 0 };
    const manifest = await readManifest(source, about);
    const content = dump(source, manifest, (progress) => {
      last = progress;
      onProgress(progress);
    });
    return { size: await writeBackupFile(path, content), takenAt: manifest.taken_at, ...last };
  });

type About = Pick<Options, 'version' | 'secrets'>;

async function readManifest(source: Client, { version, secrets }: About): Promise<Manifest> {
  const { rows } = await source.query(`
    select current_setting('server_version') as postgres, concord_now() as taken_at,
      pg_database_size(current_database())::float8 as database_bytes, array(select name from schema_migration order by name) as migrations,
      (select jsonb_agg(jsonb_build_object('version', version, 'check_value', encode(check_value, 'hex'))) from secret_check) as checks`);
  const { postgres, taken_at, database_bytes, migrations, checks } = rows[0];
  return {
    concord: version,
    postgres,
    taken_at: taken_at.toISOString(),
    database_bytes,
    migrations,
    secret_checks: checks ?? [],
    secrets,
    ...(await readContents(source)),
  };
}

const json = (value: object) => Buffer.from(JSON.stringify(value));

async function* dump(
  source: Client,
  manifest: Manifest,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Buffer> {
  const all = createHash('sha256');
  const told = { rows: 0, bytes: 0 };
  const first = json(manifest);
  all.update(first);
  yield encodeRecord(kinds.manifest, first);
  for (const table of manifest.tables) {
    yield encodeRecord(kinds.table, Buffer.from(table.table));
    const end = yield* dumpTable(source, table, (bytes) =>
      onProgress({ table: table.table, rows: told.rows, bytes: told.bytes + bytes }),
    );
    const last = json(end);
    all.update(last);
    yield encodeRecord(kinds.tableEnd, last);
    told.rows += end.rows;
    told.bytes += end.bytes;
    onProgress({ table: table.table, ...told });
  }
  yield encodeRecord(kinds.end, json({ ...told, sha256: all.digest('hex') }));
}

async function* dumpTable(
  source: Client,
  table: Table,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer, TableEnd> {
  const hash = createHash('sha256');
  const rows = rowsOf(source, table);
  let bytes = 0;
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    yield encodeRecord(kinds.rows, chunk);
    onBytes(bytes);
  }
  return { table: table.table, rows: rows.rowCount, bytes, sha256: hash.digest('hex') };
}
