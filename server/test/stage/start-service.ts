// A whole service for a test, with its own database and a client that holds responses to the contract.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { createDatabase, type Database } from '../../src/base/postgres/database.ts';
import { type Environment, readConfig } from '../../src/program/config.ts';
import { type Service, startService } from '../../src/program/service.ts';
import { type Exchange, holdToContract } from '../contract/contract.ts';
import { createClock } from './clock.ts';
import './scrypt.ts';

export const operator = { email: 'operator@concord.test', password: 'a password for the tests' };

/** Tests read bodies without types: the contract has validated them. */
type Body = ReturnType<typeof JSON.parse>;
export type Response = Exchange & { body: Body; text: string };
type RequestOptions = {
  token?: string | null;
  /** Sent as JSON. A string or Buffer is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string | string[]>;
};

export type TestDatabase = {
  url: string;
  sql(text: string, values?: unknown[]): Promise<Body[]>;
  /** Another connection. The caller ends it. */
  connect(): Promise<Client>;
  /** The database as the service opens it. The caller closes it. */
  open(): Database;
  /** Fails if a connection is still open, because that is a leak. */
  drop(): Promise<void>;
};

export async function createTestDatabase({
  migrated = true,
  template = inject('template'),
} = {}): Promise<TestDatabase> {
  const name = `concord_test_${randomUUID().replaceAll('-', '')}`;
  const admin = await connect(inject('adminUrl'));
  await admin.query(
    `create database ${name} template ${migrated ? template : 'template0'} strategy file_copy`,
  );
  const url = urlOf(name);
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  let last: Promise<unknown> = Promise.resolve();
  return {
    url,
    connect: () => connect(url),
    open: () => createDatabase({ connection: { connectionString: url }, onConnectionLost: () => {} }),
    sql: (text, values) => {
      // A client runs one statement at a time.
      const answer = last.then(() => client.query(text, values));
      last = answer.catch(() => {});
      return answer.then(({ rows }) => rows);
    },
    async drop() {
      await client.end();
      await untilDisconnected(admin, name);
      await admin.query(`drop database ${name}`);
      await admin.end();
    },
  };
}

async function connect(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

function urlOf(database: string) {
  const url = new URL(inject('adminUrl'));
  url.pathname = `/${database}`;
  return url.href;
}

/** The server lists a closed connection for a moment longer, and a leaked connection forever. */
async function untilDisconnected(admin: Client, database: string) {
  for (let tries = 0; tries < 2_000; tries++) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [database]);
    if (rowCount === 0) return;
    await admin.query('select pg_sleep(0.01)');
  }
}

/**
 * Starts a service before the tests of the file and stops it after them. Its members exist from the next
 * `beforeAll` on. Settings that follow from another start are given as a function.
 */
export function useService(environment: Environment | (() => Environment) = {}): TestService {
  const service = {} as TestService;
  beforeAll(async () => {
    const settings = typeof environment === 'function' ? environment() : environment;
    Object.assign(service, await startTestService(settings));
  });
  afterAll(() => service.stop());
  return service;
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

type Starting = { environment: Environment; databaseUrl: string; dataDir: string };

async function start({ environment, databaseUrl, dataDir }: Starting) {
  const logs: string[] = [];
  const announcements: string[] = [];
  function keepLog(line: string) {
    logs.push(line);
    // TEST_LOGS=1 prints the error behind a 500.
    if (process.env.TEST_LOGS && line.includes('"level":50')) process.stderr.write(line);
  }
  const { config } = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    CONCORD_DATA_DIR: dataDir,
    CONCORD_BASE_URL: 'http://concord.test',
    CONCORD_OPERATOR_EMAIL: operator.email,
    CONCORD_OPERATOR_PASSWORD: operator.password,
    CONCORD_RATE_LIMIT: 'off',
    CONCORD_WORKERS: '0',
    CONCORD_LOG_LEVEL: 'debug',
    ...environment,
  });
  const service: Service = await startService({
    config,
    logger: pino({ level: config.CONCORD_LOG_LEVEL }, { write: keepLog }),
    announce: (line) => announcements.push(line),
    announceSetup: ({ link }) => announcements.push(link),
  });
  return { service, logs, announcements, ...createClient(service.url) };
}

