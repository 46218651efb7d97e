// The file of a backup: of one moment, whole or absent, and refused after any change.
import { cpSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { verifyBackup } from '../src/postgres/backup/read.ts';
import { restoreBackup } from '../src/postgres/backup/restore.ts';
import { writeBackup } from '../src/postgres/backup/write.ts';
import { kill, launch, newDataDir, newScratchDir } from './launch.ts';
import { createTestDatabase, type TestDatabase } from './start-service.ts';

const root = join(import.meta.dirname, '../..');
let source: TestDatabase;
beforeAll(async () => {
  source = await createTestDatabase();
  await source.sql(
    `insert into partner (id, name) select gen_random_uuid(), 'Partner ' || n || E' \\t\\\\N é' from generate_series(1, 20000) n`,
  );
});
afterAll(() => source.drop());

const write = (path: string) =>
  writeBackup({ connection: { connectionString: source.url }, path, version: '0', secrets: null, onProgress: () => {} });
const verify = (path: string) => verifyBackup(path, () => {});
const restore = (path: string, target: TestDatabase) =>
  restoreBackup({ connection: { connectionString: target.url }, path, progress: () => {}, onBytes: () => {} });
const namesIn = (database: TestDatabase) => database.sql('select id, name from partner order by id');

it('O21: a file that is truncated, changed, extended or of another kind is refused, wherever that is', async () => {
  const dir = newScratchDir();
  const path = join(dir, 'whole');
  await write(path);
  const whole = readFileSync(path);
  expect((await verify(path)).end.rows).toBeGreaterThan(20_000);
  const changed = join(dir, 'changed');
  const whyOf = async (bytes: Buffer | string) => {
    writeFileSync(changed, bytes);
    return verify(changed).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  const places = Array.from({ length: 40 }, (_, index) => Math.floor((index / 40) * whole.length));
  for (const at of places.slice(1))
    expect([at, await whyOf(whole.subarray(0, at))]).toEqual([at, expect.stringContaining('truncated')]);
  for (const at of [...places, whole.length - 1, whole.length - 20]) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect([at, await whyOf(bytes)]).toEqual([at, expect.stringMatching(/has changed|truncated|not a backup/)]);
  }
  expect(await whyOf(Buffer.concat([whole, Buffer.from('x')]))).toContain('something was added');
  expect(await whyOf('')).toContain('is not a backup of Concord');
  expect(await whyOf('PGDMP')).toContain('is not a backup of Concord');
  expect(await whyOf('concord backup 2\nwhatever')).toContain('newer Concord');
  await expect(verify(dir)).rejects.toThrow('is not a backup of Concord');
  await expect(verify(join(dir, 'absent'))).rejects.toThrow('There is no file');
  // A restore of such a file writes no row.
  const target = await createTestDatabase();
  writeFileSync(changed, whole.subarray(0, whole.length / 2));
  await expect(restore(changed, target)).rejects.toThrow('truncated');
  const late = Buffer.from(whole);
  late.writeUInt8(late.readUInt8(whole.length - 40) ^ 1, whole.length - 40);
  writeFileSync(changed, late);
  await expect(restore(changed, target)).rejects.toThrow('has changed');
  expect(await namesIn(target)).toEqual([]);
  await restore(path, target);
  expect(await namesIn(target)).toEqual(await namesIn(source));
  await expect(restore(path, target)).rejects.toThrow('The target is not empty');
  await target.drop();
});

it('O20: has what the database had at one moment, has its name when it is complete, and is written by one at a time', async () => {
  const dir = newScratchDir();
  const path = join(dir, 'concord.backup');
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: source.url };
  const backup = () => launch(environment, ['backup', '--to', path]);
  const modeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mode;
  // A backup reads partners, and then waits for this lock.
  const hold = async () => {
    await source.sql('begin');
    await source.sql('lock table webhook_endpoint');
  };
  await hold();
  const waiting = () =>
    source.sql(
      'select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
    );
  const killed = backup();
  await expect.poll(waiting).toHaveLength(1);
  expect([modeOf(path), modeOf(`${path}.partial`)! & 0o777]).toEqual([undefined, 0o600]);
  const second = launch(environment, ['backup', '--to', join(dir, 'second')]);
  expect([await second.ended, second.lines.at(-1)]).toEqual([
    1,
    expect.stringContaining('Another backup of this database is running'),
  ]);
  await kill(killed.child);
  // Its connection goes on until it writes to the process that is gone.
  await source.sql('rollback');
  await expect.poll(() => source.sql(`select from pg_locks where locktype = 'advisory'`)).toHaveLength(0);
  await hold();
  expect(modeOf(path)).toBe(undefined);
  const again = backup();
  await expect.poll(waiting).toHaveLength(1);
  await source.sql(`insert into partner (id, name) values ('00000000-0000-7000-8000-000000000001', 'later')`);
  await source.sql(`insert into webhook_endpoint (id, partner_id, url, environment, ordering, max_concurrency, header_names, status)
    values (gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'https://later.example/', 'live', 'none', 1, '{}', 'active')`);
  await source.sql('commit');
  expect([await again.ended, again.lines.join('\n')]).toEqual([0, expect.stringContaining('rows')]);
  expect([modeOf(path)! & 0o777, modeOf(`${path}.partial`)]).toEqual([0o600, undefined]);
  const overwriting = backup();
  expect([await overwriting.ended, overwriting.lines.at(-1)]).toEqual([
    1,
    expect.stringContaining('A backup is never overwritten'),
  ]);
  const target = await createTestDatabase({ migrated: false });
  await restore(path, target);
  expect(await target.sql(`select from partner where name = 'later'`)).toEqual([]);
  expect(await target.sql('select from webhook_endpoint')).toEqual([]);
  const recorded = await target.sql(`select outcome from audit_log where action = 'database.backup'`);
  expect(recorded).toEqual(expect.arrayContaining([{ outcome: 'intended' }]));
  await target.drop();
});

