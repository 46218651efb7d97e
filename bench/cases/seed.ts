// Fills the database that the cases with a history use.
import type { Case } from '../case.ts';
import { seed } from '../seeded.ts';
import { now } from '../statistics.ts';

export const seedCase: Case = {
  name: 'seed',
  about: 'fills the database of the cases that need a large one, as `--seed` does',
  limitMinutes: 120,
  onlyByName: true,
  async measure(context) {
    const start = now();
    const { sql } = await seed(context);
    const { rows } = await sql.query<{ gib: number }>(
      'select pg_database_size(current_database()) / 2 ^ 30 as gib',
    );
    return [
      { name: 'seed', value: (now() - start) / 60_000, unit: 'minutes' },
      { name: 'seed size', value: rows[0]?.gib ?? 0, unit: 'GiB' },
    ];
  },
};
