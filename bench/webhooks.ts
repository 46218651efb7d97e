// What delivering webhooks costs: from publishing to a receiver when nothing else goes on, and how many a second by two workers, receivers
// included; the same behind endpoints that hang, and on top of ten million deliveries that are done. Ratios of one run.
import { type ChildProcess, fork } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { Client } from 'pg';
import { startEmbeddedServer } from '../server/src/postgres/embedded/embedded-server.ts';

const usage = `Usage: npm run bench:webhooks                 latency, throughput and fairness (3 minutes)
       npm run bench:webhooks -- --history    and again with ten million deliveries that are done (10 minutes more)`;
const self = fileURLToPath(import.meta.url);
const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const password = 'a password for the bench';
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
/** Of one clock for all processes, in milliseconds. */
const now = () => Number(process.hrtime.bigint()) / 1e6;

if (process.argv[2] === 'receiver') receive();
else if (process.argv[2] === 'signer') await signForever();
else await measure();

/** A process of its own: it answers 204, or under /hang never; and tells when what came. */
function receive(): void {
  let arrivals: number[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.url?.startsWith('/hang')) return;
    arrivals.push(now());
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  process.on('message', (message) => {
    if (message === 'count') process.send?.({ count: arrivals.length });
    else {
      process.send?.({ arrivals });
      arrivals = [];
    }
  });
}

/** How many P-384 signatures a second the thread pool makes: what bounds every sender of signed webhooks. */
async function signForever(): Promise<void> {
  const signInPool = promisify(sign) as (algorithm: string, data: Buffer, key: object) => Promise<Buffer>;
  const key = { key: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, dsaEncoding: 'ieee-p1363' };
  let signatures = 0;
  const start = now();
  const end = start + 4_000;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (now() < end) {
        await signInPool('sha384', Buffer.alloc(300), key);
        signatures++;
      }
    }),
  );
  process.send?.({ rate: (signatures * 1_000) / (now() - start) });
}

