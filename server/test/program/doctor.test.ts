// The doctor on real installations, healthy ones and broken ones.

import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { toUrl } from '../../src/base/postgres/connection.ts';
import { startEmbeddedServer } from '../../src/base/postgres/embedded/embedded-server.ts';
import { ownMigrations } from '../../src/base/postgres/migrations.ts';
import { ensurePartitions } from '../../src/webhooks/history/retention/history.ts';
import { launch, newDataDir, newScratchDir, newUsedDataDir, runCommand } from '../stage/launch.ts';
import { freePort, listen } from '../stage/listen.ts';
import { newDatabase } from '../stage/new-database.ts';
import { readDump, restoreDump, secrets } from '../upgrade/dump.ts';

type Finding = { area: string; level: string; text: string; action: string | null };

async function runDoctor(environment: Record<string, string>) {
  const { ended, lines } = launch(environment, ['doctor', '--json']);
  return report(await ended, lines.join('\n'));
}

async function examine(environment: Record<string, string>) {
  const { code, text } = await runCommand(environment, ['doctor', '--json']);
  return report(code, text);
}

function report(code: number | null, text: string) {
  const { counts, findings } = JSON.parse(text) as { counts: Record<string, number>; findings: Finding[] };
  for (const { level, action } of findings)
    if (level === 'warning' || level === 'error') expect(action).toEqual(expect.any(String));
  return { code, counts, shown: findings.map(({ level, area, text }) => `${level} ${area}: ${text}`) };
}
const complaints = (shown: string[]) => shown.filter((line) => /^(warning|error)/.test(line));
const everyFile = (dir: string) => readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort();

it('O41, O44: finds a running installation well, and secrets that others can read; it starts no database', async () => {
  // Before the first start there is nothing, and there is nothing afterwards.
  const absent = newDataDir();
  const before = await examine({ CONCORD_DATA_DIR: absent });
  expect([before.code, complaints(before.shown)]).toEqual([0, [expect.stringContaining('does not exist')]]);
  expect(readdirSync(join(absent, '..'))).toEqual([]);

  const dataDir = await newUsedDataDir();
  const environment = { CONCORD_DATA_DIR: dataDir };
  const service = launch(environment);
  await service.ready();
  const healthy = await examine(environment);
  expect([healthy.code, complaints(healthy.shown)]).toEqual([0, []]);
  const areas = healthy.shown
    .filter((line) => line.startsWith('ok'))
    .map((line) => /^ok (.*?):/.exec(line)?.[1]);
  for (const area of [
    'settings',
    'secrets',
    'database',
    'sessions',
    'tables',
    'clock',
    'instances',
    'signing keys',
    'mail',
    'disk',
  ])
    expect(areas).toContain(area);

  chmodSync(join(dataDir, 'secrets'), 0o644);
  const broken = await examine(environment);
  expect([broken.code, complaints(broken.shown)]).toEqual([
    1,
    [expect.stringMatching(/^error secrets: .*mode 0644/)],
  ]);
  chmodSync(join(dataDir, 'secrets'), 0o600);
  const others = await examine({ ...environment, CONCORD_SECRETS: `1:${'x'.repeat(40)}` });
  expect(complaints(others.shown)).toEqual([
    expect.stringMatching(/^error secrets: Version 1 of the secrets in CONCORD_SECRETS differs/),
  ]);

  service.child.kill('SIGTERM');
  await service.ended;
  const files = everyFile(dataDir);
  const stopped = await examine(environment);
  expect(stopped).toMatchObject({
    code: 0,
    shown: expect.arrayContaining([expect.stringMatching(/^note database: No Concord runs/)]),
  });
  expect(everyFile(dataDir)).toEqual(files);
});

