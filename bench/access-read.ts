// What a GET of a partner costs: as shipped, over the pool, and against a bare node:http server. Ratios of one run, medians of seven.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../server/src/config.ts';
import { createDatabase } from '../server/src/postgres/database.ts';
import { startService } from '../server/src/service.ts';
import { measure } from './load.ts';

const rounds = 7;
const password = 'a password for the bench';
const dataDir = mkdtempSync(join(tmpdir(), 'concord-bench-'));
const { config } = readConfig({
  PORT: '0',
  CONCORD_DATA_DIR: dataDir,
  CONCORD_OPERATOR_PASSWORD: password,
  CONCORD_RATE_LIMIT: 'off',
  CONCORD_LOG_LEVEL: 'warn',
  ...(process.env.DATABASE_URL && { DATABASE_URL: process.env.DATABASE_URL }),
});

/** The service with its access read over the pool: what pipelining is measured against. */
const overPool: typeof createDatabase = (options) => {
  const { pipelined: _, ...db } = createDatabase(options);
  return { ...db, pipelined: db };
};

async function start(createDatabaseOfKind?: typeof createDatabase) {
  const service = await startService({
    config,
    logger: pino({ level: 'warn' }),
    announce: () => {},
    ...(createDatabaseOfKind && { createDatabase: createDatabaseOfKind }),
  });
  return { port: Number(new URL(service.url).port), stop: service.stop };
}

async function askFor(port: number): Promise<{ request: string; body: string }> {
  const json = { 'content-type': 'application/json' };
  const at = `http://127.0.0.1:${port}`;
  const post = async (path: string, headers: object, body: object) => {
    const answer = await fetch(at + path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, string>;
  };
  const { token } = await post('/api/auth/sign-in/email', {}, { email: config.CONCORD_OPERATOR_EMAIL, password });
  const authorization = `Bearer ${token}`;
  const { id } = await post('/partners', { authorization }, { name: 'Acme' });
  const body = await (await fetch(`${at}/partners/${id}`, { headers: { authorization } })).text();
  return { body, request: `GET /partners/${id} HTTP/1.1\r\nHost: bench\r\nAuthorization: ${authorization}\r\n\r\n` };
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

// One after the other, since the embedded database serves one program; each round starts both anew.
const results = { bare: [] as number[], pool: [] as number[], pipelined: [] as number[] };
for (let round = 0; round < rounds; round++) {
  for (const [kind, of] of [
    ['pool', overPool],
    ['pipelined', undefined],
  ] as const) {
    const service = await start(of);
    const { request, body } = await askFor(service.port);
    const load = { request, connections: 64 };
    await measure({ ...load, port: service.port, durationMs: 1_000 });
    results[kind].push(await measure({ ...load, port: service.port, durationMs: 3_000 }));
    await service.stop();
    if (kind === 'pool') continue;
    const bare = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body)).listen(0);
    const { port } = bare.address() as AddressInfo;
    await measure({ ...load, port, durationMs: 500 });
    results.bare.push(await measure({ ...load, port, durationMs: 1_500 }));
    bare.close();
  }
  process.stdout.write(`round ${round + 1} of ${rounds}\n`);
}
rmSync(dataDir, { recursive: true, force: true });
const [bare, pool, pipelined] = [median(results.bare), median(results.pool), median(results.pipelined)];
process.stdout.write(
  `bare node:http ${Math.round(bare)}/s; GET /partners/{id} over the pool ${(pool / bare).toFixed(3)}, pipelined ${(pipelined / bare).toFixed(3)}; ` +
    `pipelined to pool ${(pipelined / pool).toFixed(2)} (${results.pipelined.map((each, i) => (each / (results.pool[i] ?? 1)).toFixed(2)).join(' ')})\n`,
);