async function signInWith(request: ReturnType<typeof createClient>['request'], body = operator) {
  const answer = await request('POST', '/api/auth/sign-in/email', { token: null, body });
  if (answer.status !== 200) throw new Error(`Sign-in answered ${answer.status}`);
  return String(answer.body.token);
}

/** The secrets of services that share a database with workers, and of every service without its own. */
export const secrets = `1:${'s'.repeat(40)}`;

function newDataDir() {
  const dataDir = mkdtempSync(join(tmpdir(), 'concord-data-'));
  writeFileSync(join(dataDir, 'secrets'), secrets, { mode: 0o600 });
  return dataDir;
}

export const newEmail = () => `${randomUUID()}@concord.test`;

let startedTemplate: Promise<string> | undefined;

/**
 * The database of a service that has started, and whose operator has signed in. A start on its clone makes no
 * keys and hashes no password. The first process that needs it makes it for the run.
 */
async function makeStartedTemplate() {
  const name = `${inject('template')}_started`;
  const admin = await connect(inject('adminUrl'));
  try {
    await admin.query(`select pg_advisory_lock(hashtext('${name}'))`);
    const complete = 'select from pg_database where datname = $1 and not datallowconn';
    if ((await admin.query(complete, [name])).rowCount === 1) return name;
    await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`);
    const dataDir = newDataDir();
    const { service, request, close } = await start({ environment: {}, databaseUrl: urlOf(name), dataDir });
    await signInWith(request);
    close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
    const client = await connect(urlOf(name));
    await client.query('delete from auth.session; delete from scheduled_task');
    await client.end();
    await admin.query(`alter database ${name} allow_connections false`);
    return name;
  } finally {
    // The others would wait for the lock, and not say what failed.
    await admin.end();
  }
}

/** Inserts a session of the user that outlives what tests move the clock by. The tests of accounts sign in for real. */
export async function insertSession(sql: TestDatabase['sql'], userId: string, proven = false) {
  const token = randomBytes(16).toString('hex');
  await sql(
    `insert into auth.session (id, user_id, token, expires_at, updated_at, mfa_verified_at)
     values ($1, $2, encode(sha256($3), 'hex'), now() + interval '400 days', now(), $4)`,
    [randomUUID(), userId, token, proven ? new Date() : null],
  );
  return token;
}

/** `route` may put a proxy between the service and its database. */
export async function startTestService(
  environment: Environment = {},
  route?: (databaseUrl: string) => string | Promise<string>,
) {
  const { CONCORD_SECRETS = secrets, CONCORD_OPERATOR_EMAIL, CONCORD_OPERATOR_PASSWORD } = environment;
  const isUsual = CONCORD_SECRETS === secrets && !CONCORD_OPERATOR_EMAIL && !CONCORD_OPERATOR_PASSWORD;
  if (isUsual) startedTemplate ??= makeStartedTemplate();
  const database = await createTestDatabase(isUsual ? { template: await startedTemplate } : {});
  const dataDir = newDataDir();
  const databaseUrl = route ? await route(database.url) : database.url;
  const { service, request, close, ...output } = await start({ environment, databaseUrl, dataDir });
  const signIn = (email = operator.email, password = operator.password) =>
    signInWith(request, { email, password });
  async function openSession() {
    const [{ id }] = await database.sql('select id from auth."user"');
    return insertSession(database.sql, id);
  }
  const operatorToken = await (isUsual && !route ? openSession() : signIn());

  /** Sends a request as the operator, unless `token` names another caller. */
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    request(method, path, { token: operatorToken, ...options });
  type Token = RequestOptions['token'];
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, token: Token = operatorToken) =>
      send(method, path, { body, token });
  const withoutBody =
    (method: string) =>
    (path: string, token: Token = operatorToken) =>
      send(method, path, { token });

  return {
    url: service.url,
    dataDir,
    database,
    sql: database.sql,
    ...output,
    operatorToken,
    signIn,
    request: send,
    get: withoutBody('GET'),
    remove: withoutBody('DELETE'),
    post: withBody('POST'),
    patch: withBody('PATCH'),
    put: withBody('PUT'),
    /**
     * Creates a user without rights, who has the password of the operator and a session. `byPassword`: from a
     * real sign-in, which writes its row in the audit log.
     */
    async signInStranger(byPassword = false) {
      const [id, email] = [newId('user'), newEmail()];
      await database.sql(
        `with person as (
           insert into auth."user" (id, name, email, email_verified, role) values ($1, 'Stranger', $2, true, 'user') returning id)
         insert into auth.account (id, account_id, provider_id, user_id, password, updated_at)
         select $1, $1, 'credential', person.id, password, now() from person,
           (select password from auth.account where provider_id = 'credential' limit 1) as known`,
        [id, email],
      );
      return { id, email, token: await (byPassword ? signIn(email) : insertSession(database.sql, id)) };
    },
    ...createClock(database.sql),
    runDue: service.tasks.runDue,
    /** Until `runTask` of this name, the service's own timer does not run the task. */
    pauseTask: (name: string) =>
      database.sql(
        `insert into scheduled_task (name, next_at) values ($1, 'infinity') on conflict (name) do update set next_at = excluded.next_at`,
        [name],
      ),
    /** Makes the task due and runs it, if it has anything to do. The service's own timer may run it first. */
    async runTask(name: string) {
      const due = `insert into scheduled_task (name) values ($1) on conflict (name) do update set next_at = '-infinity'`;
      await database.sql(due, [name]);
      const waiting = `select from scheduled_task where name = $1 and next_at = '-infinity'`;
      const errors = () => output.logs.filter((line) => line.includes('"level":50'));
      for (let tries = 0; tries < 100; tries++) {
        const before = errors().length;
        await service.tasks.runDue(name);
        if ((await database.sql(waiting, [name])).length === 0) return;
        // It stays due where it has nothing to do.
        const isFree = (await database.sql(`${waiting} for update skip locked`, [name])).length > 0;
        if (isFree && errors().length === before) return;
      }
      throw new Error(`The task "${name}" does not come to its end: ${errors().at(-1)}`);
    },
    async stop() {
      close();
      await service.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true });
      // Such requests would wait for each other (L14).
      const nested = output.logs.find((line) => line.includes('"a connection inside a transaction"'));
      if (nested !== undefined) throw new Error(nested);
    },
  };
}

/** A service that stops when the test finishes. */
export async function openService(...of: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...of);
  onTestFinished(service.stop);
  return service;
}

/** Starts another instance on the database of a service, in this process. It stops with the test at the latest. */
export async function startBeside({ database }: Pick<TestService, 'database'>, environment: Environment) {
  const dataDir = newDataDir();
  const { service, close, announcements } = await start({ environment, databaseUrl: database.url, dataDir });
  onTestFinished(async () => {
    close();
    await service.stop();
    rmSync(dataDir, { recursive: true });
  });
  return { ...service, announcements };
}

/**
 * Sends requests over real sockets. The path is sent byte for byte, and each response is validated against
 * the contract.
 */
export function createClient(url: string) {
  // The client must close idle connections before the service does. Otherwise the service could close one
  // during a request.
  const agent = new Agent({ keepAlive: true, maxSockets: 200, timeout: 10_000 });
  const { hostname, port } = new URL(url);

  function request(
    method: string,
    path: string,
    { token = null, body, headers = {} }: RequestOptions = {},
  ): Promise<Response> {
    const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
    const payload = body === undefined ? undefined : isRaw ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          agent,
          hostname,
          port,
          method,
          path,
          headers: {
            ...(token !== null && { authorization: `Bearer ${token}` }),
            ...(payload !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(payload),
            }),
            ...headers,
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = /^application\/(?:scim\+)?json/.test(String(incoming.headers['content-type']));
            const status = incoming.statusCode ?? 0;
            try {
              const exchange = {
                method,
                path,
                status,
                headers: incoming.headers,
                body: text === '' ? null : isJson ? JSON.parse(text) : text,
              };
              holdToContract(exchange);
              resolve({ ...exchange, text });
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
  return { request, close: () => agent.destroy() };
}
