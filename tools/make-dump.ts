// Makes a small database as the program of an older commit leaves it, for the tests of upgrades.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from 'pg';
import { toUrl } from '../server/src/base/postgres/connection.ts';
import { startEmbeddedServer } from '../server/src/base/postgres/embedded/embedded-server.ts';
import { type Dump, operator, readDatabase, secrets } from '../server/test/upgrade/dump.ts';
import { runCommand, say } from './command.ts';
import { seed } from './dump-data.ts';
import { startService } from './tour-shell.ts';

const usage = `Usage: node tools/node.cjs tools/make-dump.ts COMMIT
Installs the packages of COMMIT in a temporary folder, starts its program on an empty database, makes data through its API, and
writes server/test/upgrade/dumps/<its last migration>.json.gz. Run it with the commit of each release that has new migrations.`;

const root = join(import.meta.dirname, '..');
const dumps = join(root, 'server/test/upgrade/dumps');

async function makeDump(given: string): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', `${given}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
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

/** Writes the program of a commit into a folder, with the packages that it needs. */
function checkOut(commit: string, into: string): void {
  mkdirSync(into);
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', into], { input: archive });
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: into,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Starts the program, makes data, and stops it. */
async function run(version: string, dataDir: string, databaseUrl: string): Promise<Dump['facts']> {
  const service = await startService(
    version,
    {
      DATABASE_URL: databaseUrl,
      CONCORD_DATA_DIR: dataDir,
      CONCORD_BASE_URL: 'http://concord.test',
      CONCORD_OPERATOR_EMAIL: operator.email,
      CONCORD_OPERATOR_PASSWORD: operator.password,
      CONCORD_RATE_LIMIT: 'off',
      CONCORD_SECRETS: secrets,
      CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
      CONCORD_WORKERS: '0',
      PORT: '0',
    },
    join(version, 'server/src/main.ts'),
  );
  return seed(service.url, join(dataDir, 'outbox')).finally(service.stop);
}

await runCommand(usage, {}, async (_, [commit]) => {
  if (commit === undefined) throw new Error(usage);
  await makeDump(commit);
});
