// Checks openapi.json: a linter finds no problem, every operation has an id, and a typed client that is generated from it compiles.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lint } from '@redocly/openapi-core';

const root = join(import.meta.dirname, '..');
const file = join(root, 'openapi.json');
const execute = promisify(execFile);

const usage = 'Usage: node tools/description.ts\nLints openapi.json, and compiles a client that is generated from it.';

/** Rules that say nothing about Concord's description: the server is relative, and errors are a `default` response. */
const rules = {
  'operation-4xx-response': 'off',
  'no-server-example.com': 'off',
  'no-empty-servers': 'off',
  'info-license-strict': 'off',
  'operation-operationId': 'error',
  'operation-summary': 'error',
  'operation-2xx-response': 'error',
  'no-unused-components': 'error',
  'no-invalid-schema-examples': 'error',
  'no-invalid-media-type-examples': 'error',
} as const;

async function lintDescription(): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lint({ ref: file, config });
  return problems.map(({ ruleId, message, location: [at] }) => `openapi.json: ${message} (${ruleId}, at ${at?.pointer ?? '#'})`);
}

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
};

async function compileClient(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-client-'));
  try {
    await createClient({
      input: file,
      output: { path: join(folder, 'client'), postProcess: [] },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      logs: { level: 'silent' },
    });
    const program = `import { getPartner, listPartners, publishEvent } from './client/index.ts';
const { data: partner } = await getPartner({ path: { id: 'ptr_1' } });
const name: string | undefined = partner?.name;
const { data: page } = await listPartners({ query: { page_size: 10 } });
const first: string | undefined = page?.[0]?.id;
await publishEvent({ path: { id: 'ptr_1' }, body: { type: 'inventory.updated', data: {} } });
export { first, name };
`;
    writeFileSync(join(folder, 'program.ts'), program);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    await execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--project', folder]);
    return [];
  } catch (error) {
    const { stdout, message } = error as { stdout?: string; message: string };
    return [`The generated client does not compile: ${stdout || message}`];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findMissingIds(): string[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, { operationId?: string }>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { operationId }]) => operationId === undefined)
      .map(([method]) => `openapi.json: ${method.toUpperCase()} ${path} has no operationId`),
  );
}

if (process.argv.includes('--help')) process.stdout.write(`${usage}\n`);
else {
  const problems = [...findMissingIds(), ...(await lintDescription()), ...(await compileClient())];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
