// Each alert fires by its real fault: the program, its PostgreSQL and a real Prometheus. It takes minutes:
// npm run test:alerts.

import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectStatus, stock, times } from '../stage/cast.ts';
import { createClock } from '../stage/clock.ts';
import { kill, launch, newDataDir, newScratchDir, signIn, workersOf } from '../stage/launch.ts';
import { freePort } from '../stage/listen.ts';
import { startNetwork } from '../stage/network.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { createTestDatabase, secrets } from '../stage/start-service.ts';
import { answer } from '../stage/webhook-stage.ts';
import { hasPrometheus, startPrometheus } from './prometheus.ts';

const password = 'correct horse battery';
const reason = process.env.ALERTS
  ? hasPrometheus
    ? ''
    : 'there is no prometheus; Debian has a package of this name'
  : 'npm run test:alerts runs them';
if (process.env.ALERTS && reason !== '')
  process.stderr.write(`SKIPPED, NOT TESTED: that alerts fire: ${reason}.\n`);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
type Environment = Record<string, string>;

async function startDatabase() {
  const database = await createTestDatabase();
  const network = await startNetwork(database.url);
  onTestFinished(async () => {
    network.close();
    await database.drop();
  });
  return { ...database, network, ...createClock(database.sql) };
}
type Database = Awaited<ReturnType<typeof startDatabase>>;

async function startProgram(database: Database, environment: Environment = {}) {
  const port = await freePort();
  const settings = {
    ...toLoopback,
    CONCORD_SECRETS: secrets,
    DATABASE_URL: database.network.url,
    CONCORD_METRICS_PORT: String(port),
    CONCORD_OPERATOR_PASSWORD: password,
    CONCORD_RATE_LIMIT: 'off',
    CONCORD_LOG_LEVEL: 'fatal',
    CONCORD_DATA_DIR: newDataDir(),
    ...environment,
  };
  const program = launch(settings);
  const url = await program.ready();
  return { ...program, url, port, settings };
}

async function startSession(url: string) {
  const session = await signIn(url, password);
  onTestFinished(session.close);
  const { id } = (await session.request('POST', '/partners', { name: 'Acme' })).body;
  const send = (method: string, path: string, body?: unknown) =>
    session.request(method, `/partners/${id}/${path}`, body);
  const event = stock();
  return {
    ...session,
    id,
    send,
    publish: (count: number) => send('POST', 'events/batch', Array(count).fill(event)),
  };
}

/** Repeats work until the test ends. It may fail: that is the fault. */
function keep(work: () => Promise<unknown>, everyMs = 100) {
  let goesOn = true;
  void (async () => {
    while (goesOn) {
      await work().catch(() => {});
      await pause(everyMs);
    }
  })();
  const end = () => {
    goesOn = false;
  };
  onTestFinished(end);
  return end;
}

