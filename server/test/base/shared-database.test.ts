// What instances share through the database: its schema, the secrets that fit it, and tasks that one of them runs.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/base/postgres/migrations.ts';
import { createTaskRunner } from '../../src/base/postgres/scheduled-tasks.ts';
import { loadSecrets } from '../../src/base/secrets/secrets.ts';
import { atOnce, times } from '../stage/cast.ts';
import { runCommand } from '../stage/launch.ts';
import { newDatabase, openDatabase } from '../stage/new-database.ts';

const dir = () => {
  const path = mkdtempSync(join(tmpdir(), 'concord-secrets-'));
  onTestFinished(async () => rmSync(path, { recursive: true }));
  return path;
};

describe('migrations', () => {
  it('are safe when many instances start at once', async () => {
    const database = await newDatabase({ migrated: false });
    await atOnce(8, () => migrate({ connectionString: database.url }, () => {}));
    const rows = await database.sql('select name from schema_migration');
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(2);
  });

  it('refuse a database with an unknown migration', async () => {
    const database = await newDatabase();
    await database.sql(`insert into schema_migration (name, run_on) values ('9999_from_the_future', now())`);
    await expect(migrate({ connectionString: database.url }, () => {})).rejects.toThrow(
      /the migration 9999_from_the_future, which this Concord does not have/,
    );
  });

  it('O40: refuse a database whose migrations had another text, and start on one from before texts were kept', async () => {
    const { url, sql } = await newDatabase();
    const start = () => migrate({ connectionString: url }, () => {});
    await start();
    await sql(`update schema_migration set hash = 'of other text' where name like '0004%'`);
    const reason =
      'The database has the migration 0004_partners of another build, which this Concord does not have.';
    const action = 'Start the build that made it, or begin with an empty database.';
    await expect(start()).rejects.toThrow(`${reason} ${action}`);
    const doctor = await runCommand({ DATABASE_URL: url, CONCORD_DATA_DIR: dir() }, ['doctor']);
    expect(doctor.text).toContain(`error   database: ${reason}`);
    await sql('alter table schema_migration drop column hash');
    await start();
  });

  it('O76: refuse a database with another encoding, and say how to create one', async () => {
    const { url, sql } = await newDatabase({ migrated: false });
    const other = new URL(url);
    other.pathname += '_ascii';
    const name = other.pathname.slice(1);
    await sql(`create database ${name} encoding 'SQL_ASCII' template template0 locale 'C'`);
    onTestFinished(() => sql(`drop database ${name}`).then(() => {}));
    await expect(migrate({ connectionString: other.href }, () => {})).rejects.toThrow(
      `has the encoding SQL_ASCII; Concord requires UTF8. Create it with: encoding 'UTF8' template template0`,
    );
  });
});

describe('secrets', () => {
  const secret = (version: number, letter: string) => ({ version, value: letter.repeat(40) });

  it('I2: are generated once and loaded later', async () => {
    const db = openDatabase((await newDatabase()).url);
    const dataDir = dir();
    const first = await loadSecrets({ db, dataDir, announce: () => {}, configured: null });
    expect(first).toEqual([{ version: 1, value: expect.stringMatching(/^[\w-]{43}$/) }]);
    expect(await loadSecrets({ db, dataDir, announce: () => {}, configured: null })).toEqual(first);
  });

  it('I2: are refused when they are missing or differ from those of the database', async () => {
    const db = openDatabase((await newDatabase()).url);
    await loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: [secret(1, 'a')] });
    await expect(loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: null })).rejects.toThrow(
      /that are missing here/,
    );
    await expect(
      loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: [secret(1, 'b')] }),
    ).rejects.toThrow(/differs from the one/);
    await expect(
      loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: [secret(2, 'b')] }),
    ).rejects.toThrow(/does not have it/);
    const dataDir = dir();
    writeFileSync(join(dataDir, 'secrets'), `1:${'b'.repeat(40)}`);
    await expect(loadSecrets({ db, dataDir, announce: () => {}, configured: null })).rejects.toThrow(
      /differs from the one/,
    );
    await loadSecrets({
      db,
      dataDir: dir(),
      announce: () => {},
      configured: [secret(2, 'b'), secret(1, 'a')],
    });
    await expect(
      loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: [secret(1, 'a')] }),
    ).rejects.toThrow(/does not have it/);
  });

  it('I2: are accepted from only one of four instances that start at once with different secrets', async () => {
    const db = openDatabase((await newDatabase()).url);
    const results = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((letter) =>
        loadSecrets({ db, dataDir: dir(), announce: () => {}, configured: [secret(1, letter)] }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('scheduled tasks', () => {
  it('run once in the cluster per interval, and run again after a failure', async () => {
    const database = await newDatabase();
    let fail = true;
    const task = {
      name: 'count',
      intervalMs: 60_000,
      async run(tx: Parameters<Parameters<ReturnType<typeof openDatabase>['transaction']>[0]>[0]) {
        await tx.query({
          text: `insert into idempotent_answer (principal_id, method, path, key, body_hash, status, headers, body) values ('', '', '', gen_random_uuid()::text, '', 0, '{}', '')`,
          values: [],
        } as never);
        if (fail) throw new Error('once');
      },
    };
    const failures: string[] = [];
    const runners = times(5, () =>
      createTaskRunner({
        db: openDatabase(database.url),
        tasks: [task],
        onFailure: (name) => failures.push(name),
      }),
    );
    const count = async () => (await database.sql('select from idempotent_answer')).length;
    await runners[0]!.runDue();
    expect([failures, await count()]).toEqual([['count'], 0]);
    fail = false;
    const ran = await Promise.all(runners.map((runner) => runner.runDue()));
    expect([ran.flat(), await count()]).toEqual([['count'], 1]);
    await database.sql(`update scheduled_task set next_at = next_at - interval '61 seconds'`);
    await Promise.all(runners.map((runner) => runner.runDue()));
    expect(await count()).toBe(2);
  });

  it('A17: a task that has more to do runs again without a wait', async () => {
    const database = await newDatabase();
    const failures: unknown[] = [];
    let runs = 0;
    const runner = createTaskRunner({
      db: openDatabase(database.url),
      tasks: [{ name: 'go on', intervalMs: 60_000, run: async () => ++runs < 3 }],
      onFailure: (_, error) => failures.push(error),
      pollMs: 1_000_000,
    });
    runner.start();
    await expect.poll(() => runs).toBe(3);
    await runner.stop();
    expect([runs, failures]).toEqual([3, []]);
  });

  it('W20: a task that failed waits for the next look, also while another goes on at once', async () => {
    const database = await newDatabase();
    const failures: string[] = [];
    let runs = 0;
    const runner = createTaskRunner({
      db: openDatabase(database.url),
      tasks: [
        { name: 'fail', intervalMs: 1_000_000, run: () => Promise.reject(new Error('no lock')) },
        { name: 'go on', intervalMs: 1_000_000, run: async () => ++runs < 3 },
      ],
      onFailure: (task) => failures.push(task),
      pollMs: 1_000_000,
    });
    runner.start();
    await expect.poll(() => runs).toBe(3);
    await runner.stop();
    expect([runs, failures]).toEqual([3, ['fail']]);
  });
});
