// Writes the files that are made from the code: openapi.json, docs/configuration.md, docs/errors.md, docs/command-line.md,
// vectors/webhooks.json and vectors/checkpoints.json, the operations and types of packages/client, and what others know of built-in events. Takes the engines out of
// package-lock.json. With --check it only compares.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createDenials } from '../server/src/audit/index.ts';
import { catalogue, faultCodes } from '../server/src/base/error-catalogue.ts';
import { createServer } from '../server/src/base/feature.ts';
import { createDatabase } from '../server/src/base/postgres/database.ts';
import { noTracing } from '../server/src/base/tracing/index.ts';
import { createInstruments } from '../server/src/insight/metrics/index.ts';
import { type Environment, readConfig, type SettingName } from '../server/src/program/config.ts';
import { createFeatures } from '../server/src/program/features.ts';
import { settings } from '../server/src/program/settings.ts';
import { builtInEventTypes } from '../server/src/webhooks/index.ts';
import { generateCheckpointVectors } from '../vectors/checkpoints.ts';
import { generateVectors } from '../vectors/generate.ts';
import { generateBuiltInEvents } from './built-in-events.ts';
import { generateClient } from './client.ts';
import { commandLineDocument } from './command-line-document.ts';

const usage =
  'Usage: npm run generate [-- --check]\nWrites openapi.json, docs/configuration.md, docs/errors.md, docs/command-line.md, vectors/webhooks.json, vectors/checkpoints.json, packages/client/src/generated and the files *.gen.ts of built-in event types, and takes the engines out of package-lock.json; --check fails when one of them is not up to date.';
const root = join(import.meta.dirname, '..');
const clientFolder = 'packages/client/src/generated';

async function openApi(): Promise<string> {
  const environment: Environment = { CONCORD_LOG_LEVEL: 'silent' };
  const { config } = readConfig(environment);
  // The server is built, and never asked anything: no connection is made.
  const db = createDatabase({ connection: {}, onConnectionLost: () => {} });
  const logger = pino({ level: 'silent' });
  const features = createFeatures({
    config,
    logger,
    announce: () => {},
    db,
    openDatabase: () => db,
    listen: () => ({ start: async () => {}, stop: async () => {} }),
    secrets: [{ version: 1, value: 'only for generating files, never used' }],
    denials: createDenials({ db, onFailure: () => {} }),
    instruments: createInstruments({ databaseDir: null, role: config.CONCORD_ROLE, version: '' }),
    workerValues: async () => [],
    tracing: noTracing,
  });
  const server = await createServer(features, { logger, trustedProxies: [], isReady: async () => false });
  const description = server.swagger();
  await server.close();
  await db.close();
  return `${JSON.stringify(description, null, 2)}\n`;
}

function configuration(): string {
  const lines = [
    '# Configuration',
    '',
    'Generated from `server/src/program/settings.ts` by `npm run generate`.',
    '',
    'All settings come from environment variables; an empty variable counts as not set. A setting marked *secret* can also be given as a file, with `_FILE` at the end of its name. The default stands in brackets. Numbers such as B13 are [rules](behaviour/README.md).',
    '',
  ];
  for (const name of Object.keys(settings) as SettingName[]) {
    const { default: value, secret, description } = settings[name];
    lines.push(`- \`${name}\`${value ? ` (\`${value}\`)` : ''}${secret ? ' *secret*' : ''} ${description}`);
  }
  return `${lines.join('\n')}\n`;
}

function errors(): string {
  const lines = [
    '# Errors',
    '',
    'Generated from `server/src/base/error-catalogue.ts` by `npm run generate`.',
    '',
    'An error is `{message, code, request_id, errors?}`. `message` may change. Quote `request_id` in a report. Numbers such as E1 are [rules](behaviour/README.md).',
    ...[...Map.groupBy(Object.entries(catalogue), ([, { status }]) => status)]
      .toSorted(([a], [b]) => a - b)
      .flatMap(([status, entries]) => [
        '',
        `## ${status}`,
        '',
        ...entries.map(([code, { meaning }]) => `- \`${code}\` ${meaning}`),
      ]),
    '',
    '## Faults',
    '',
    '`invalid_request` lists 20 faults at most in `errors`, each as `{pointer, code, message}`: a JSON pointer (RFC 6901) into the body, the query or the headers, empty for the whole request; and one of these codes.',
    '',
    ...Object.entries(faultCodes).map(([code, meaning]) => `- \`${code}\` ${meaning}`),
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * npm compares the engines of packages with the Node that runs npm. It warns about each, and leaves optional
 * packages out: those of vite on Node 18. Ours run on the Node that this file pins.
 */
function lockWithoutEngines(): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { engines?: unknown }>;
  };
  for (const [path, entry] of Object.entries(lock.packages))
    if (path.includes('node_modules/')) delete entry.engines;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) process.stdout.write(`${usage}\n`);
else {
  const description = await openApi();
  const client = await generateClient(description);
  const files: Record<string, string> = {
    'openapi.json': description,
    'docs/configuration.md': configuration(),
    'docs/errors.md': errors(),
    'docs/command-line.md': commandLineDocument(),
    'vectors/webhooks.json': generateVectors(),
    'vectors/checkpoints.json': generateCheckpointVectors(),
    'package-lock.json': lockWithoutEngines(),
    ...generateBuiltInEvents(builtInEventTypes),
    ...Object.fromEntries(
      Object.entries(client).map(([name, content]) => [join(clientFolder, name), content]),
    ),
  };
  const stale = listFiles(clientFolder).filter((file) => !(file in files));
  for (const [file, content] of Object.entries(files)) {
    const path = join(root, file);
    if (!values.check) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    } else if (readOrNothing(path) !== content) {
      process.stderr.write(`${file} is not what the code says: run npm run generate, and commit it.\n`);
      process.exitCode = 1;
    }
  }
  for (const file of stale) {
    if (!values.check) rmSync(join(root, file));
    else {
      process.stderr.write(`${file} is not generated any more: run npm run generate, and commit it.\n`);
      process.exitCode = 1;
    }
  }
}

/** Relative to the root. */
function listFiles(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
  return names.filter((name) => statSync(join(root, name)).isFile());
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
