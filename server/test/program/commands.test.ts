// The commands beside the service: operators, keys, and database copy.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRunningServer } from '../../src/base/postgres/embedded/embedded-server.ts';
import { expectStatus, pluck } from '../stage/cast.ts';
import { launch, newDataDir, newUsedDataDir, runCommand, signIn, usedPassword } from '../stage/launch.ts';
import { waiters } from '../stage/locks.ts';
import { newDatabase } from '../stage/new-database.ts';
import { useFullHashes } from '../stage/scrypt.ts';
import { createClient } from '../stage/start-service.ts';

useFullHashes();

it('R5, W6, O2: operators and keys can be changed while Concord runs, a password also while it is stopped; a command that cannot see the socket of the embedded database says how to reach it', async () => {
  const environment = {
    CONCORD_DATA_DIR: await newUsedDataDir(),
  };
  const run = async (...args: string[]) => {
    const { code, text } = await runCommand(environment, ['operator', ...args]);
    expect(code).toBe(0);
    return /the password is (\S+) /.exec(text)?.[1] ?? '';
  };
  const service = launch(environment);
  const url = await service.ready();
  const session = await signIn(url, usedPassword);
  const partner = (await session.request('POST', '/partners', { name: 'Acme' })).body.id;
  const path = `/partners/${partner}/service-accounts`;
  const { id } = (await session.request('POST', path, { name: 'robot' })).body;
  const email = `${id}@service-account.invalid`;
  for (const [address, problem] of [
    [email, `${email}: A service account cannot be an owner or an operator.`],
    [
      'a..b@concord.local',
      '--email must be an e-mail address with at most 254 characters, 64 before the @, such as ann@example.com',
    ],
  ] as const) {
    const { code, lines } = await runCommand(environment, ['operator', 'create', '--email', address]);
    expect([code, lines.at(-1)]).toEqual([1, problem]);
  }
  const again = await runCommand(environment, ['operator', 'create', '--email', 'operator@concord.local']);
  expect([again.code, again.lines.at(-1)]).toEqual([
    0,
    'operator@concord.local is an operator already. Sessions go on: operator reset-password ends them.',
  ]);
  await expectStatus(200, session.request('GET', '/partners'));
  const created = await run('create', '--email', 'Second@Concord.local');
  const { request, close } = createClient(url);
  const attempt = (email: string, password: string) =>
    request('POST', '/api/auth/sign-in/email', { body: { email, password } });
  await expectStatus(200, attempt('second@concord.local', created));
  const reset = await run('reset-password', '--email', 'operator@concord.local');
  await expectStatus(401, session.request('GET', '/partners'));
  await expectStatus(401, attempt('operator@concord.local', usedPassword));
  await expectStatus(200, attempt('operator@concord.local', reset));
  session.close();

  const keys = (...args: string[]) => runCommand(environment, ['keys', ...args]);
  const published = async () => pluck((await request('GET', '/.well-known/jwks.json')).body.keys, 'kid');
  const [active] = await published();
  const listed = (await keys('list')).lines.filter((line) => line.startsWith('live '));
  expect(listed).toEqual([
    expect.stringContaining(`live ${active} active`),
    expect.stringContaining(' pending'),
  ]);
  expect((await keys('rotate', '--environment', 'live')).lines.at(-1)).toContain(
    'The next live key signs from',
  );
  expect(await keys('revoke', `--kid=${active}`)).toMatchObject({ code: 0 });
  expect(await published()).not.toContain(active);
  const wrong = [
    ['rotate'],
    ['rotate', '--environment', 'x'],
    ['revoke'],
    ['revoke', '--kid=x'],
    ['revoke', '--kid=-x'],
  ];
  const refused = await Promise.all(wrong.map((args) => keys(...args)));
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  close();

  const { host } = findRunningServer(environment.CONCORD_DATA_DIR)!;
  // As in another /tmp. Concord itself would start its database again without a socket.
  service.child.kill('SIGSTOP');
  renameSync(host, `${host}-hidden`);
  const list = await keys('list');
  expect([list.code, list.lines]).toEqual([1, [expect.stringMatching(/: use concord-command, or stop/)]]);
  const doctor = await runCommand(environment, ['doctor']);
  expect(doctor.lines).toContainEqual(
    expect.stringMatching(/^error +database: .*: use concord-command, .*[^.]\.$/),
  );
  renameSync(`${host}-hidden`, host);
  service.child.kill('SIGCONT');
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(await run('reset-password', '--email', 'operator@concord.local')).toHaveLength(24);
  const args = ['operator', 'reset-password', '--email', 'nobody@concord.local'];
  const unknown = await runCommand(environment, args);
  expect([unknown.code, unknown.lines.at(-1)]).toEqual([1, 'There is no operator nobody@concord.local.']);
});

