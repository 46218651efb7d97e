// From a service with its own database to a file, and from the file to a service on a new data directory.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { removeDataDir } from '../../src/base/postgres/embedded/cluster.ts';
import { makeDatabase } from '../../src/base/postgres/new-database.ts';
import { expectStatus, pluck, stock } from '../stage/cast.ts';
import {
  kill,
  launch,
  newDataDir,
  newScratchDir,
  newUsedDataDir,
  runCommand,
  signIn,
  usedPassword,
} from '../stage/launch.ts';
import { waiters } from '../stage/locks.ts';
import { newDatabase } from '../stage/new-database.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { createClient, createTestDatabase } from '../stage/start-service.ts';

/** A backup of a new database. */
const file = join(newScratchDir(afterAll), 'concord.backup');
beforeAll(async () => {
  const { url, drop } = await createTestDatabase();
  await runCommand({ CONCORD_DATA_DIR: join(file, '..'), DATABASE_URL: url }, ['backup', '--to', file]);
  await drop();
});

it('O20, O22, O23, O24, O26, O27: a backup of a running service becomes another service, and what was pending waits', async () => {
  const [home, elsewhere, scratch] = [await newUsedDataDir(), newDataDir(), newScratchDir()];
  const environment = {
    ...toLoopback,
    CONCORD_WEBHOOK_RETRY_SCHEDULE: '1h',
  };
  const run = async (dataDir: string, args: string[], others: Record<string, string> = {}) => {
    const { code, text } = await runCommand({ ...environment, CONCORD_DATA_DIR: dataDir, ...others }, args);
    return [code, text];
  };
  const refusal = (text: string) => [1, expect.stringContaining(text)];
  const done = (text: string) => [0, expect.stringContaining(text)];

  const first = launch({ ...environment, CONCORD_DATA_DIR: home });
  const url = await first.ready();
  const receiver = await startReceiver(url);
  let status = 500;
  const hook = receiver.url((_, response) => void response.writeHead(status).end());
  const before = await signIn(url, usedPassword);
  const { body: partner } = await before.request('POST', '/partners', { name: 'Acme' });
  const within = `/partners/${partner.id}`;
  await before.request('POST', `${within}/webhook-endpoints`, { url: hook });
  const publish = (session: typeof before, quantity: number) =>
    session.request('POST', `${within}/events`, stock(quantity));
  const deliveries = async (session: typeof before) =>
    (await session.request('GET', `${within}/deliveries`)).body;
  await publish(before, 1);
  await expect.poll(async () => (await deliveries(before))[0].attempt_count).toBe(1);

  const [plain, complete] = [join(scratch, 'plain'), join(scratch, 'complete')];
  expect(await run(home, ['backup', '--to', plain])).toEqual(done('cannot be restored without them'));
  expect(await run(home, ['backup', '--to', complete, '--with-secrets'])).toEqual(done(complete));
  expect(await run(elsewhere, ['backup', '--verify', complete])).toEqual(done('It has the secrets'));
  expect(existsSync(elsewhere)).toBe(false);
  expect(await run(home, ['restore', '--from', complete])).toEqual(refusal('Concord is running on'));
  await before.request('POST', '/partners', { name: 'After the backup' });
  before.close();
  first.child.kill('SIGTERM');
  await first.ended;

  const others = { CONCORD_SECRETS: `1:${'x'.repeat(40)}` };
  expect(await run(home, ['restore', '--from', complete])).toEqual(
    refusal('is not empty: it has a database'),
  );
  expect(await run(elsewhere, ['restore', '--from', plain])).toEqual(
    refusal('secrets that are missing here'),
  );
  expect(await run(elsewhere, ['restore', '--from', plain], others)).toEqual(refusal('differs from the one'));
  expect(await run(elsewhere, ['restore', '--from', complete], others)).toEqual(
    refusal('differs from the one'),
  );
  const taken = await newDatabase();
  await taken.sql(`insert into partner (id, name) values (gen_random_uuid(), 'Other')`);
  expect(await run(elsewhere, ['restore', '--from', complete], { DATABASE_URL: taken.url })).toEqual(
    refusal('The target is not empty'),
  );
  expect(readdirSync(elsewhere)).toEqual([]);
  const [own, away] = [await newDatabase(), newDataDir()];
  // The restore sets sequences after it has copied all rows, and waits here. Meanwhile another process makes
  // secrets.
  await own.sql('begin; alter sequence event_position cache 1');
  const overtaken = run(away, ['restore', '--from', complete], { DATABASE_URL: own.url });
  await expect.poll(() => waiters(own)).toHaveLength(1);
  writeFileSync(join(away, 'secrets'), `1:${'y'.repeat(40)}\n`, { mode: 0o600 });
  await own.sql('rollback');
  expect(await overtaken).toEqual(refusal('differs from the one'));
  expect(await own.sql('select from partner')).toEqual([]);
  rmSync(join(away, 'secrets'));
  expect(await run(away, ['restore', '--from', complete], { DATABASE_URL: own.url })).toEqual(
    done('All sessions have ended'),
  );
  expect(readdirSync(away)).toEqual(['secrets']);
  expect(await own.sql('select count(*)::int as partners from partner')).toEqual([{ partners: 1 }]);

  for (const step of ['Creating the database', 'Migrating the database', 'Holding what waits']) {
    const restore = launch({ ...environment, CONCORD_DATA_DIR: elsewhere }, ['restore', '--from', complete]);
    await expect.poll(() => restore.lines.join('\n')).toContain(step);
    await kill(restore.child);
    expect(readdirSync(elsewhere)).toEqual([expect.stringMatching(/^restore\.partial-\w{6}$/)]);
  }
  expect(await run(elsewhere, ['restore', '--from', complete])).toEqual(done('All sessions have ended'));
  expect(readdirSync(elsewhere).toSorted()).toEqual(['postgres', 'secrets']);
  expect(statSync(join(elsewhere, 'secrets')).mode & 0o777).toBe(0o600);

  status = 204;
  const second = launch({ ...environment, CONCORD_DATA_DIR: elsewhere });
  const secondUrl = await second.ready();
  const after = await signIn(secondUrl, usedPassword);
  expect((await after.request('GET', '/partners')).body).toEqual([partner]);
  const stale = createClient(secondUrl);
  await expectStatus(401, stale.request('GET', '/partners', { token: before.token }));
  stale.close();
  const held = async () => (await after.request('GET', '/platform/held-deliveries')).body;
  expect(await held()).toMatchObject({ state: 'waiting', deliveries: 1, mails: 0 });
  // What is new is delivered, and what was pending waits.
  await publish(after, 2);
  const received = () => receiver.at(hook).map(({ event }) => (event.data as { quantity: number }).quantity);
  await expect
    .poll(async () => (await deliveries(after)).map((each: { status: string }) => each.status))
    .toEqual(['pending', 'delivered']);
  expect((await deliveries(after))[0]).toMatchObject({ attempt_count: 1, next_attempt_at: null });
  expect(await run(elsewhere, ['pending', 'send'])).toEqual(done('1 deliveries and 0 mails are due now'));
  await expect.poll(received).toEqual([1, 2, 1]);
  expect(await held()).toMatchObject({ state: 'none', deliveries: 0 });
  expect(await run(elsewhere, ['pending', 'fail'])).toEqual(done('Nothing is held'));
  expect(await run(elsewhere, ['audit', 'verify'])).toEqual(done('The audit log is as it was written'));
  const { body: log } = await after.request('GET', '/audit-log?page_size=100');
  expect(pluck(log, 'action')).toEqual(
    expect.arrayContaining(['database.backup', 'database.restore', 'held_deliveries.send']),
  );
  after.close();
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  receiver.close();
  expect(receiver.refused).toEqual([]);
});