it('O42, O45, O46, O47, O48: finds every fault of an installation, changes nothing, and ends although something hangs', async () => {
  const dataDir = join(newScratchDir(), 'postgres');
  mkdirSync(dataDir, { mode: 0o711 });
  // Fewer than one process may use, and enough for the service, this test and the doctor beside each other.
  const settings = { max_prepared_transactions: '5', synchronous_commit: 'off', max_connections: '20' };
  const server = await startEmbeddedServer({ dataDir, settings, progress: () => {}, onCrash: () => {} });
  onTestFinished(server.stop);
  const url = toUrl(server.connection);
  // An empty database lacks nothing that the first start makes.
  const empty = await examine({ DATABASE_URL: url, CONCORD_DATA_DIR: newDataDir() });
  expect(empty.shown).toContainEqual(expect.stringMatching(/^note database: The database is empty/));
  expect(empty.shown).not.toContainEqual(expect.stringContaining('pg_trgm'));
  const environment = {
    DATABASE_URL: url,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_SECRETS: `2:${'n'.repeat(40)},1:${'o'.repeat(40)}`,
    CONCORD_OPERATOR_PASSWORD: 'correct horse battery',
    CONCORD_ROLE: 'api',
  };
  const service = launch(environment);
  await service.ready();
  const [client, idle] = [
    new Client(url),
    new Client({ connectionString: url, application_name: 'a report' }),
  ];
  await Promise.all([client.connect(), idle.connect()]);
  onTestFinished(async () => void (await Promise.all([client.end(), idle.end()])));
  await client.query(`begin; select count(*) from partner; prepare transaction 'left behind'`);
  // Whoever reads mail waits for it.
  await idle.query('begin; lock table mail in access exclusive mode');
  await client.query(`insert into schema_migration (name, run_on) values ('9999_future', now())`);
  // The task of the running service would make them again.
  await client.query(`
    insert into scheduled_task (name, next_at) values ('make webhook partitions', 'infinity')
    on conflict (name) do update set next_at = excluded.next_at`);
  await client.query(`create index on partner (name, id); update pg_index set indisvalid = false
    where indexrelid = 'partner_name_id_idx'::regclass`);
  const week = await lastWeek(client);
  await client.query(`drop table attempt_${week}, delivery_${week}, event_${week}`);
  // An hour passes for the database, and not for this machine. A doctor that could write learns no time.
  await client.query(`
    create or replace function concord_now() returns timestamptz language plpgsql stable as $$ begin
      if current_setting('application_name') = 'concord doctor' and current_setting('transaction_read_only') = 'off' then
        raise 'The doctor could write';
      end if;
      return now() + interval '1 hour';
    end $$`);
  const rowsBefore = await client.query('select count(*) from audit_log');

  // The mail server accepts the connection and says nothing.
  const port = await listen(createServer(() => {}));
  const start = performance.now();
  const { code, shown } = await runDoctor({
    ...environment,
    PORT: 'x',
    CONCORD_SMTP_URL: `smtp://127.0.0.1:${port}`,
    CONCORD_MAIL_FROM: 'concord@corp.example',
    CONCORD_WEBHOOK_PROXY_URL: `http://127.0.0.1:${await freePort()}`,
  });
  expect(performance.now() - start).toBeLessThan(60_000);
  expect(code).toBe(1);
  for (const expected of [
    /^error settings: PORT: /,
    /^note secrets: Version 2 seals new data; the versions 1 open older data/,
    /^error database: The database has the migration 9999_future, which this Concord does not have/,
    /^error database: synchronous_commit is off/,
    /^warning database: The server accepts 17 connections of users; 1 process of Concord uses up to 18/,
    /^warning sessions: The prepared transaction "left behind" is 1 h|^warning sessions: The prepared transaction "left behind" is 60 min/,
    /^warning sessions: A transaction of concord \(a report, process \d+, idle in transaction\) has been open for 60 min/,
    'warning tables: The index partner_name_id_idx of partner is not valid: no query reads it.',
    /^warning tables: The webhook tables have no partitions for the weeks from \d{4}-\d\d-\d\d(, \d{4}-\d\d-\d\d)*\./,
    /^error clock: The clock of this machine is 3[56]\d\d(\.\d)? s behind that of the database/,
    /^warning instances: No instance has had a heartbeat|^error instances: No instance sends webhooks/,
    /^error mail: The mail server 127\.0\.0\.1:\d+ cannot be used: /,
    /^error mail: The check failed: canceling statement due to statement timeout/,
    /^error egress: The egress proxy 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
    /^ok signing keys: The live key /,
  ])
    expect(shown).toContainEqual(expect.stringMatching(expected));
  expect((await client.query('select count(*) from audit_log')).rows).toEqual(rowsBefore.rows);
  await client.query(`rollback prepared 'left behind'`);
  service.child.kill('SIGTERM');
  await service.ended;
});

it('O42, O45: examines a database of an older release as far as it can, and applies nothing', async () => {
  const old = await restoreDump(readDump('0009_across_features'));
  onTestFinished(old.drop);
  // The dumps grow old: weeks pass, and keys retire.
  const db = old.open();
  await ensurePartitions(db).finally(() => db.close());
  await old.sql(`
    update signing_key set created_at = created_at + age, activates_at = activates_at + age, retires_at = retires_at + age
    from (select now() - max(created_at) as age from signing_key) dump`);
  await old.sql('drop table instance');
  const later = ownMigrations().slice(7);
  await old.sql('delete from schema_migration where name = any ($1)', [later]);
  const { shown } = await examine({
    DATABASE_URL: old.url,
    CONCORD_DATA_DIR: newDataDir(),
    CONCORD_SECRETS: secrets,
  });
  expect(shown).toContainEqual(
    expect.stringContaining(
      `note database: ${later.length} migrations must be applied, from ${later[0]} to `,
    ),
  );
  expect(shown).toContainEqual(
    expect.stringMatching(/^note instances: Not examined: the database has the tables of another version/),
  );
  expect(shown).toContainEqual(expect.stringMatching(/^ok secrets: .* are those of the database/));
  expect(shown).toContainEqual(expect.stringMatching(/^ok sessions/));
  expect(await old.sql('select count(*)::int from schema_migration')).toEqual([{ count: 7 }]);
  // The server of the tests has fsync off.
  expect(shown.filter((line) => line.startsWith('error') && !/ is off: /.test(line))).toEqual([]);
});

