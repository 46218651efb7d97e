// Starts one PostgreSQL for the run: embedded, or that of DATABASE_URL. Tests clone its migrated template.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { buildBundleIfChanged } from '../../tools/bundle.ts';
import { startEmbeddedServer } from '../src/base/postgres/embedded/embedded-server.ts';
import { migrate } from '../src/base/postgres/migrations.ts';
import { databaseFolder } from './stage/database-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server URL for creating and dropping databases. */
    adminUrl: string;
    template: string;
  }
}

export default async function setUp(project: TestProject) {
  // Tests that start the program start what users get.
  await buildBundleIfChanged();
  const { adminUrl, stop } = await startServer();
  const template = `concord_test_${process.pid}_template`;
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`drop database if exists ${template}`);
  await admin.query(`create database ${template}`);
  await migrate({ connectionString: databaseUrl(adminUrl, template) }, () => {});
  await admin.query(`alter database ${template} allow_connections false`);
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    for (const each of [template, `${template}_started`])
      await admin.query(`drop database if exists ${each}`);
    // launch.ts may have made it.
    rmSync(join(databaseFolder, template), { recursive: true, force: true });
    await admin.end();
    await stop();
  };
}

async function startServer() {
  const own = process.env.DATABASE_URL;
  if (own) return { adminUrl: own, stop: async () => {} };
  removeLeftovers();
  const dataDir = mkdtempSync(join(databaseFolder, 'concord-test-'));
  chmodSync(dataDir, 0o711);
  const server = await startEmbeddedServer({
    dataDir,
    // The data need not survive a power cut.
    settings: { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '400' },
    progress: () => {},
    onCrash: (message) => process.stderr.write(`${message}\n`),
  });
  const { host, user, database } = server.connection;
  return {
    adminUrl: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Of this user's runs that were killed more than a day ago: each can take 300 MB of memory. */
function removeLeftovers(): void {
  for (const name of readdirSync(databaseFolder)) {
    const folder = join(databaseFolder, name);
    if (!/^concord-(test|program)-/.test(name) || existsSync(join(folder, 'postgres/postmaster.pid')))
      continue;
    const found = statSync(folder, { throwIfNoEntry: false });
    const isOld = found?.uid === process.getuid?.() && Date.now() - (found?.mtimeMs ?? 0) > 24 * 3_600_000;
    if (found && isOld) rmSync(folder, { recursive: true, force: true });
  }
}

function databaseUrl(adminUrl: string, database: string) {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}
