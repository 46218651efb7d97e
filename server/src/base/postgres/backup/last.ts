// When the last complete backup was taken, for metrics and for the doctor.
import sql from 'sql-template-tag';
import type { Queryable } from '../database.ts';

/** Backups of one database do not run at the same time. */
export async function recordBackup(on: Queryable, takenAt: string): Promise<void> {
  await on.query(sql`
    insert into last_backup (taken_at) values (${takenAt})
    on conflict (only_row) do update set taken_at = excluded.taken_at`);
}

/** Seconds since the moment that the last backup shows. Null: there was none. */
export async function selectBackupAge(on: Queryable): Promise<number | null> {
  const rows = await on.query<{ age: number }>(
    sql`select greatest(0, extract(epoch from concord_now() - taken_at))::float8 as age from last_backup`,
  );
  return rows[0]?.age ?? null;
}
