// The file of a backup: of one moment, whole or absent, and refused after any change.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeBackupFile } from '../../src/base/postgres/backup/file.ts';
import { verifyBackup } from '../../src/base/postgres/backup/read.ts';
import { restoreBackup } from '../../src/base/postgres/backup/restore.ts';
import { writeBackup } from '../../src/base/postgres/backup/write.ts';
import { migrate } from '../../src/base/postgres/migrations.ts';
import { times } from '../stage/cast.ts';
import { kill, launch, newDataDir, newScratchDir, runCommand } from '../stage/launch.ts';
import { ofThisDatabase, waiters } from '../stage/locks.ts';
import { newDatabase } from '../stage/new-database.ts';
import { createTestDatabase, type TestDatabase } from '../stage/start-service.ts';
import { makeNextVersion } from '../upgrade/next-step.ts';

/** The bytes before and after the frame of a file. */
const [firstLine, endMark] = ['concord backup 1\n'.length, 20];
const handlersBefore = process.listenerCount('SIGTERM');
/** Their content takes several chunks of 256 KiB. */
const partners = 10_000;
let source: TestDatabase;
beforeAll(async () => {
  source = await createTestDatabase();
  await source.sql(
    `insert into partner (id, name) select gen_random_uuid(), 'Partner ' || n || E' \\t\\\\N é' from generate_series(1, ${partners}) n`,
  );
  await source.sql(`select nextval('event_position')`);
});
afterAll(() => source.drop());

const write = (path: string, from = source) =>
  writeBackup({
    connection: { connectionString: from.url },
    path,
    version: '0',
    secrets: null,
    onProgress: () => {},
  });
const verify = (path: string) => verifyBackup(path, () => {});
const restore = (path: string, target: TestDatabase) =>
  restoreBackup({
    connection: { connectionString: target.url },
    path,
    progress: () => {},
    onBytes: () => {},
    ready: async () => {},
  });
const namesIn = (database: TestDatabase) => database.sql('select id, name from partner order by id');

it('O20: only what a killed backup has left is overwritten', async () => {
  const path = join(newScratchDir(), 'file');
  for (const left of ['', 'concord ba', 'concord backup 1\nabc']) {
    writeFileSync(`${path}.partial`, left);
    await write(path);
    rmSync(path);
  }
  await write(`${path}.partial`);
  await expect(write(path)).rejects.toThrow('was not left by a backup');
  await verify(`${path}.partial`);
  rmSync(`${path}.partial`);
  for (const kind of ['mkfifo', 'mkdir']) {
    execFileSync(kind, [`${path}.partial`]);
    await expect(write(path)).rejects.toThrow('was not left by a backup');
    rmSync(`${path}.partial`, { recursive: true });
  }
  symlinkSync(join(path, 'nowhere'), `${path}.link`);
  await expect(write(`${path}.link`)).rejects.toThrow('A backup is never overwritten');
  writeFileSync(`${path}.partial`, 'a letter');
  await expect(write(path)).rejects.toThrow('was not left by a backup');
  expect(readFileSync(`${path}.partial`, 'utf8')).toBe('a letter');
});

it('O20: a backup whose draft another one replaces fails, and gives its name to nothing', async () => {
  const path = join(newScratchDir(), 'file');
  async function* content() {
    yield Buffer.from('ours');
    rmSync(`${path}.partial`);
    writeFileSync(`${path}.partial`, 'of another one');
  }
  await expect(writeBackupFile(path, content())).rejects.toThrow('Another backup has begun');
  expect(existsSync(path)).toBe(false);
});

it('O20: a database with tables or columns of others is refused, before a file is written', async () => {
  const path = join(newScratchDir(), 'file');
  await source.sql('create table of_an_admin (id integer)');
  await expect(write(path)).rejects.toThrow("tables that are not Concord's: of_an_admin");
  expect(existsSync(path)).toBe(false);
  await source.sql('create schema mine; alter table of_an_admin set schema mine');
  // Other tables have a status.
  for (const column of ['of_an_admin', 'status']) {
    await source.sql(`alter table partner add column ${column} text`);
    await expect(write(path)).rejects.toThrow("a column that is not Concord's");
    expect(existsSync(path)).toBe(false);
    await source.sql(`alter table partner drop column ${column}`);
  }
  await write(path);
});

