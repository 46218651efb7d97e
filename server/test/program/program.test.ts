// The program as a user runs it: a real process with the embedded database, signals and kills.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findRunningServer } from '../../src/base/postgres/embedded/embedded-server.ts';
import { atOnce, expectStatus, stock } from '../stage/cast.ts';
import {
  alive,
  kill,
  launch,
  newDataDir,
  newScratchDir,
  newUsedDataDir,
  postmasterPid,
  runCommand,
  signIn,
  usedPassword,
} from '../stage/launch.ts';
import { listen } from '../stage/listen.ts';
import { hold, untilWaiting } from '../stage/locks.ts';
import { startNetwork } from '../stage/network.ts';
import { newDatabase } from '../stage/new-database.ts';
import { startReceiver, toLoopback } from '../stage/receiver.ts';
import { metricsUrlOf, scrape, sumOf } from '../stage/scrape.ts';

const environmentOf = (dataDir: string) => ({
  CONCORD_DATA_DIR: dataDir,
  CONCORD_OPERATOR_PASSWORD: 'correct horse battery',
});

/** Puts the database on another disk, behind a link. Returns the size of that disk. */
function moveDatabase(dataDir: string) {
  const folders = ['/dev/shm', '/var/tmp'].map((disk) => mkdtempSync(join(disk, 'concord-disk-')));
  onTestFinished(() => {
    for (const each of folders) rmSync(each, { recursive: true });
  });
  const sizeOf = (path: string) => {
    const { blocks, bsize } = statfsSync(path);
    return blocks * bsize;
  };
  const elsewhere = folders.find((each) => sizeOf(each) !== sizeOf(dataDir))!;
  chmodSync(elsewhere, 0o711);
  const place = join(dataDir, 'postgres');
  execFileSync('mv', [place, elsewhere]);
  symlinkSync(join(elsewhere, 'postgres'), place);
  return sizeOf(elsewhere);
}