it('O25: a backup of an earlier schema is restored and updated, and one of a newer schema is refused', async () => {
  const dir = newScratchDir();
  const newer = copyProgram(dir, 'create table later (id integer);');
  const [older, target] = [await createTestDatabase(), await createTestDatabase({ migrated: false })];
  const run = async (database: TestDatabase, args: string[], checkout?: string) => {
    const command = launch({ CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: database.url }, args, { checkout });
    return [await command.ended, command.lines.join('\n')];
  };
  const [old, young] = [join(dir, 'old'), join(dir, 'young')];
  expect(await run(older, ['backup', '--to', old])).toEqual([0, expect.any(String)]);
  // A backup does not change the schema.
  expect(await run(older, ['backup', '--to', young], newer)).toEqual([
    1,
    expect.stringContaining('the schema of another Concord'),
  ]);
  expect(await run(target, ['restore', '--from', old], newer)).toEqual([0, expect.stringContaining('Restored')]);
  expect(await target.sql('select from later')).toEqual([]);
  expect(await run(target, ['backup', '--to', young], newer)).toEqual([0, expect.any(String)]);
  const empty = await createTestDatabase({ migrated: false });
  expect(await run(empty, ['restore', '--from', young])).toEqual([
    1,
    expect.stringContaining('A newer Concord wrote the backup'),
  ]);
  expect(await empty.sql(`select from pg_tables where schemaname = 'public'`)).toEqual([]);
  await Promise.all([older, target, empty].map((database) => database.drop()));
});

/** A copy of this program with one migration more. */
function copyProgram(dir: string, migration: string): string {
  const checkout = join(dir, 'newer');
  for (const part of ['server/src', 'server/migrations', 'server/package.json', 'package.json'])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  for (const part of ['node_modules', 'packages']) symlinkSync(join(root, part), join(checkout, part));
  writeFileSync(join(checkout, 'server/migrations/9999_later.sql'), `-- Up Migration\n${migration}\n`);
  return checkout;
}
