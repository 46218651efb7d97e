// Concord and its database for cases: the only file of bench/ that imports the server, and only when a case needs it.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { Sql } from 'sql-template-tag';
import type { Database } from '../server/src/postgres/database.ts';
import type { Context } from './context.ts';

const main = new URL('../server/src/main.ts', import.meta.url);
export const operator = { email: 'operator@concord.local', password: 'a password for the bench' };

export type Postgres = {
  /** A new database, dropped with the context: empty, or a copy of another one. The copied one must not be in use. */
  createDatabase(context: Context, template?: string): Promise<string>;
};

/** A server with these settings; with DATABASE_URL, the server at that address, with its own settings. */
export async function startPostgres(context: Context, settings: Record<string, string> = {}): Promise<Postgres> {
  const adminUrl = process.env.DATABASE_URL ?? (await startEmbedded(context, settings));
  const admin = await connectSql(context, adminUrl);
  return {
    async createDatabase(owner, template) {
      const name = `concord_bench_${randomUUID().replaceAll('-', '')}`;
      if (template === undefined) {
        await admin.query(`create database ${name}`);
      } else {
        const original = new URL(template).pathname.slice(1);
        await untilUnused(admin, original);
        await admin.query(`create database ${name} template ${original} strategy file_copy`);
      }
      owner.defer(() => admin.query(`drop database ${name} with (force)`));
      const url = new URL(adminUrl);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

async function startEmbedded(context: Context, settings: Record<string, string>): Promise<string> {
  const { startEmbeddedServer } = await import('../server/src/postgres/embedded/embedded-server.ts');
  const { connection, stop } = await startEmbeddedServer({
    dataDir: context.folder,
    settings,
    progress: context.say,
    onCrash: context.say,
  });
  context.defer(stop);
  return `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`;
}

/** A connection for statements of the case itself. */
export async function connectSql(context: Context, databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  // A failed statement rejects; a connection that is cut at the end of a case is no error.
  client.on('error', () => {});
  await client.connect();
  context.defer(() => client.end());
  return client;
}

/** A closed connection leaves the list of the server a moment later. */
async function untilUnused(admin: Client, database: string): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [database]);
    if (rowCount === 0) return;
    await admin.query('select pg_sleep(0.01)');
  }
}

/** The settings of every Concord in a case. */
function settingsFor(context: Context, databaseUrl: string): Record<string, string> {
  const dataDir = join(context.folder, randomUUID());
  mkdirSync(dataDir);
  return {
    PORT: '0',
    DATABASE_URL: databaseUrl,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_SECRETS: `1:${'s'.repeat(40)}`,
    CONCORD_OPERATOR_EMAIL: operator.email,
    CONCORD_OPERATOR_PASSWORD: operator.password,
    CONCORD_RATE_LIMIT: 'off',
    CONCORD_LOG_LEVEL: 'warn',
    // Otherwise the numbers would depend on whether somebody has built the native signer.
    CONCORD_SIGNER: 'node',
    CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
    CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  };
}

type ServiceOptions = {
  databaseUrl: string;
  /** Sends the access read over the pool instead of the pipelined connections. */
  accessReadOverPool?: boolean;
  role?: 'all' | 'worker';
  /** Leaves out the row of the audit log, or the counts of attempts. */
  without?: keyof typeof leaveOut;
};

/** A statement without what a case leaves out. Null: nothing is left, and it has no rows. */
type LeaveOut = (statement: Sql, name?: string) => Sql | null;
const leaveOut = {
  'record action': (statement, name) => (name === 'record action' ? null : statement),
  'count attempts': (statement, name) => (name === 'record results' ? withoutCounts(statement) : statement),
} satisfies Record<string, LeaveOut>;

function withoutCounts({ strings, values }: Sql): Sql {
  const rest = strings.map((text) => text.replace(/,\s*counted as \(.*\)(?=\s*select id)/s, ''));
  if (rest.join().includes('delivery_minute')) throw new Error('The counts could not be left out');
  return new Sql(rest, values);
}

/** Starts Concord in this process; resolves to its URL. */
export async function startInProcess(context: Context, options: ServiceOptions): Promise<string> {
  const [{ readConfig }, { createDatabase }, { startService }, { pino }] = await Promise.all([
    import('../server/src/config.ts'),
    import('../server/src/postgres/database.ts'),
    import('../server/src/service.ts'),
    import('pino'),
  ]);
  const overPool: typeof createDatabase = (databaseOptions) => {
    const { pipelined: _, ...db } = createDatabase(databaseOptions);
    return { ...db, pipelined: db };
  };
  const { without } = options;
  const leavingOut = <Q extends Pick<Database, 'query'>>(on: Q): Q => ({
    ...on,
    async query(statement: Sql, name?: string) {
      const rest = without === undefined ? statement : leaveOut[without](statement, name);
      return rest === null ? [] : on.query(rest, name);
    },
  });
  const withoutStatement: typeof createDatabase = (databaseOptions) => {
    const db = createDatabase(databaseOptions);
    return { ...leavingOut(db), transaction: (work) => db.transaction((tx) => work(leavingOut(tx))) };
  };
  const service = await startService({
    config: readConfig({ ...settingsFor(context, options.databaseUrl), CONCORD_ROLE: options.role ?? 'all' }).config,
    logger: pino({ level: 'warn' }),
    announce: () => {},
    ...(options.accessReadOverPool && { createDatabase: overPool }),
    ...(without && { createDatabase: withoutStatement }),
  });
  context.defer(service.stop);
  return service.url;
}

type ProcessOptions = { databaseUrl: string; role: 'all' | 'api' | 'worker'; environment?: Record<string, string> };

/** Starts Concord as a process of its own. */
export async function startProcess(
  context: Context,
  { databaseUrl, role, environment }: ProcessOptions,
): Promise<{ url: string; child: ChildProcess }> {
  const settings = { ...settingsFor(context, databaseUrl), CONCORD_ROLE: role, UV_THREADPOOL_SIZE: '16' };
  const child = context.fork(main, { environment: { ...settings, ...environment } });
  let output = '';
  const url = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /Concord is ready at (\S+)/.exec(output)?.[1];
      if (ready) resolve(ready);
    });
  });
  return { url, child };
}