it('O20, O23: what others have in a schema of their own, such as partitions, and their sequences do not stop a restore', async () => {
  const database = await newDatabase();
  await database.sql(`
    create schema mine;
    create table mine.reading (at date) partition by range (at);
    create table mine.reading_2027 partition of mine.reading for values from ('2027-01-01') to ('2028-01-01');
    create sequence ticket_number; select nextval('ticket_number')`);
  const path = join(newScratchDir(), 'whole');
  await write(path, database);
  await restore(path, await newDatabase());
});

it('O22: secrets in a file that are not those of its database are refused before anything is written', async () => {
  const database = await newDatabase();
  await database.sql(
    `insert into secret_check (version, check_value) values (1, decode(repeat('00', 32), 'hex'))`,
  );
  for (const [secrets, why] of [
    [`1:${'x'.repeat(40)}`, 'differs from the one'],
    ['no secrets', 'cannot be read'],
  ]) {
    const path = join(newScratchDir(), 'whole');
    await writeBackup({
      connection: { connectionString: database.url },
      path,
      version: '0',
      secrets: secrets!,
      onProgress: () => {},
    });
    const dataDir = newDataDir();
    const { code, text } = await runCommand({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', path]);
    expect([code, text]).toEqual([1, expect.stringContaining(why!)]);
    expect(existsSync(dataDir)).toBe(false);
  }
});

it('O21: a file that is truncated, changed, extended or of another kind is refused, wherever that is', async () => {
  const dir = newScratchDir();
  const path = join(dir, 'whole');
  await write(path);
  const whole = readFileSync(path);
  expect((await verify(path)).end.rows).toBeGreaterThan(partners);
  const changed = join(dir, 'changed');
  const whyOf = async (bytes: Buffer | string) => {
    writeFileSync(changed, bytes);
    return verify(changed).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  };
  const contentOf = (bytes: Buffer) => zstdDecompressSync(bytes.subarray(firstLine, -endMark));
  const places = times(40, (index) => Math.floor((index / 40) * whole.length));
  for (const at of places.slice(1))
    expect([at, await whyOf(whole.subarray(0, at))]).toEqual([at, expect.stringContaining('truncated')]);
  for (const at of [...places, whole.length - 1, whole.length - 20]) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    const why = await whyOf(bytes);
    // The compression has bits that change nothing.
    const isSame = why === 'accepted' && contentOf(bytes).equals(contentOf(whole));
    expect([at, isSame ? 'has changed' : why]).toEqual([
      at,
      expect.stringMatching(/has changed|truncated|not a backup/),
    ]);
  }
  expect(await whyOf(Buffer.concat([whole, Buffer.from('x')]))).toContain('something was added');
  expect(await whyOf('')).toContain('is not a backup of Concord');
  expect(await whyOf('PGDMP')).toContain('is not a backup of Concord');
  expect(await whyOf('concord backup 2\nwhatever')).toContain('newer Concord');
  // A frame that is whole, around content that is not.
  const content = contentOf(whole);
  const around = (inside: Buffer) => {
    const frame = zstdCompressSync(inside);
    const end = Buffer.from(whole.subarray(-endMark));
    end.writeBigUInt64BE(BigInt(frame.length));
    return Buffer.concat([whole.subarray(0, firstLine), frame, end]);
  };
  expect(await whyOf(around(content))).toBe('accepted');
  const row = content.indexOf('Partner 777 ');
  const altered = Buffer.from(content);
  altered.write('Q', row);
  expect(await whyOf(around(altered))).toContain('the rows of partner are not those that were written');
  const stamp = content.indexOf('"taken_at":"2') + '"taken_at":"'.length;
  const younger = Buffer.from(content);
  younger.write('3', stamp);
  expect(await whyOf(around(younger))).toContain('the sums at its end');
  expect(await whyOf(around(content.subarray(0, row)))).toContain('a record is not complete');
  expect(await whyOf(around(Buffer.concat([content, content])))).toContain('something follows its end');
  await expect(verify(dir)).rejects.toThrow('is not a backup of Concord');
  await expect(verify(join(dir, 'absent'))).rejects.toThrow('There is no file');
  // A restore of such a file writes no row.
  const target = await newDatabase();
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
});

it('O71: a backup that is told to stop leaves no file', async () => {
  const path = join(newScratchDir(), 'stopped');
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: source.url };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // A backup reads partners, and then waits for this lock.
    await source.sql('begin');
    await source.sql('lock table webhook_endpoint');
    const backup = launch(environment, ['backup', '--to', path]);
    await expect.poll(() => waiters(source)).toHaveLength(1);
    expect(existsSync(`${path}.partial`)).toBe(true);
    // systemd repeats it.
    for (let sent = 0; sent < 1_000; sent++) backup.child.kill(signal);
    await backup.ended;
    expect([backup.child.signalCode, existsSync(`${path}.partial`), existsSync(path)]).toEqual([
      signal,
      false,
      false,
    ]);
    await source.sql('rollback');
    await expect
      .poll(() => source.sql(`select from pg_locks where locktype = 'advisory' and ${ofThisDatabase}`))
      .toHaveLength(0);
  }
  // The process goes on with its own handlers after a backup.
  await write(path);
  expect(process.listenerCount('SIGTERM')).toBe(handlersBefore);
});

