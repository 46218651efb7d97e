// PostgreSQL servers on hosts: a primary, and replicas that stream from it. The programs are those of the
// embedded server.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { asServer, locateBinaries, runAs } from '../../src/base/postgres/embedded/binaries.ts';
import { kill } from '../stage/launch.ts';
import { asServerAccount, type Host } from './hosts.ts';

const run = promisify(execFile);
export const superuser = 'concord_admin';
export const slot = 'replica';
type Settings = Readonly<Record<string, string>>;
export type Server = Awaited<ReturnType<ReturnType<typeof createServers>['start']>>;

/** `importer`: a file that can import the package of another PostgreSQL than the embedded one. */
export function createServers(importer?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'concord-machines-'));
  chmodSync(folder, 0o711);
  const binaries = locateBinaries(folder, importer);
  let made = 0;

  function newFolder() {
    const path = join(folder, String(++made));
    mkdirSync(path, { mode: 0o700 });
    if (runAs) chownSync(path, runAs.uid, runAs.gid);
    return path;
  }

  /** A new cluster. Every host of its network may connect, since nobody else reaches it. */
  async function createCluster() {
    const data = newFolder();
    const locale = [
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--locale-provider',
      'builtin',
      '--builtin-locale',
      'C.UTF-8',
    ];
    const args = [
      '--pgdata',
      data,
      '--username',
      superuser,
      '--auth',
      'trust',
      '--no-instructions',
      ...locale,
    ];
    await run(join(binaries, 'bin/initdb'), args, asServer);
    appendFileSync(
      join(data, 'pg_hba.conf'),
      'host all all samenet trust\nhost replication all samenet trust\n',
    );
    return data;
  }

  /** Copies a running server. Its slot keeps the log that the copy lacks. */
  async function copyCluster(from: Server) {
    await from.sql('select pg_create_physical_replication_slot($1, true)', [slot]);
    const archive = newFolder();
    const client = new Client({ connectionString: from.url, replication: 'true' } as never);
    await client.connect();
    const options = `LABEL 'replica', CHECKPOINT 'fast', MANIFEST 'no', TARGET 'server', TARGET_DETAIL '${archive}/backup'`;
    await client.query(`BASE_BACKUP (${options})`);
    await client.end();
    const data = newFolder();
    const [tar = '', ...args] = [
      ...asServerAccount,
      'tar',
      '--extract',
      '--file',
      join(archive, 'backup/base.tar'),
      '--directory',
      data,
    ];
    await run(tar, args);
    writeFileSync(join(data, 'standby.signal'), '');
    return data;
  }

  /** Starts a server and waits until it answers. */
  async function start(host: Host, data: string, settings: Settings = {}) {
    const port = await host.freePort();
    const url = `postgres://${superuser}@${host.address}:${port}/postgres`;
    const all = {
      listen_addresses: host.address,
      port: String(port),
      unix_socket_directories: '',
      ...settings,
    };
    const [file = '', ...args] = host.command(
      [join(binaries, 'bin/postgres'), '-D', data, ...toArguments(all)],
      true,
    );
    const log = openSync(join(data, 'server.log'), 'a');
    const child = spawn(file, args, { cwd: '/', env: asServer.env, stdio: ['ignore', log, log] });
    closeSync(log);
    const client = await connectPatiently(url, () => {
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL did not start:\n${readFileSync(join(data, 'server.log'), 'utf8')}`);
    });
    return {
      host,
      data,
      url,
      child,
      sql: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows,
      /** The whole host loses its power: no process of the server does anything more. */
      async kill() {
        client.end().catch(() => {});
        const { stdout } = await run('pgrep', ['--parent', String(child.pid)]);
        const gone = kill(child);
        for (const pid of stdout.split('\n').filter(Boolean)) killIfAlive(Number(pid));
        await gone;
      },
      async stop() {
        client.end().catch(() => {});
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGINT');
        await once(child, 'close');
      },
    };
  }

  return {
    newFolder,
    createCluster,
    copyCluster,
    start,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * The settings of a replica of this server. It comes back soon after its primary, and promotes without a
 * wait.
 */
export const follow = async (host: Host, primary: Server): Promise<Settings> => {
  const { hostname, port } = new URL(await host.route(primary.url));
  return {
    primary_conninfo: `host=${hostname} port=${port} user=${superuser} application_name=${slot}`,
    primary_slot_name: slot,
    wal_retrieve_retry_interval: '200ms',
  };
};

const toArguments = (settings: Settings) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

function killIfAlive(pid: number) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** `look` throws when the server has ended. */
async function connectPatiently(url: string, look: () => void) {
  for (;;) {
    look();
    const client = new Client({ connectionString: url, application_name: 'the test' });
    client.on('error', () => {});
    try {
      await client.connect();
      return client;
    } catch {
      await delay(20);
    }
  }
}
