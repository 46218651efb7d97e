// Connections to the database.

import { connect, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import sql from 'sql-template-tag';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSession } from '../../src/base/postgres/long-session.ts';
import { migrate } from '../../src/base/postgres/migrations.ts';
import { createListen } from '../../src/base/postgres/notifications.ts';
import { endClient } from '../../src/base/postgres/session.ts';
import { atOnce, expectStatus } from '../stage/cast.ts';
import { listen } from '../stage/listen.ts';
import { type Network, proxied, startNetwork } from '../stage/network.ts';
import { newDatabase, openDatabase } from '../stage/new-database.ts';
import { openService } from '../stage/start-service.ts';

it('L16: whoever asks whether the database answers while somebody asks gets the same answer', async () => {
  const { url } = await newDatabase();
  let statements = 0;
  const observer = { statement: () => void statements++, connected: () => {} };
  const db = openDatabase(url, { observer });
  expect(new Set(await atOnce(50, () => db.isAlive()))).toEqual(new Set([true]));
  expect(statements).toBe(1);
  expect([await db.isAlive(), statements]).toEqual([true, 2]);
});

describe('the planner settings of look-ups', () => {
  const others = { kept: 'auto', scans: 'on' };
  const lookUps = { kept: 'force_generic_plan', scans: 'off' };
  const show = sql`select current_setting('plan_cache_mode') as kept, current_setting('enable_seqscan') as scans`;

  it('hold in a transaction that asks for them, and no longer', async () => {
    const { url } = await newDatabase();
    const db = openDatabase(url);
    const [inside] = await db.transaction((tx) => tx.query(show), { lookUps: true });
    const [after] = await db.transaction((tx) => tx.query(show));
    const [failed] = await db
      .transaction((tx) => tx.query(sql`select 1 / 0`), { lookUps: true })
      .catch(() => db.query(show));
    expect([inside, after, failed]).toEqual([lookUps, others, others]);
    expect(await db.pipelined.query(show)).toEqual([lookUps]);
  });
});

describe('an unreachable database', () => {
  it('E2, S2: causes a 500 in the error form on every operation, never a 401, until it is reachable again', async () => {
    const network: { current?: Network } = {};
    const service = await openService({}, async (url) => {
      network.current = await startNetwork(url);
      onTestFinished(network.current.close);
      return network.current.url;
    });
    const { body: partner } = await service.post('/partners', { name: 'kept' });
    const everything = () =>
      Promise.all([
        service.get(`/partners/${partner.id}`),
        service.patch(`/partners/${partner.id}`, { phone: '1' }),
        service.get('/partners'),
        service.get('/api/auth/list-accounts'),
        service.post('/api/auth/two-factor/generate-backup-codes', { password: 'x' }),
        service.post('/partners', { name: 'x' }),
        service.get('/health/ready', null),
        service.post(
          '/api/auth/sign-in/email',
          { email: 'operator@concord.test', password: 'a password for the tests' },
          null,
        ),
        service.request('POST', '/api/auth/sign-out', { token: 'x'.repeat(32) }),
      ]);
    for (const mode of ['cut', 'silent'] as const) {
      network.current?.set(mode);
      expect((await everything()).map(({ status }) => status)).toEqual(Array(9).fill(500));
      await expectStatus(200, service.get('/health/live', null));
      await expectStatus(401, service.get('/partners', null));
      network.current?.set('cut'); // the dropped bytes never arrive
      network.current?.set('up');
      await expect
        .poll(async () => (await everything()).map(({ status }) => status))
        .toEqual([200, 200, 200, 200, 400, 201, 200, 200, 401]);
    }
  });
});

describe('a connection whose server takes no changes', () => {
  it('I9: is given up, since the address can lead to another server by now', async () => {
    const database = await newDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await database.sql('create table thing ()');
    // It holds for connections that begin now, as if they led to another server.
    await database.sql(`alter database ${name} set default_transaction_read_only = on`);
    const db = openDatabase(database.url);
    const write = () => db.transaction((tx) => tx.query(sql`insert into thing default values`));
    const readOnly = sql`select current_setting('transaction_read_only') as on`;
    const ofPipeline = async () => (await Promise.all([1, 2].map(() => db.pipelined.query(readOnly)))).flat();
    expect(await ofPipeline()).toEqual([{ on: 'on' }, { on: 'on' }]);
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await database.sql(`alter database ${name} reset default_transaction_read_only`);
    await write();
    expect(await ofPipeline()).toEqual([{ on: 'off' }, { on: 'off' }]);
  });
});

