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

/** The migrations of the next version. `sql`: its own. */
export function makeNextMigrations(sql = step, folder = newScratchDir()) {
  const migrations = join(folder, 'migrations');
  cpSync(join(root, 'server/migrations'), migrations, { recursive: true });
  writeFileSync(join(migrations, `${nextStep}.sql`), sql);
  return migrations;
}

/** The folder of its program. With the bundle of the same sources, it starts faster. */
export function makeNextVersion(sql?: string) {
  const checkout = join(newScratchDir(), 'next');
  mkdirSync(checkout);
  for (const name of readdirSync(root)) {
    if (name === 'server' || name === '.git') continue;
    symlinkSync(join(root, name), join(checkout, name));
  }
  const server = join(checkout, 'server');
  for (const name of ['package.json', 'src', 'dist'])
    cpSync(join(root, 'server', name), join(server, name), { recursive: true });
  makeNextMigrations(sql, server);
  return checkout;
}
