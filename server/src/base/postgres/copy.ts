// Copies every table into an empty database, in one transaction on each side.
import type { PoolConfig } from 'pg';
import { openSession } from './long-session.ts';
import { migrate } from './migrations.ts';
import { fillTables, readContents, rowsOf } from './tables.ts';

export async function copyDatabase(
  from: PoolConfig,
  to: PoolConfig,
  announce: (line: string) => void,
): Promise<void> {
  await migrate(from, announce);
  await migrate(to, announce);
  await openSession(from, (source) =>
    openSession(to, async (target) => {
      await source.query('begin isolation level repeatable read read only');
      await target.query('begin');
      await fillTables({
        target,
        contents: await readContents(source),
        rows: (table) => rowsOf(source, table),
        onTable: (table, rowCount) => announce(`${table}: ${rowCount} rows`),
      });
      await target.query('commit');
    }),
  );
  announce('Copied. Set DATABASE_URL to the target and start Concord with the same secrets.');
}
