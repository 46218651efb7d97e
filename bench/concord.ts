// Concord and its database for cases: the only file of bench/ that imports the server, and only when a case
// needs it.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, type ClientConfig } from 'pg';
import type { Context } from './context.ts';
import { readStartCommand } from './start-command.ts';

const root = join(import.meta.dirname, '..');
export const operator = { email: 'operator@concord.local', password: 'a password for the bench' };

/** What differs from `npm start`: its place, and what the loads need. */
const settings = {
  PORT: '0',
  CONCORD_OPERATOR_EMAIL: operator.email,
  CONCORD_OPERATOR_PASSWORD: operator.password,
  CONCORD_RATE_LIMIT: 'off',
  CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
  CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
};

export type Service = {
  url: string;
  pid: number;
  /** The first process of its PostgreSQL. */
  postmaster: number;
  connection: ClientConfig;
};

export async function startService(
  context: Context,
  dataDir = join(context.folder, randomUUID()),
  more: Record<string, string> = {},
): Promise<Service> {
  mkdirSync(dataDir, { recursive: true });
  // When the service is killed, its PostgreSQL ends a moment later.
  context.defer(async () => {
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    while (existsSync(pidFile)) await delay(50);
  });
  const log = join(context.folder, `${randomUUID()}.log`);
  const output = openSync(log, 'w');
  const { program, environment, nodeOptions } = readStartCommand();
  const child = context.fork(pathToFileURL(join(root, program)), {
    environment: { ...environment, ...settings, ...more, CONCORD_DATA_DIR: dataDir },
    nodeOptions,
    output,
  });
  closeSync(output);
  let url: string | undefined;
  for (; url === undefined; await delay(20))
    url = /Concord is ready at (\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
  const { findRunningServer } = await import('../server/src/base/postgres/embedded/embedded-server.ts');
  const connection = findRunningServer(dataDir);
  if (connection === undefined) throw new Error(`No PostgreSQL runs in ${dataDir}`);
  const [postmaster] = readFileSync(
    join(realpathSync(join(dataDir, 'postgres')), 'postmaster.pid'),
    'utf8',
  ).split('\n');
  context.about.set('signer', /"signer":"([^"]+)"/.exec(readFileSync(log, 'utf8'))?.[1] ?? 'node');
  return { url, pid: child.pid ?? 0, postmaster: Number(postmaster), connection };
}

export async function connectSql(context: Context, connection: ClientConfig): Promise<Client> {
  const client = new Client(connection);
  // A failed statement rejects; a connection that is cut at the end of a case is no error.
  client.on('error', () => {});
  await client.connect();
  context.defer(() => client.end());
  const { rows } = await client.query<{ version: string; fsync: string }>(
    "select current_setting('server_version') as version, current_setting('fsync') as fsync",
  );
  context.about.set('PostgreSQL', `${rows[0]?.version} (fsync ${rows[0]?.fsync})`);
  return client;
}