async function measure(): Promise<void> {
  const { values } = parseArgs({ options: { history: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return void process.stdout.write(`${usage}\n`);
  const stage = await setUp();
  try {
    say(`publish to first byte, idle: ${await stage.latency()}`);
    const plain = await stage.throughput();
    say(`two workers: ${plain.text}`);
    await stage.fairness();
    if (values.history) {
      await stage.fillHistory();
      const filled = await stage.throughput();
      say(`two workers, ten million done: ${filled.text}; to that before ${(filled.ratio / plain.ratio).toFixed(2)}`);
    }
  } finally {
    await stage.tearDown();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function setUp() {
  const dataDir = mkdtempSync(join(tmpdir(), 'concord-bench-'));
  const database = await startEmbeddedServer({
    dataDir,
    settings: { max_connections: '100', shared_buffers: '1GB', max_wal_size: '8GB' },
    progress: () => {},
    onCrash: say,
  });
  const { host, user, database: name } = database.connection;
  const databaseUrl = `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}`;
  const sql = new Client({ connectionString: databaseUrl });
  await sql.connect();
  const children: ChildProcess[] = [];
  const run = (script: string, args: string[], environment: Record<string, string> = {}) => {
    const child = fork(script, args, {
      env: { ...process.env, UV_THREADPOOL_SIZE: '16', ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  };
  const told = async (child: ChildProcess) => (await once(child, 'message'))[0];
  const stop = async (child: ChildProcess) => {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  };

  async function startConcord(role: string): Promise<{ child: ChildProcess; url: string }> {
    const child = run(main, [], {
      CONCORD_ROLE: role,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      CONCORD_DATA_DIR: join(dataDir, role),
      CONCORD_SECRETS: `1:${'s'.repeat(40)}`,
      CONCORD_OPERATOR_PASSWORD: password,
      CONCORD_RATE_LIMIT: 'off',
      CONCORD_LOG_LEVEL: 'warn',
      CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
      CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    });
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += chunk;
      const url = /Concord is ready at (\S+)/.exec(output)?.[1];
      if (url) return { child, url };
    }
    throw new Error(output);
  }

  const receiver = run(self, ['receiver']);
  const { port } = await told(receiver);
  const arrivals = async (): Promise<number[]> => {
    receiver.send('arrivals');
    return (await told(receiver)).arrivals;
  };
  const untilArrived = async (count: number) => {
    for (;;) {
      receiver.send('count');
      if ((await told(receiver)).count >= count) return;
      await pause(50);
    }
  };

  const api = await startConcord('api');
  let token = '';
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(api.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, string>;
  };
  ({ token = '' } = await post('/api/auth/sign-in/email', { email: 'operator@concord.local', password }));
  const event = { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12, location: 'Oslo' } };
  /** A partner with so many endpoints. */
  async function partner(endpoints: number, path = '/'): Promise<string> {
    const { id = '' } = await post('/partners', { name: 'Acme' });
    for (let n = 0; n < endpoints; n++)
      await post(`/partners/${id}/webhook-endpoints`, { url: `http://127.0.0.1:${port}${path}${n}` });
    return id;
  }
  const publish = (id: string, count: number) => post(`/partners/${id}/events/batch`, Array(count).fill(event));
  const signingRate = async (): Promise<number> => (await told(run(self, ['signer']))).rate;
  const crowd = await Promise.all(Array.from({ length: 10 }, () => partner(100)));

  /** 1,000 endpoints with 20 each, by two workers: deliveries a second between the tenth and the ninetieth hundredth of them. */
  async function deliverAll(): Promise<{ rate: number; seconds: number }> {
    await arrivals();
    const workers = [await startConcord('worker'), await startConcord('worker')];
    for (const id of crowd) await publish(id, 20);
    const published = now();
    await untilArrived(20_000);
    const all = await arrivals();
    await Promise.all(workers.map(({ child }) => stop(child)));
    const [from, to] = [all.length * 0.1, all.length * 0.9].map(Math.floor) as [number, number];
    return {
      rate: ((to - from) * 1_000) / ((all[to] ?? 0) - (all[from] ?? 0)),
      seconds: ((all.at(-1) ?? 0) - published) / 1_000,
    };
  }

  return {
    async latency(): Promise<string> {
      const { child } = await startConcord('worker');
      const id = await partner(1);
      const times: number[] = [];
      for (let n = 0; n < 300; n++) {
        await pause(20);
        const start = now();
        await post(`/partners/${id}/events`, event);
        await untilArrived(1);
        times.push(((await arrivals())[0] ?? 0) - start);
      }
      await stop(child);
      const sorted = times.slice(50).toSorted((a, b) => a - b);
      return `p50 ${median(sorted).toFixed(1)} ms, p95 ${(sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(1)} ms`;
    },

    async throughput() {
      const before = await signingRate();
      const rates: number[] = [];
      for (let round = 0; round < 3; round++) rates.push((await deliverAll()).rate);
      const rate = median(rates);
      const pure = (before + (await signingRate())) / 2;
      return {
        ratio: rate / pure,
        text: `${Math.round(rate)} deliveries/s, ${(rate / pure).toFixed(2)} of ${Math.round(pure)} P-384 signatures/s (rounds ${rates.map(Math.round).join(' ')})`,
      };
    },

    async fairness(): Promise<void> {
      const alone = median([(await deliverAll()).seconds, (await deliverAll()).seconds, (await deliverAll()).seconds]);
      const heavy = await partner(1, '/hang/');
      for (let n = 0; n < 100; n++) await publish(heavy, 1_000);
      const one = (await deliverAll()).seconds;
      const hanging = [await partner(100, '/hang/'), await partner(100, '/hang/')];
      for (const id of hanging) await publish(id, 20);
      const many = (await deliverAll()).seconds;
      say(
        `1,000 endpoints with 20 each: ${alone.toFixed(1)} s; beside one that hangs with 100,000: ${(one / alone).toFixed(2)} of that; beside 200 more that hang: ${(many / alone).toFixed(2)}`,
      );
    },

    async fillHistory(): Promise<void> {
      say('ten million deliveries that are done...');
      const { rows } = await sql.query(`select id, partner_id from webhook_endpoint where url not like '%hang%' limit 1`);
      const week = 7 * 86_400_000;
      const first = Math.floor(Date.now() / week) - 10;
      for (let n = 0; n < 10; n++) {
        const [from = '', to = ''] = [first + n, first + n + 1].map((each) => new Date(each * week).toISOString());
        for (const table of ['event', 'delivery', 'attempt'])
          await sql.query(
            `create table if not exists ${table}_${from.slice(0, 10).replaceAll('-', '')} partition of ${table} for values from (first_id_of('${from}')) to (first_id_of('${to}'))`,
          );
        await sql.query(
          `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, next_attempt_at, created_at, completed_at)
           select overlay(gen_random_uuid()::text placing left(first_id_of(at)::text, 13) from 1)::uuid, gen_random_uuid(), 'inventory.updated', $1, $2, 'live', n, 'delivered', 1, null, at, at
           from (select n, $3::timestamptz + n * interval '600 ms' as at from generate_series(0, 999999) n) as done`,
          [rows[0].partner_id, rows[0].id, from],
        );
        say(`  ${n + 1} million`);
      }
      await sql.query('vacuum analyze delivery');
    },

    async tearDown(): Promise<void> {
      for (const child of children) child.kill('SIGKILL');
      await sql.end();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
