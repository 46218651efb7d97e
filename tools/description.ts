// Checks openapi.json: a linter finds no problem, and every operation has an id.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const file = join(import.meta.dirname, '../openapi.json');

const usage = 'Usage: node tools/description.ts\nLints openapi.json.';

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
  const problems = [...findMissingIds(), ...(await lintDescription())];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