describe.skipIf(reason !== '')('alerts', () => {
  beforeAll(() => expect(hasPrometheus).toBe(true));

  it('O9: alerts of the database and of requests fire', async () => {
    const database = await startDatabase();
    const program = await startProgram(database);
    const session = await startSession(program.url);
    const prometheus = await startPrometheus([program.port]);
    const end = keep(() => session.request('GET', `/partners/${session.id}`));
    await expect
      .poll(() => prometheus.samples('concord_http_requests_total{route="/partners/:id"} > 20'))
      .toBeGreaterThan(0);
    expect(await prometheus.names()).toEqual([]);

    const locker = await database.connect();
    await locker.query('begin; lock table partner in exclusive mode');
    const changes = times(40, () =>
      session.request('PATCH', `/partners/${session.id}`, { name: 'Acme' }).catch(() => {}),
    );
    await prometheus.fires('ConcordPoolExhausted');
    await locker.query('rollback');
    await Promise.all(changes);
    await locker.end();

    database.network.set('slow');
    await prometheus.fires('ConcordSlowStatements');
    await prometheus.fires('ConcordSlowRequests');
    database.network.set('up');

    const name = new URL(database.url).pathname.slice(1);
    const [{ most }] = await database.sql(`select current_setting('max_connections')::int as most`);
    const clients = Array.from(
      { length: Math.ceil(most * 0.88) },
      () => new Client({ connectionString: database.url }),
    );
    await Promise.all(
      clients.map((client) =>
        client
          .on('error', () => {})
          .connect()
          .catch(() => {}),
      ),
    );
    await prometheus.fires('ConcordConnectionsAlmostUsed');
    await Promise.all(clients.map((client) => client.end().catch(() => {})));

    const others = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await database.sql(`alter database ${name} set default_transaction_read_only = on`);
    await database.sql(others);
    await prometheus.fires('ConcordDatabaseReadOnly');
    await database.sql(`alter database ${name} reset default_transaction_read_only`);
    await database.sql(others);

    database.network.set('cut');
    for (const alert of ['ConcordDatabaseUnreachable', 'ConcordServerErrors', 'ConcordDatabaseErrors'])
      await prometheus.fires(alert);
    database.network.set('up');
    end();

    await kill(program.child);
    await prometheus.fires('ConcordDown');
    for (let start = 0; start < 4; start++) {
      const again = launch(program.settings);
      await again.ready();
      await expect.poll(() => prometheus.samples('up == 1')).toBe(1);
      await kill(again.child);
      await expect.poll(() => prometheus.samples('up == 0')).toBe(1);
    }
    await prometheus.fires('ConcordRestarts');
  });

  it('O9: alerts of webhooks, keys, mails and seals fire', async () => {
    const database = await startDatabase();
    // Nobody listens at port 1.
    const program = await startProgram(database, {
      CONCORD_SMTP_URL: 'smtp://127.0.0.1:1',
      CONCORD_WEBHOOK_RETRY_SCHEDULE: '1s,1s',
    });
    const session = await startSession(program.url);
    const receiver = await startReceiver(program.url);
    onTestFinished(receiver.close);
    const prometheus = await startPrometheus([program.port]);
    await expect.poll(() => prometheus.samples('concord_signing_keys')).toBeGreaterThan(0);
    expect(await prometheus.names()).toEqual([]);

    const hook = receiver.url(answer(503));
    const { id: failing } = (await session.send('POST', 'webhook-endpoints', { url: hook })).body;
    const end = keep(() => session.publish(5), 500);
    await prometheus.fires('ConcordAttemptsFail');
    end();

    await session.send('POST', `webhook-endpoints/${failing}/pause`);
    const grow = keep(() => session.publish(1_000), 200);
    await prometheus.fires('ConcordBacklogGrows');
    grow();

    const invitation = { email: 'ann@nordlys.example', owner: true };
    await expectStatus(201, session.send('POST', 'agreements', invitation));
    await database.sql('alter table audit_seal rename to moved');
    await session.request('PATCH', `/partners/${session.id}`, { name: 'Other' });
    await prometheus.fires('ConcordTasksFail');
    await database.advanceClock(20 * minuteMs);
    await prometheus.fires('ConcordAuditUnsealed');
    await prometheus.fires('ConcordMailWaits');
    await database.sql('alter table moved rename to audit_seal');

    await database.sql(`insert into last_backup (taken_at) values (concord_now() - interval '3 days')`);
    await prometheus.fires('ConcordBackupOld');
    await database.sql('alter table mail rename to moved');
    await prometheus.fires('ConcordValuesMissing');
    await database.sql('alter table moved rename to mail');

    await database.sql(`update scheduled_task set next_at = 'infinity' where name = 'rotate signing keys'`);
    await database.advanceClock(31 * dayMs);
    await prometheus.fires('ConcordNoNextSigningKey');
    await database.advanceClock(70 * dayMs);
    await prometheus.fires('ConcordNoSigningKey');
  });

  it('O9: an egress proxy that is away fires', async () => {
    const database = await startDatabase();
    const program = await startProgram(database, { CONCORD_WEBHOOK_PROXY_URL: 'http://127.0.0.1:1' });
    const session = await startSession(program.url);
    const prometheus = await startPrometheus([program.port]);
    await session.send('POST', 'webhook-endpoints', { url: 'http://127.0.0.1:9/' });
    await session.publish(1);
    await prometheus.fires('ConcordAttemptsInternal');
  });

  it('O9: workers that are away, late or stopped fire', async () => {
    const database = await startDatabase();
    const api = await startProgram(database, { CONCORD_ROLE: 'api' });
    const session = await startSession(api.url);
    const receiver = await startReceiver(api.url);
    onTestFinished(receiver.close);
    const hook = receiver.url(() => {});
    const asWorker = { CONCORD_ROLE: 'worker', CONCORD_WEBHOOK_TIMEOUT: '5m' };
    const prometheus = await startPrometheus([api.port]);
    for (let n = 0; n < 3; n++) await session.send('POST', 'webhook-endpoints', { url: hook });
    await session.publish(1);
    await database.advanceClock(2 * minuteMs);
    await prometheus.fires('ConcordLanesNotClaimed');

    const first = await startProgram(database, asWorker);
    const withFirst = await startPrometheus([api.port, first.port]);
    await expect.poll(() => withFirst.samples('concord_lanes_owned > 0')).toBeGreaterThan(0);
    first.child.kill('SIGSTOP');
    const second = await startProgram(database, asWorker);
    // The leases of the first one end.
    await database.advanceClock(3 * minuteMs);
    await expect
      .poll(async () => (await database.sql('select max(epoch)::int as epoch from lane'))[0].epoch)
      .toBeGreaterThan(1);
    first.child.kill('SIGCONT');
    await withFirst.fires('ConcordLeasesLost');
    await kill(first.child);
    await kill(second.child);

    const third = await startProgram(database, asWorker);
    const withThird = await startPrometheus([third.port]);
    const answering = receiver.url();
    await session.send('POST', 'webhook-endpoints', { url: answering });
    third.child.kill('SIGSTOP');
    await session.publish(200);
    await database.advanceClock(4 * minuteMs);
    third.child.kill('SIGCONT');
    await withThird.fires('ConcordDeliveriesLate');
  });

  it('O9: a process that is blocked, that lacks memory, or whose worker hangs fires', async () => {
    const database = await startDatabase();
    const program = await startProgram(database, { CONCORD_WORKERS: '1' });
    const prometheus = await startPrometheus([program.port]);
    await expect.poll(() => prometheus.samples('concord_worker_processes{state="answering"} == 1')).toBe(1);
    const [worker] = await workersOf(program.child);
    process.kill(worker!, 'SIGSTOP');
    await prometheus.fires('ConcordWorkersMissing');
    process.kill(worker!, 'SIGCONT');
    keep(async () => {
      program.child.kill('SIGSTOP');
      await pause(800);
      program.child.kill('SIGCONT');
    }, 60);
    await prometheus.fires('ConcordEventLoopBlocked');
  });

  // Mounting a small disk takes root.
  it.skipIf(process.getuid?.() !== 0)('O9: a heap and a disk that are almost full fire', async () => {
    const database = await startDatabase();
    const disk = join(newScratchDir(), 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', disk]);
    onTestFinished(() => void execFileSync('umount', ['-l', disk]));
    const program = await startProgram(database, {
      NODE_OPTIONS: '--max-old-space-size=46 --max-semi-space-size=2',
    });
    // The disk is watched with the embedded database only (O80).
    const { DATABASE_URL: _, ...settings } = program.settings;
    const port = await freePort();
    await launch({
      ...settings,
      CONCORD_DATA_DIR: join(disk, 'data'),
      CONCORD_METRICS_PORT: String(port),
    }).ready();
    const prometheus = await startPrometheus([program.port, port]);
    const { blocks, bavail, bsize } = statfsSync(disk);
    writeFileSync(join(disk, 'filler'), Buffer.alloc((bavail - Math.floor(blocks / 20)) * bsize));
    await prometheus.fires('ConcordDiskAlmostFull');
    await prometheus.fires('ConcordMemoryHigh');
  });
});