describe('a connection pooler', () => {
  it('I11: gets no parameter at the start of a connection that poolers refuse', async () => {
    const starts: string[][] = [];
    const pooler = createServer((socket) => {
      // Length and version, then names and values that end with NUL.
      socket.once('data', (bytes: Buffer) => {
        const words = bytes.subarray(8).toString().split('\0');
        starts.push(words.filter((word, index) => index % 2 === 0 && word !== '').toSorted());
        socket.destroy();
      });
    });
    const url = `postgres://someone@127.0.0.1:${await listen(pooler)}/some`;
    const db = openDatabase(url);
    await expect(db.query(sql`select 1`)).rejects.toThrow();
    await expect(db.pipelined.query(sql`select 1`)).rejects.toThrow();
    await expect(migrate({ connectionString: url }, () => {})).rejects.toThrow();
    const listener = createListen({ connectionString: url })('test', () => {});
    await listener.start();
    await listener.stop();
    expect(starts).toEqual(Array(4).fill(['application_name', 'client_encoding', 'database', 'user']));
  });

  it('I11: that gives one session to several clients is refused, with the mode that Concord requires', async () => {
    const { there, urlAt } = proxied((await newDatabase()).url);
    const session = connect(there);
    onTestFinished(() => void session.destroy());
    let asking: Socket | undefined;
    session.on('data', (bytes) => asking?.write(bytes));
    const accepted = 'R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I';
    const pooler = createServer((client) => {
      let begins = asking !== undefined;
      client.on('data', (bytes: Buffer) => {
        asking = client;
        if (begins) client.write(accepted);
        // The end of a client is not that of the session.
        else if (bytes[0] !== 'X'.charCodeAt(0)) session.write(bytes);
        begins = false;
      });
    });
    const connectionString = urlAt(await listen(pooler));
    await expect(migrate({ connectionString }, () => {})).rejects.toThrow('pool_mode = session');
  });

  it('I11: has connections that set their time-outs by statements', async () => {
    const db = openDatabase((await newDatabase()).url);
    const show = sql`select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`;
    const shown = [{ statement: '10s', idle: '15s' }];
    expect([await db.query(show), await db.pipelined.query(show)]).toEqual([shown, shown]);
  });
});

it('I13: settings of the role and the database change neither where tables are, nor how transactions and times work', async () => {
  const { url, sql: run } = await newDatabase({ migrated: false });
  const name = new URL(url).pathname.slice(1);
  await run('create schema authorization current_user');
  for (const setting of [
    `default_transaction_isolation = 'serializable'`,
    `DateStyle = 'German'`,
    `TimeZone = 'Asia/Kathmandu'`,
    `lock_timeout = '1ms'`,
    `transaction_timeout = '1h'`,
    `idle_session_timeout = '1h'`,
  ])
    await run(`alter database ${name} set ${setting}`);
  await migrate({ connectionString: url }, () => {});
  const tables = `select distinct schemaname from pg_tables where schemaname !~ '^(pg_|information_schema)' order by 1`;
  expect(await run(tables)).toEqual([{ schemaname: 'auth' }, { schemaname: 'public' }]);
  const show = sql`select current_schema() as schema, current_setting('transaction_isolation') as isolation, timestamptz '2027-03-04T05:06:07Z' as at,
    timestamptz '2027-03-04T05:06:07Z'::text as text, current_setting('lock_timeout') as waits, current_setting('transaction_timeout') as lasts,
    current_setting('idle_session_timeout') as idles`;
  const shown = {
    schema: 'public',
    isolation: 'read committed',
    at: new Date('2027-03-04T05:06:07Z'),
    text: '2027-03-04 05:06:07+00',
    waits: '0',
    lasts: '0',
    idles: '0',
  };
  const db = openDatabase(url);
  const ofSession = openSession(
    { connectionString: url },
    async (client) => (await client.query(show.text)).rows,
  );
  const all = [db.query(show), db.pipelined.query(show), db.transaction((tx) => tx.query(show)), ofSession];
  expect((await Promise.all(all)).flat()).toEqual(Array(4).fill(shown));
});

describe('a connection that is lost inside a transaction', () => {
  it('E2: fails only that request', async () => {
    const service = await openService();
    const { body: partner } = await service.post('/partners', { name: 'kept' });
    await service.sql('begin');
    await service.sql('select from partner for update');
    const waiting = service.patch(`/partners/${partner.id}`, { phone: '1' });
    const blocked = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await service.sql(blocked)).length).toBe(1);
    await service.sql(`select pg_terminate_backend(pid) from (${blocked}) as waiting`);
    await expectStatus(500, waiting);
    await service.sql('rollback');
    await expectStatus(200, service.patch(`/partners/${partner.id}`, { phone: '1' }));
  });
});

describe('a session of long work', () => {
  const names = [
    'statement_timeout',
    'transaction_timeout',
    'idle_in_transaction_session_timeout',
    'idle_session_timeout',
    'lock_timeout',
  ];

  it('I6, O20: has no limits of the role or the database, which would end a backup or a migration', async () => {
    const { url, sql: run } = await newDatabase();
    const name = new URL(url).pathname.slice(1);
    for (const each of names) await run(`alter database ${name} set ${each} = '1h'`);
    const show = `select name, setting from pg_settings where name = any($1) and setting <> '0'`;
    const limits = (settings?: Record<string, string>) =>
      openSession(
        { connectionString: url },
        async (client) => (await client.query(show, [names])).rows,
        settings,
      );
    expect(await limits()).toEqual([]);
    // The doctor asks for one.
    expect(await limits({ statement_timeout: '5s' })).toEqual([
      { name: 'statement_timeout', setting: '5000' },
    ]);
  });

  it('I8: PostgreSQL probes for its host, so that a migration whose host is gone does not keep its locks for hours', async () => {
    const { url } = await newDatabase();
    // On a Unix socket the value is not used, so its source is compared.
    const show = `select name from pg_settings where name like 'tcp_keepalives%' and source = 'session' order by 1`;
    const set = await openSession(
      { connectionString: url },
      async (client) => (await client.query(show)).rows,
    );
    expect(set.map(({ name }) => name)).toEqual([
      'tcp_keepalives_count',
      'tcp_keepalives_idle',
      'tcp_keepalives_interval',
    ]);
  });
});

it('O55: connections to a server that hangs end', async () => {
  const network = await startNetwork((await newDatabase()).url);
  onTestFinished(network.close);
  const client = new Client({ connectionString: network.url });
  client.on('error', () => {});
  await client.connect();
  network.set('held');
  await endClient(client);
});