it('R5, W6, O27: operator, keys and pending run as a user runs them', async () => {
  const { url } = await newDatabase();
  const environment = { DATABASE_URL: url, CONCORD_DATA_DIR: newDataDir() };
  for (const [args, said] of [
    [['operator', 'create', '--email', 'ann@concord.local'], 'the password is'],
    [['keys', 'rotate', '--environment', 'live'], 'The next live key signs from'],
    [['pending', 'send'], 'Nothing is held'],
  ] as const) {
    // A process, so from the bundle (O84).
    const { ended, lines } = launch(environment, [...args]);
    expect([args, await ended, lines.join('\n')]).toEqual([args, 0, expect.stringContaining(said)]);
  }
});

it.skipIf(!existsSync('/dev/full'))('O88: a command whose output is lost says so, and ends with 1', () => {
  const main = join(import.meta.dirname, '../../src/main.ts');
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output is lost: ENOSPC.*\n$/)]);
});

it('O2: keys rotate creates the keys that are missing, in a database that no service has used', async () => {
  const { url } = await newDatabase();
  const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: url };
  const { code, lines } = await runCommand(environment, ['keys', 'rotate', '--environment', 'live']);
  expect([code, lines.at(-1)]).toEqual([0, expect.stringMatching(/^The next live key signs from 20/)]);
});

describe('commands without a database', () => {
  it('O2: say what to do, and make no data directory and no tables', async () => {
    const dataDir = newDataDir();
    const empty = await newDatabase({ migrated: false });
    const tables = `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname in ('public', 'auth')`;
    for (const args of [
      ['keys', 'list'],
      ['keys', 'rotate', '--environment', 'live'],
      ['operator', 'reset-password', '--email', 'operator@concord.local'],
    ]) {
      const local = await runCommand({ CONCORD_DATA_DIR: dataDir }, args);
      expect([local.code, local.lines.at(-1)]).toEqual([
        1,
        expect.stringMatching(/^There is no database in .* start Concord/),
      ]);
      expect(existsSync(dataDir)).toBe(false);
    }
    const environment = { CONCORD_DATA_DIR: newDataDir(), DATABASE_URL: empty.url };
    expect(await runCommand(environment, ['keys', 'list'])).toMatchObject({
      code: 1,
      text: expect.stringContaining('The database is empty'),
    });
    expect(await empty.sql(tables)).toEqual([]);
  });
});