describe('npm start', () => {
  it('R5, E2, O80: prints how to sign in, the generated password once, and that it is ready; SIGTERM stops it and its database; requests are 500 and never 401 while a killed database restarts; the metrics show the disk to which the database is linked', async () => {
    const dataDir = newDataDir();
    const first = launch({ CONCORD_DATA_DIR: dataDir });
    const url = await first.ready();
    const password = /the password is (\S+) /.exec(first.lines.join('\n'))?.[1];
    expect(password).toHaveLength(24);
    expect(statSync(join(dataDir, 'secrets')).mode & 0o777).toBe(0o600);
    const session = await signIn(url, password!);
    const { body: partner } = await session.request('POST', '/partners', {
      name: 'P3',
      billing_address: { latitude: 'NaN', longitude: 1e308 },
    });
    const database = postmasterPid(dataDir);
    first.child.kill('SIGTERM');
    expect([await first.ended, first.lines.at(-1)]).toEqual([0, 'Stopped.']);
    expect(alive(database)).toBe(false);
    session.close();

    const inUse = await listen(createServer());
    const refused = launch({ CONCORD_DATA_DIR: dataDir, PORT: String(inUse) });
    expect([await refused.ended, refused.lines.at(-1)]).toEqual([
      1,
      `Port ${inUse} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.`,
    ]);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);

    const diskBytes = existsSync('/dev/shm') && moveDatabase(dataDir);
    // P3, T5: data and sessions survive a restart; the password is not printed again.
    const second = launch({ CONCORD_DATA_DIR: dataDir, CONCORD_METRICS_PORT: '0' });
    const again = await signIn(await second.ready(), password!);
    expect(second.lines.join('\n')).not.toContain(password);
    expect(second.lines.join('\n')).not.toContain('the password is');
    expect((await again.request('GET', `/partners/${partner.id}`)).body).toEqual(partner);
    const samples = await scrape(metricsUrlOf(second.lines));
    if (diskBytes) expect(sumOf(samples, 'concord_data_disk_size_bytes')).toBe(diskBytes);
    expect(sumOf(samples, 'concord_data_disk_free_bytes')).toBeGreaterThan(0);

    process.kill(postmasterPid(dataDir), 'SIGKILL');
    const statuses = new Set<number>();
    await expect
      .poll(async () => {
        const { status } = await again.request('GET', `/partners/${partner.id}`);
        statuses.add(status);
        return status;
      })
      .toBe(200);
    expect([...statuses].filter((status) => status !== 200 && status !== 500)).toEqual([]);
    again.close();
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
  });

  it('W51: after a kill it leaves no database behind, starts again with all its data, and delivers whatever leases are left', async () => {
    const dataDir = await newUsedDataDir();
    const environment = { ...toLoopback, CONCORD_DATA_DIR: dataDir };
    const first = launch(environment);
    const url = await first.ready();
    const [session, receiver] = [await signIn(url, usedPassword), await startReceiver(url)];
    const { body: partner } = await session.request('POST', '/partners', { name: 'kept' });
    const hook = receiver.url();
    await session.request('POST', `/partners/${partner.id}/webhook-endpoints`, { url: hook });
    const client = new Client(findRunningServer(dataDir));
    client.on('error', () => {});
    await client.connect();
    // A lease that outlasts this test.
    await client.query(
      `update lane set owner = gen_random_uuid(), next_at = concord_now() + interval '1 day'`,
    );
    const event = stock();
    await expectStatus(202, session.request('POST', `/partners/${partner.id}/events`, event));
    const database = postmasterPid(dataDir);
    await kill(first.child);
    session.close();
    // The new start waits for the old server, which is still shutting down.
    // The receiver knows the keys at this URL.
    const second = launch({ ...environment, PORT: new URL(url).port });
    const again = await signIn(await second.ready(), usedPassword);
    expect(alive(database)).toBe(false);
    await receiver.count(hook, 1);
    receiver.close();
    await expectStatus(200, again.request('GET', `/partners/${partner.id}`));

    const other = postmasterPid(dataDir);
    process.kill(other, 'SIGKILL');
    await kill(second.child);
    again.close();
    const third = launch(environment);
    const last = await signIn(await third.ready(), usedPassword);
    await expectStatus(200, last.request('GET', `/partners/${partner.id}`));
    last.close();
    third.child.kill('SIGTERM');
    expect(await third.ended).toBe(0);
    // None of the three starts leaves a socket directory behind.
    const left = readdirSync('/tmp').filter((name) => existsSync(join('/tmp', name, '.s.PGSQL.5432.lock')));
    const locks = left.map((name) => readFileSync(join('/tmp', name, '.s.PGSQL.5432.lock'), 'utf8'));
    expect(locks.filter((lock) => lock.includes(dataDir))).toEqual([]);
  });

  async function startLoggingTo(file: string) {
    const place = createServer();
    const port = await listen(place);
    place.close();
    const { url } = await newDatabase();
    const environment = { DATABASE_URL: url, PORT: String(port), CONCORD_LOG_LEVEL: 'info' };
    const { child, ended } = launch(environment, [], {
      onHost: (command) => ['/bin/sh', '-c', 'exec "$@" > "$0"', file, ...command],
    });
    /** Each request writes a line. */
    const readiness = () =>
      fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(readiness).toBe(200);
    return { child, ended, readiness };
  }

  it.skipIf(!existsSync('/dev/full'))('O88: a log on a full disk does not end it', async () => {
    const { child, ended, readiness } = await startLoggingTo('/dev/full');
    expect(await readiness()).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('O88: a log whose reader hangs does not stop it', async () => {
    const pipe = join(newScratchDir(), 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    onTestFinished(() => closeSync(reader));
    const { child, ended, readiness } = await startLoggingTo(pipe);
    // More than the 64 KiB that a pipe holds.
    expect(new Set(await atOnce(500, readiness))).toEqual(new Set([200]));
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('says what to do when the data directory cannot be used', async () => {
    const file = join(newScratchDir(), 'a file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'below')]) {
      const { ended, lines } = launch({ CONCORD_DATA_DIR: dataDir });
      expect(await ended).toBe(1);
      expect(lines.join('\n')).toMatch(
        /The data directory .* cannot be used \(E[A-Z]+\)\. Make it writable or set CONCORD_DATA_DIR/,
      );
    }
  });

  it('reports all configuration problems at once, and warns about unknown names', async () => {
    const wrong = { PORT: 'x', CONCORD_RATE_LIMIT: 'lots', CONCORD_SECRETS: 'short', CONCORD_NONSENSE: '1' };
    const { code, text } = await runCommand(wrong, []);
    expect(code).toBe(1);
    for (const name of ['PORT', 'CONCORD_RATE_LIMIT', 'CONCORD_SECRETS'])
      expect(text).toContain(`- ${name}: `);
    const help = await runCommand({ CONCORD_NONSENSE: '1' }, ['--help']);
    expect([help.code, help.lines[0]]).toEqual([0, expect.stringContaining('Usage:')]);
    expect(await runCommand({}, ['--version'])).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const nonsense = { CONCORD_NONSENSE: '1', CONCORD_DATA_DIR: newDataDir() };
    expect(await runCommand(nonsense, ['keys', 'list'])).toMatchObject({
      code: 1,
      text: expect.stringMatching(/CONCORD_NONSENSE is not a setting[\s\S]*There is no database in/),
    });
  });
});

describe('a start', () => {
  it('ends immediately on a signal, even while it waits', async () => {
    const silent = createServer(() => {});
    const port = await listen(silent);
    const starting = launch({
      ...environmentOf(newDataDir()),
      DATABASE_URL: `postgres://x@127.0.0.1:${port}/x`,
    });
    await once(silent, 'connection');
    starting.child.kill('SIGTERM');
    expect([await starting.ended, starting.lines.at(-1)]).toEqual([1, 'Stopped during the start (SIGTERM).']);
  });

  it('serves once when two run in the same data directory; the other one says why it refuses', async () => {
    const environment = environmentOf(newDataDir());
    const both = [launch(environment), launch(environment)];
    const outcomes = await Promise.all(
      both.map(({ ready }) =>
        ready().then(
          () => 'serves',
          (error: Error) => error.message,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual([expect.stringContaining('Another Concord uses'), 'serves']);
    for (const { child } of both) child.kill('SIGTERM');
    await Promise.all(both.map(({ ended }) => ended));
  });

  it('works with a restrictive umask and home directory, and stops although its socket directory was deleted', async () => {
    const home = join(newScratchDir(), 'closed');
    mkdirSync(home, { mode: 0o700 });
    const before = process.umask(0o077);
    const started = launch(environmentOf(join(home, 'data')));
    process.umask(before);
    await started.ready();
    const elsewhere = /The database is in (\S+)\/postgres,/.exec(started.lines.join('\n'))?.[1];
    // Only root needs another location: its server runs as another user.
    expect(elsewhere !== undefined).toBe(process.getuid?.() === 0);
    const folder = join(elsewhere ?? join(home, 'data'), 'postgres');
    const [pid, , , , socketDir = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    rmSync(socketDir, { recursive: true });
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
    expect(alive(Number(pid))).toBe(false);
    if (elsewhere) rmSync(elsewhere, { recursive: true });
  });
});

describe('a stop', () => {
  it('O55: ends while PostgreSQL hangs', async () => {
    const network = await startNetwork((await newDatabase()).url);
    onTestFinished(network.close);
    const { child, ended, lines, ready } = launch({
      ...environmentOf(newDataDir()),
      DATABASE_URL: network.url,
    });
    await ready();
    network.set('held');
    child.kill('SIGTERM');
    expect([await ended, lines.at(-1)]).toEqual([0, 'Stopped.']);
  });

  it('O55: waits for requests in flight, and for a large batch of events, which a thread reads; a request that it cuts is no error in the log', async () => {
    const database = await newDatabase();
    const started = launch({ ...environmentOf(newDataDir()), DATABASE_URL: database.url });
    const url = await started.ready();
    const session = await signIn(url, 'correct horse battery');
    const { body: partner } = await session.request('POST', '/partners', { name: 'P' });
    const { body: locked } = await session.request('POST', '/partners', { name: 'locked' });
    const headers = `Authorization: Bearer ${session.token}\r\n`;
    const open = async (path: string, body: string) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
      );
      await once(socket, 'data'); // the server has the request and waits for its body
      return async () => {
        socket.write(body);
        const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
        socket.destroy();
        return String(answer).split(' ', 2)[1];
      };
    };
    const batch = [{ type: 'inventory.updated', data: { sku: 'x'.repeat(90_000), quantity: 1 } }];
    const batches = `/partners/${partner.id}/events/batch`;
    // The thread has started: on a busy machine, the stop has no patience for that.
    await expectStatus(202, session.request('POST', batches, batch));
    const finish = [await open('/partners', '{"name":"Q"}'), await open(batches, JSON.stringify(batch))];
    const holder = await hold(database, `select from partner where name = 'locked' for update`);
    const change = session.request('PATCH', `/partners/${locked.id}`, { name: 'Q' }).catch(() => 'cut');
    await untilWaiting(database, 1);
    started.child.kill('SIGTERM');
    await expect.poll(() => started.lines.at(-1)).toBe('Stopping (SIGTERM)…');
    expect(await Promise.all(finish.map((each) => each()))).toEqual(['201', '202']);
    expect([await change, await started.ended]).toEqual(['cut', 0]);
    session.close();
    await holder.end();
    expect(started.lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});
