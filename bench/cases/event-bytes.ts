// What an event with one delivery leaves in the database, and what it writes to the WAL: docs/operating/scale.md
// counts with these numbers.
import type { Case, Row } from '../case.ts';
import { type Stage, startStage } from '../stage.ts';
import { measureSpread } from '../webhooks.ts';

const tables = ['event', 'delivery', 'attempt'] as const;

/** Totals since the start of the server. Tables count with their partitions and indexes. */
type Totals = { events: number; wal: number; syncs: number; commits: number } & Record<
  (typeof tables)[number],
  number
>;

async function readTotals({ sql }: Stage): Promise<Totals> {
  const sizes = tables.map(
    (table) =>
      `(select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('${table}')) as ${table}`,
  );
  const { rows } = await sql.query<Totals>(
    `select (select count(*)::float8 from event) as events, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
       (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as syncs,
       (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits, ${sizes.join(', ')}`,
  );
  if (rows[0] === undefined) throw new Error('PostgreSQL told no totals');
  return rows[0];
}

export const eventBytes: Case = {
  name: 'event_bytes',
  about:
    'bytes on disk and in the WAL, fsyncs and commits for an event of `spread` with its delivery and attempt',
  limitMinutes: 5,
  onlyByName: true,
  async measure(context) {
    const stage = await startStage(context);
    const before = await readTotals(stage);
    const spread = await measureSpread('event_bytes spread', stage);
    const after = await readTotals(stage);
    // The hundred partners of the load are in these numbers too: one in a hundred of the rows.
    const each = (total: keyof Totals) => (after[total] - before[total]) / (after.events - before.events);
    const bytes = (name: string, value: number): Row => ({
      name: `event_bytes ${name}`,
      value,
      unit: 'bytes an event',
    });
    return [
      bytes('on disk', each('event') + each('delivery') + each('attempt')),
      ...tables.map((table) => bytes(`in ${table}`, each(table))),
      bytes('in the WAL', each('wal')),
      { name: 'event_bytes fsyncs of the WAL', value: each('syncs'), unit: 'an event' },
      { name: 'event_bytes commits', value: each('commits'), unit: 'an event' },
      ...spread,
    ];
  },
};