describe('database copy', () => {
  it('O1: refuses a data directory without a database', async () => {
    const dataDir = newDataDir();
    mkdirSync(dataDir);
    const args = ['database', 'copy', '--to', 'postgres://x@127.0.0.1:1/x'];
    expect(await runCommand({ CONCORD_DATA_DIR: dataDir }, args)).toMatchObject({
      code: 1,
      text: expect.stringContaining('There is no database in'),
    });
  });

  it('O1: takes no password as an argument', async () => {
    const run = async (environment: Record<string, string>, ...args: string[]) => {
      const settings = { CONCORD_DATA_DIR: newDataDir(), ...environment };
      const { code, text } = await runCommand(settings, ['database', 'copy', ...args]);
      return [code, text];
    };
    for (const url of ['postgres://x:hidden@127.0.0.1:1/x', 'postgres://x@127.0.0.1:1/x?password=hidden']) {
      const [code, output] = await run({}, '--to', url);
      expect([code, output]).toEqual([1, expect.stringContaining('Set CONCORD_DATABASE_COPY_URL')]);
      expect(output).not.toContain('hidden');
    }
    const both = await run({ CONCORD_DATABASE_COPY_URL: 'postgres://a/b' }, '--to', 'postgres://a/b');
    expect(both).toEqual([1, expect.stringContaining('must not be set together')]);
    expect(await run({})).toEqual([1, expect.stringContaining('CONCORD_DATABASE_COPY_URL')]);
    expect(await run({}, '--to', 'x')).toEqual([
      1,
      '--to must be a URL such as postgres://user:password@host:5432/database',
    ]);
  });

  it('O1, U4: copies everything into an empty database, and refuses a database that is not empty', async () => {
    const target = await newDatabase({ migrated: false });
    const environment = {
      CONCORD_DATA_DIR: await newUsedDataDir(),
    };
    const first = launch(environment);
    const session = await signIn(await first.ready(), usedPassword);
    const { body: partner } = await session.request('POST', '/partners', {
      name: 'movéd\t\\N',
      billing_address: { latitude: 'NaN' },
    });
    const path = `/partners/${partner.id}/agreements`;
    const { body: group } = await session.request('POST', `/partners/${partner.id}/acl-permission-groups`, {
      name: 'g',
      acl_permissions: [],
    });
    const { body: invited } = await session.request('POST', path, { email: 'a@concord.test' });
    const acl_permission_group_ids = [group.id];
    const { body: agreement } = await session.request('PATCH', `${path}/${invited.id}`, {
      acl_permission_group_ids,
    });
    const within = `/partners/${partner.id}`;
    await session.request('POST', `${within}/webhook-endpoints`, { url: 'https://hooks.example.invalid/' });
    const event = { type: 'inventory.updated', data: { sku: 'a', quantity: 1 }, producer_id: 'p' };
    const { body: published } = await session.request('POST', `${within}/events`, event);
    const reads = { get: true, put: false, post: false, patch: false, delete: false, query: false };
    const scopes = [{ resource: 'partner', ...reads }];
    const { body: token } = await session.request('POST', '/me/access-tokens', { name: 't', scopes });
    session.close();
    first.child.kill('SIGTERM');
    await first.ended;

    const copying = { ...environment, CONCORD_DATABASE_COPY_URL: target.url };
    await target.sql('create table invoices (id integer)');
    const args = ['database', 'copy'];
    const notEmpty = { code: 1, text: expect.stringContaining('The target is not empty') };
    expect(await runCommand(copying, args)).toMatchObject(notEmpty);
    await target.sql('drop table invoices');
    const copy = launch(copying, args);
    expect([await copy.ended, copy.lines.at(-1)]).toEqual([
      0,
      'Copied. Set DATABASE_URL to the target and start Concord with the same secrets.',
    ]);
    const moved = launch({ ...environment, DATABASE_URL: target.url });
    const movedUrl = await moved.ready();
    const there = await signIn(movedUrl, usedPassword);
    expect((await there.request('GET', `/partners/${partner.id}`)).body).toEqual(partner);
    const program = createClient(movedUrl);
    await expectStatus(200, program.request('GET', `/partners/${partner.id}`, { token: token.token }));
    program.close();
    expect((await there.request('GET', `${path}/${agreement.id}`)).body).toEqual(agreement);
    // The feed continues after the copied events, producer ids are known, and the queue is complete.
    expect((await there.request('POST', `${within}/events`, event)).body).toEqual(published);
    const { body: next } = await there.request('POST', `${within}/events`, { ...event, producer_id: 'q' });
    expect((await there.request('GET', `${within}/events`)).body).toEqual([published, next]);
    expect((await there.request('GET', `${within}/deliveries`)).body).toHaveLength(2);
    const recorded = await target.sql(
      `select action, outcome, credential, actor_id from audit_log where credential like 'command%'`,
    );
    const intended = {
      action: 'database.copy',
      outcome: 'intended',
      credential: 'command database copy',
      actor_id: 'command line',
    };
    // The refused one, too.
    expect(recorded).toEqual([intended, intended]);
    expect(await target.sql(`select tgname from pg_trigger where tgenabled <> 'O'`)).toEqual([]);
    // The audit log continues to count.
    await expectStatus(201, there.request('POST', '/partners', { name: 'next' }));
    there.close();
    moved.child.kill('SIGTERM');
    expect(await moved.ended).toBe(0);

    expect(await runCommand(copying, args)).toMatchObject(notEmpty);
  });

  it.each(['source', 'target'])(
    'O1: copies nothing and says why when the connection to the %s breaks',
    async (broken) => {
      const [source, target] = [await newDatabase(), await newDatabase()];
      // The copy waits for this lock.
      await target.sql('begin');
      await target.sql('lock table partner');
      const environment = {
        CONCORD_DATA_DIR: newDataDir(),
        DATABASE_URL: source.url,
        CONCORD_DATABASE_COPY_URL: target.url,
      };
      const copy = runCommand(environment, ['database', 'copy']);
      await expect.poll(() => waiters(target)).toHaveLength(1);
      const reading = `select pid from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`;
      const [on, victims] =
        broken === 'source' ? [source, await source.sql(reading)] : [target, await waiters(target)];
      expect(victims).toHaveLength(1);
      await on.sql('select pg_terminate_backend($1)', [victims[0]?.pid]);
      if (broken === 'source') await expect.poll(() => source.sql(reading)).toEqual([]);
      if (broken === 'source') await target.sql('rollback');
      const { code, lines } = await copy;
      expect([code, lines.slice(1)]).toEqual([1, [expect.stringContaining('The database is not available')]]);
      await target.sql('rollback');
      expect(await target.sql('select name from permission_group limit 1')).toHaveLength(1);
    },
  );
});
