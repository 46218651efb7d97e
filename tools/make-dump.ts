// Makes a small database as the program of an older commit leaves it, for the tests of upgrades.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { toUrl } from '../server/src/base/postgres/connection.ts';
import { startEmbeddedServer } from '../server/src/base/postgres/embedded/embedded-server.ts';
import { type Dump, operator, readDatabase, secrets } from '../server/test/upgrade/dump.ts';
import { seed } from './dump-data.ts';
import { checkOut, fullName } from './older-version.ts';

const usage = `Usage: node tools/node.cjs tools/make-dump.ts COMMIT
Installs the packages of COMMIT in a temporary folder, starts its program on an empty database, makes data through its API, and
writes server/test/upgrade/dumps/<its last migration>.json.gz. Run it with the commit of each release that has new migrations.`;

const dumps = join(import.meta.dirname, '../server/test/upgrade/dumps');
const say = (line: string) => void process.stdout.write(`${line}\n`);

async function makeDump(given: string): Promise<void> {
  const commit = fullName(given);
  const folder = mkdtempSync(join(tmpdir(), 'concord-dump-'));
  chmodSync(folder, 0o711);
  try {
    const version = join(folder, 'version');
    say(`Installing ${commit.slice(0, 8)}…`);
    checkOut(commit, version);
    const dataDir = join(folder, 'postgres');
    mkdirSync(dataDir, { mode: 0o711 });
    const server = await startEmbeddedServer({ dataDir, progress: () => {}, onCrash: say });
    try {
      const facts = await run(version, join(folder, 'data'), toUrl(server.connection));
      const client = new Client(server.connection);
      await client.connect();
      const dump = { commit, facts, ...(await readDatabase(client, join(version, 'server/migrations'))) };
      await client.end();
      const file = join(dumps, `${dump.migrations.at(-1)?.name}.json.gz`);
      const bytes = gzipSync(JSON.stringify(dump), { level: 9 });
      writeFileSync(file, bytes);
      say(`${file}: ${bytes.length} bytes, ${dump.tables.length} tables with rows`);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts the program, makes data, and stops it. */
async function run(version: string, dataDir: string, databaseUrl: string): Promise<Dump['facts']> {
  const child = spawn(process.execPath, [join(version, 'server/src/main.ts')], {
    cwd: version,
    env: {
      PATH: process.env.PATH,
      ...{
        DATABASE_URL: databaseUrl,
        CONCORD_DATA_DIR: dataDir,
        CONCORD_SECRETS: secrets,
        PORT: '0',
        CONCORD_RATE_LIMIT: 'off',
      },
      ...{
        CONCORD_OPERATOR_EMAIL: operator.email,
        CONCORD_OPERATOR_PASSWORD: operator.password,
        CONCORD_LOG_LEVEL: 'error',
      },
      ...{
        CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
        CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        CONCORD_WORKERS: '0',
      },
      CONCORD_BASE_URL: 'http://concord.test',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  try {
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const ready = /^Concord is ready at (\S+)$/m.exec(output)?.[1];
        if (ready) resolve(ready);
      });
      void ended.then(() => reject(new Error(`The program ended:\n${output}`)));
    });
    return await seed(url, join(dataDir, 'outbox'));
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
});
const [commit] = positionals;
if (values.help || commit === undefined) {
  say(usage);
  if (!values.help) process.exitCode = 1;
} else await makeDump(commit);
