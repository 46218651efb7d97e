// Fills an empty database with a backup, in one transaction.
import { Readable } from 'node:stream';
import type { Client } from 'pg';
import type { Connection } from '../connection.ts';
import type { Queryable } from '../database.ts';
import { openSession } from '../long-session.ts';
import { migrate, migrateEmpty } from '../migrations.ts';
import { fillTables, tablesInOrder } from '../tables.ts';
import { damaged } from './file.ts';
import type { Manifest } from './manifest.ts';
import { readBackup } from './read.ts';

type Options = {
  connection: Connection;
  path: string;
  progress: (line: string) => void;
  onBytes: (progress: { table: string; bytes: number }) => void;
  /** Called when all rows are there, before the commit: what it writes commits with them. The schema is the backup's. */
  ready: (on: Queryable) => Promise<void>;
};

/** No row is written. @throws Error if the target is not empty, or the file has changed */
export const restoreBackup = ({ connection, path, progress, onBytes, ready }: Options): Promise<void> =>
  readBackup(path, onBytes, async ({ manifest, rows, end }) => {
    await migrateEmpty(connection, manifest.migrations, progress);
    await openSession(connection, async (target) => {
      await target.query('begin');
      await requireSameTables(target, manifest, path);
      await fillTables({
        target,
        contents: manifest,
        rows: ({ table }) => Readable.from(rows(table), { objectMode: false }),
        onTable: () => {},
      });
      await end();
      progress('The rows are there. Holding what waits to be sent…');
      await target.query('select finish_restore($1)', [manifest.taken_at]);
      const query: Queryable['query'] = async ({ text, values }) =>
        (await target.query(text, values)).rows as never;
      await ready({ query, write: async (statement) => void (await query(statement)) });
      await target.query('commit');
      progress('Collecting statistics for the planner…');
      await target.query('analyze');
    });
    await migrate(connection, progress);
  });

/** The names become SQL, so they must be those that the migrations have made. */
async function requireSameTables(target: Client, manifest: Manifest, path: string): Promise<void> {
  const listed = (tables: Manifest['tables']) =>
    tables.map(({ table, columns }) => `${table} (${columns})`).toSorted();
  const ours = await tablesInOrder(target);
  if (listed(ours).join() !== listed(manifest.tables).join())
    throw damaged(path, 'its tables are not those of its schema');
  const names = new Set(ours.map(({ table }) => table));
  if (manifest.partitions.some(({ parent }) => !names.has(parent)))
    throw damaged(path, 'it has a partition of an unknown table');
}