it.each(['refuses connections', 'accepts them and says nothing'])(
  'O42: with a database that %s, everything else is examined; the password stays secret',
  async (behaviour) => {
    const port =
      behaviour === 'refuses connections' ? await freePort() : await listen(createServer(() => {}));
    const { code, shown } = await examine({
      DATABASE_URL: `postgres://concord:hunter2@127.0.0.1:${port}/concord`,
      CONCORD_DATA_DIR: newDataDir(),
      CONCORD_SECRETS: `1:${'x'.repeat(40)}`,
      CONCORD_SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    });
    expect(code).toBe(1);
    expect(shown).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^error database: The database at 127.0.0.1:${port} cannot be reached: .*(ECONNREFUSED|timeout)`,
        ),
      ),
    );
    expect(shown).toContainEqual(
      expect.stringMatching(/^note secrets: Whether the secrets are those of the database was not checked/),
    );
    expect(shown).toContainEqual(expect.stringMatching(/^error mail: .*ECONNREFUSED/));
    expect(shown).toContainEqual(expect.stringMatching(/^note disk/));
    expect(shown).toContainEqual(expect.stringMatching(/^ok machine/));
    expect(shown.join('\n')).not.toContain('hunter2');
  },
);

it('O41: prints findings for people, and refuses what it does not know with the code 2', async () => {
  const environment = { CONCORD_DATA_DIR: newDataDir(), CONCORD_NONSENSE: '1' };
  const doctor = await runCommand(environment, ['doctor']);
  expect(doctor.code).toBe(0);
  expect(doctor.lines).toContainEqual(
    expect.stringMatching(/^warning settings: CONCORD_NONSENSE is not a setting/),
  );
  expect(doctor.lines.at(-1)).toMatch(/^0 errors, \d+ warnings, \d+ notes, \d+ ok\.$/);
  const misused = await runCommand(environment, ['doctor', '--kid=x']);
  expect(misused).toMatchObject({ code: 2, text: expect.stringContaining('Usage:') });
});

/** The last partitions have this suffix. */
async function lastWeek(client: Client) {
  const { rows } = await client.query(
    `select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'event'::regclass order by 1`,
  );
  return String(rows.at(-1).relname).replace('event_', '');
}

async function complaintsAbout(environment: Record<string, string>) {
  const settings = { CONCORD_DATA_DIR: newDataDir(), CONCORD_SECRETS: `1:${'x'.repeat(40)}`, ...environment };
  const { lines } = await runCommand(settings, ['doctor']);
  return lines.filter((line) => / (database|sessions): /.test(line) || line.startsWith('   ')).join('\n');
}

it('O45, O46: a role that does not own the tables is an error with what to do, and what it may not see is no ok', async () => {
  const database = await newDatabase();
  const role = `doctor_${randomUUID().replaceAll('-', '')}`;
  await database.sql(`create role ${role} login password 'hunter2'`);
  onTestFinished(async () => {
    await database.sql(`drop owned by ${role}`);
    await database.sql(`drop role ${role}`);
  });
  const url = new URL(database.url);
  url.username = role;
  url.password = 'hunter2';
  const doctor = () => complaintsAbout({ DATABASE_URL: url.href });
  expect(await doctor()).toMatch(
    /error {3}database: The database.* refuses Concord: permission denied .*\n +Set DATABASE_URL to the role that owns/,
  );

  await database.sql(`grant select on all tables in schema public to ${role}`);
  const reader = await doctor();
  expect(reader).toContain('error   database: The tables belong to another role');
  expect(reader).toMatch(/note {4}sessions: Of \d+ sessions? of other roles/);
  await database.sql(`grant pg_read_all_stats to ${role}`);
  expect(await doctor()).not.toContain('of other roles');

  await database.sql(`alter role ${role} connection limit 0`);
  expect(await doctor()).toMatch(/refuses Concord: too many connections for role .*\n +Find out who holds/);
  const shown = await doctor();
  expect(shown).not.toContain('hunter2');
});

it('O45: a collation of another version is an error until the database knows it', async () => {
  const { url, sql } = await newDatabase();
  const complaint =
    /error {3}database: The order of texts has changed since the database was made \(collation 0, now \S+\)/;
  expect(await complaintsAbout({ DATABASE_URL: url })).not.toMatch(complaint);
  await sql(`update pg_database set datcollversion = '0' where datname = current_database()`);
  expect(await complaintsAbout({ DATABASE_URL: url })).toMatch(complaint);
});

it('O42: with a DATABASE_URL that is wrong, no other database is examined, and one behind a socket is named', async () => {
  const dataDir = newDataDir();
  const wrong = await complaintsAbout({ DATABASE_URL: 'nonsense', CONCORD_DATA_DIR: dataDir });
  expect(wrong).toContain('note    database: No database was examined: DATABASE_URL is wrong.');
  expect(wrong).not.toContain('embedded');
  expect(
    await complaintsAbout({ DATABASE_URL: `postgres:///concord?host=${encodeURIComponent(dataDir)}` }),
  ).toMatch(/error {3}database: The database cannot be reached: /);
});