it('O23: the space is asked of the disk that the database goes to, not of the data directory', async ({
  skip,
}) => {
  const disk = join(newScratchDir(), 'disk');
  mkdirSync(disk);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m,mode=700', 'tmpfs', disk]);
  skip(status !== 0, 'This user may not mount a tmpfs.');
  onTestFinished(() => void spawnSync('umount', ['-l', disk]));
  const dataDir = join(disk, 'data');
  const restored = await runCommand({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', file]);
  await removeDataDir(dataDir);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Restored') });
});

it('O23: a restore that another one overtakes fails, and disturbs it in nothing; with a restrictive umask too, the database is in the data directory', async () => {
  const dataDir = newDataDir();
  const restore = async (line: string) => {
    const before = process.umask(0o077);
    const started = launch({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', file]);
    process.umask(before);
    await expect.poll(() => started.lines.join('\n')).toContain(line);
    started.child.kill('SIGSTOP');
    return started;
  };
  const first = await restore('Creating the database');
  const second = await restore('Migrating the database');
  first.child.kill('SIGCONT');
  expect(await first.ended).toBe(1);
  second.child.kill('SIGCONT');
  expect([await second.ended, second.lines.join('\n')]).toEqual([0, expect.stringContaining('Restored')]);
  expect(readdirSync(dataDir)).toEqual(['postgres']);
  expect(lstatSync(join(dataDir, 'postgres')).isDirectory()).toBe(true);
});

it('O23: a restore deletes nothing that a link in the data directory leads to, and says so when another one removes its draft at its end', async () => {
  const [dataDir, other] = [newDataDir(), newScratchDir()];
  const left = join(dataDir, 'restore.partial');
  for (const folder of [left, join(other, 'postgres')]) mkdirSync(folder, { recursive: true, mode: 0o711 });
  writeFileSync(join(other, 'README'), 'The database of the Concord whose data directory is /srv/concord.\n');
  symlinkSync(join(other, 'postgres'), join(left, 'postgres'));
  const ready = () => {
    const [draft = ''] = readdirSync(dataDir);
    renameSync(join(dataDir, draft), join(dataDir, 'restore.partial-taken'));
  };
  const nothing = { progress: () => {}, prepare: async () => {}, fill: async () => {} };
  await expect(makeDatabase({ dataDir, ...nothing, ready })).rejects.toThrow(
    `Another restore has begun in ${dataDir}`,
  );
  expect(readdirSync(dataDir)).toEqual(['restore.partial-taken']);
  expect(readdirSync(other).toSorted()).toEqual(['README', 'postgres']);
});

it.runIf(process.getuid?.() === 0)(
  'O23: a restore deletes what a killed one has left elsewhere, also by another name of the data directory',
  async () => {
    const home = newScratchDir();
    const [dataDir, link] = [join(home, 'data'), join(home, 'link')];
    mkdirSync(dataDir, { mode: 0o700 });
    symlinkSync(dataDir, link);
    const args = ['restore', '--from', file];
    const placeOf = ({ lines }: { lines: string[] }) =>
      /The database is in (\S+)\/postgres,/.exec(lines.join('\n'))?.[1] ?? '';
    const first = launch({ CONCORD_DATA_DIR: link }, args);
    await expect.poll(() => first.lines.join('\n')).toContain('Migrating the database');
    await kill(first.child);
    expect(existsSync(placeOf(first))).toBe(true);
    const second = await runCommand({ CONCORD_DATA_DIR: dataDir }, args);
    expect(second.code).toBe(0);
    onTestFinished(() => rm(placeOf(second), { recursive: true }));
    expect(existsSync(placeOf(first))).toBe(false);
  },
);

it('O23: the audit log has a restore that is killed after its commit', async () => {
  const own = await newDatabase();
  // The restore fills all tables but this one, and waits here after its commit, to analyze it.
  await own.sql('begin');
  await own.sql('lock table schema_migration in share update exclusive mode');
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: own.url };
  const { child } = launch(environment, ['restore', '--from', file]);
  await expect.poll(() => waiters(own)).toHaveLength(1);
  await kill(child);
  await own.sql('rollback');
  expect(await own.sql(`select from audit_log where action = 'database.restore'`)).toHaveLength(1);
});

it('O23: what a killed restore has left does not take the space of the next one', async ({ skip }) => {
  const dataDir = join(newScratchDir(), 'data');
  mkdirSync(dataDir);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=250m,mode=711', 'tmpfs', dataDir]);
  skip(status !== 0, 'This user may not mount a tmpfs.');
  onTestFinished(() => void spawnSync('umount', ['-l', dataDir]));
  mkdirSync(join(dataDir, 'restore.partial'));
  writeFileSync(join(dataDir, 'restore.partial', 'large'), Buffer.alloc(200_000_000));
  const restored = await runCommand({ CONCORD_DATA_DIR: dataDir }, ['restore', '--from', file]);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Restored') });
  expect(existsSync(join(dataDir, 'restore.partial'))).toBe(false);
});
