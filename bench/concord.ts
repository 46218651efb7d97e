// Concord and its database for cases: the only file of bench/ that imports the server, and only when a case
// needs it.
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, type ClientConfig } from 'pg';
import type { Sql } from 'sql-template-tag';
import type { Database } from '../server/src/base/postgres/database.ts';
import type { Context } from './context.ts';
import { readStartCommand } from './start-command.ts';

const root = join(import.meta.dirname, '..');
const leaner = new URL('./processes/leaner.ts', import.meta.url);
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

export type ServiceOptions = {
  /** With the database. By default a new one. */
  dataDir?: string;
  /** Leaves out the rows of the audit log, or the counts of attempts. */
  without?: LeftOut;
};

/** Starts what `npm start` starts. */
export async function startService(context: Context, options: ServiceOptions = {}): Promise<Service> {
  const { dataDir = join(context.folder, randomUUID()), without } = options;
  mkdirSync(dataDir, { recursive: true });
  // When the service is killed, its PostgreSQL ends a moment later.
  context.defer(async () => {
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    while (existsSync(pidFile)) await delay(50);
  });
  const log = join(context.folder, `${randomUUID()}.log`);
  const output = openSync(log, 'w');
  const { program, environment, nodeOptions } = readStartCommand();
  const script = pathToFileURL(join(root, program));
  const child = context.fork(without === undefined ? script : leaner, {
    ...(without && { args: [without] }),
    environment: { ...environment, ...settings, CONCORD_DATA_DIR: dataDir },
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

/** A connection for statements of the case itself. */
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

/** A statement without what a case leaves out. Null: nothing is left, and it has no rows. */
type LeaveOut = (statement: Sql, name?: string) => Promise<Sql | null>;
const leaveOut = {
  audit: async (statement, name) => (name === 'record action' ? null : statement),
  counts: async (statement, name) => (name === 'record results' ? withoutCounts(statement) : statement),
} satisfies Record<string, LeaveOut>;
export type LeftOut = keyof typeof leaveOut;

async function withoutCounts({ strings, values }: Sql): Promise<Sql> {
  const rest = strings.map((text) => text.replace(/,\s*counted as \(.*\)(?=\s*select id)/s, ''));
  if (rest.join().includes('delivery_minute')) throw new Error('The counts could not be left out');
  const { Sql } = await import('sql-template-tag');
  return new Sql(rest, values);
}

/** Runs Concord in this process, with the settings of the environment, until a signal stops it. */
export async function runLeaner(without: LeftOut): Promise<void> {
  const [{ readConfig }, { createDatabase }, { startService: start }, { pino }] = await Promise.all([
    import('../server/src/program/config.ts'),
    import('../server/src/base/postgres/database.ts'),
    import('../server/src/program/service.ts'),
    import('pino'),
  ]);
  const leavingOut = <Q extends Pick<Database, 'query' | 'write'>>(on: Q): Q => ({
    ...on,
    async query(statement: Sql, name?: string) {
      const rest = await leaveOut[without](statement, name);
      return rest === null ? [] : on.query(rest, name);
    },
    async write(statement: Sql, name?: string) {
      const rest = await leaveOut[without](statement, name);
      if (rest !== null) await on.write(rest, name);
    },
  });
  const lean: typeof createDatabase = (options) => {
    const db = createDatabase(options);
    return { ...leavingOut(db), transaction: (work) => db.transaction((tx) => work(leavingOut(tx))) };
  };
  const { config } = readConfig(process.env);
  const announce = (line: string) => void process.stdout.write(`${line}\n`);
  const service = await start({ config, logger: pino(), announce, createDatabase: lean });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void service.stop().then(() => process.exit()));
  announce(`Concord is ready at ${service.url}`);
}
