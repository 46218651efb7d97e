// The next version, for the tests of upgrades: this one, with one more migration.
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newScratchDir } from '../stage/launch.ts';

const root = join(import.meta.dirname, '../../..');

/** After all others, whatever their number. It locks two tables. */
export const nextStep = '9000_next_step';
const step = `alter table partner add column of_next_step integer;
alter table event add column of_next_step integer;
`;

/** The program of the next version. `sql`: its migration. */
export function makeNextVersion(sql = step) {
  const checkout = join(newScratchDir(), 'next');
  mkdirSync(checkout);
  for (const name of readdirSync(root)) {
    if (name === 'server' || name === '.git') continue;
    symlinkSync(join(root, name), join(checkout, name));
  }
  const server = join(checkout, 'server');
  mkdirSync(server);
  cpSync(join(root, 'server/package.json'), join(server, 'package.json'));
  // With the bundle of the same sources, it starts faster.
  for (const name of ['src', 'dist', 'migrations'])
    cpSync(join(root, 'server', name), join(server, name), { recursive: true });
  const migrations = join(server, 'migrations');
  writeFileSync(join(migrations, `${nextStep}.sql`), sql);
  return { checkout, migrations };
}