it('O20: has what the database had at one moment, has its name when it is complete, and is written by one at a time', async () => {
  const dir = newScratchDir();
  const path = join(dir, 'concord.backup');
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: source.url };
  const args = ['backup', '--to', path];
  const modeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.mode;
  // A backup reads partners, and then waits for this lock.
  const hold = async () => {
    await source.sql('begin');
    await source.sql('lock table webhook_endpoint');
  };
  await hold();
  const killed = launch(environment, args);
  await expect.poll(() => waiters(source)).toHaveLength(1);
  expect([modeOf(path), modeOf(`${path}.partial`)! & 0o777]).toEqual([undefined, 0o600]);
  const second = await runCommand(environment, ['backup', '--to', join(dir, 'second')]);
  expect(second).toMatchObject({
    code: 1,
    text: expect.stringContaining('Another backup of this database is running'),
  });
  await kill(killed.child);
  // Its connection goes on until it writes to the process that is gone.
  await source.sql('rollback');
  await expect
    .poll(() => source.sql(`select from pg_locks where locktype = 'advisory' and ${ofThisDatabase}`))
    .toHaveLength(0);
  await hold();
  expect(modeOf(path)).toBe(undefined);
  expect(await source.sql('select from last_backup')).toEqual([]);
  const again = runCommand(environment, args);
  await expect.poll(() => waiters(source)).toHaveLength(1);
  await source.sql(`insert into partner (id, name) values ('00000000-0000-7000-8000-000000000001', 'later')`);
  await source.sql(`insert into webhook_endpoint (id, partner_id, url, environment, ordering, max_concurrency, header_names, status)
    values (gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'https://later.example/', 'live', 'none', 1, '{}', 'active')`);
  // Its table is read after those that the backup has read or waits for.
  await source.sql('insert into lane (endpoint_id) select id from webhook_endpoint');
  await source.sql('commit');
  expect(await again).toMatchObject({ code: 0, text: expect.stringContaining('rows') });
  expect([modeOf(path)! & 0o777, modeOf(`${path}.partial`)]).toEqual([0o600, undefined]);
  const { manifest } = await verify(path);
  expect(await source.sql('select taken_at from last_backup')).toEqual([
    { taken_at: new Date(manifest.taken_at) },
  ]);
  expect(await runCommand(environment, args)).toMatchObject({
    code: 1,
    text: expect.stringContaining('A backup is never overwritten'),
  });
  const target = await newDatabase({ migrated: false });
  await restore(path, target);
  expect(await target.sql(`select from partner where name = 'later'`)).toEqual([]);
  expect(await target.sql('select from lane')).toEqual([]);
  const recorded = await target.sql(`select outcome from audit_log where action = 'database.backup'`);
  expect(recorded).toEqual(expect.arrayContaining([{ outcome: 'intended' }]));
});

it('O25: a backup of an earlier schema is restored and updated, and one of a newer schema is refused', async () => {
  const dir = newScratchDir();
  const newer = makeNextVersion(
    `create table later (action text);
     create function add_later() returns trigger language plpgsql as
       $$ begin insert into later values (new.action); return null; end $$;
     create trigger added after insert on audit_log for each row
       when (new.action = 'database.restore') execute function add_later();`,
  );
  const [older, target] = [await newDatabase(), await newDatabase({ migrated: false })];
  const run = async ({ url: DATABASE_URL }: TestDatabase, args: string[], checkout?: string) => {
    if (!checkout) {
      const { code, text } = await runCommand({ DATABASE_URL, CONCORD_DATA_DIR: newDataDir() }, args);
      return [code, text];
    }
    const command = launch({ DATABASE_URL }, args, { checkout });
    return [await command.ended, command.lines.join('\n')];
  };
  const [old, young] = [join(dir, 'old'), join(dir, 'young')];
  expect(await run(older, ['backup', '--to', old])).toEqual([0, expect.any(String)]);
  // A backup does not change the schema.
  expect(await run(older, ['backup', '--to', young], newer)).toEqual([
    1,
    expect.stringContaining('the schema of another Concord'),
  ]);
  expect(await run(target, ['restore', '--from', old], newer)).toEqual([
    0,
    expect.stringContaining('Restored'),
  ]);
  // The program records the restore in its own schema, which can differ.
  expect(await target.sql('select action from later')).toEqual([{ action: 'database.restore' }]);
  expect(await run(target, ['backup', '--to', young], newer)).toEqual([0, expect.any(String)]);
  const empty = await newDatabase({ migrated: false });
  expect(await run(empty, ['restore', '--from', young])).toEqual([
    1,
    expect.stringMatching(
      /Concord \d\S+ wrote the backup, with the migration 9000_next_step, which .*Restore it with/,
    ),
  ]);
  expect(await empty.sql(`select from pg_tables where schemaname = 'public'`)).toEqual([]);
});

it('O23, O24: a database of your own gets everything or nothing when the restore is killed, and a second restore is refused', async () => {
  const path = join(newScratchDir(), 'concord.backup');
  await write(path);
  const target = await newDatabase({ migrated: false });
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: target.url };
  const args = ['restore', '--from', path];
  const all = (await namesIn(source)).length;
  const rows = async () =>
    (await target.sql(`select to_regclass('partner') is null as none`))[0].none
      ? 0
      : (await namesIn(target)).length;
  const others = () =>
    target.sql('select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
  const early = launch(environment, args);
  await expect.poll(() => early.lines.join('\n')).toContain('Migrating the database');
  await kill(early.child);
  await expect.poll(others).toEqual([]);
  expect(await rows()).toBe(0);
  await migrate({ connectionString: target.url }, () => {});
  // The restore sets sequences after it has copied all rows, and waits here.
  await target.sql('begin');
  await target.sql('alter sequence event_position cache 1');
  const late = launch(environment, args);
  await expect.poll(() => waiters(target)).toHaveLength(1);
  await kill(late.child);
  await target.sql('rollback');
  await expect.poll(others).toEqual([]);
  expect(await rows()).toBe(0);
  expect(await runCommand(environment, args)).toMatchObject({
    code: 0,
    text: expect.stringContaining('All sessions have ended'),
  });
  expect(await rows()).toBe(all);
  expect(await runCommand(environment, args)).toMatchObject({
    code: 1,
    text: expect.stringContaining('The target is not empty'),
  });
  expect(await rows()).toBe(all);
});
