// Checks openapi.json: a linter finds no problem in it nor in its form of OpenAPI 3.0.3, and generators of
// clients can read it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import { toOpenApi30 } from '../server/src/base/http/openapi-3.0.ts';
import { complain } from './command.ts';
import { findUnreadable } from './readable-description.ts';

const file = join(import.meta.dirname, '../openapi.json');

/**
 * Rules that say nothing about Concord's description: the server is a default, and errors are a `default`
 * response.
 */
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

async function lintFile(
  path: string,
  name: string,
  more: Partial<Record<keyof typeof rules, 'off'>> = {},
): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: { ...rules, ...more } });
  const problems = await lint({ ref: path, config });
  return problems.map(
    ({ ruleId, message, location: [at] }) => `${name}: ${message} (${ruleId}, at ${at?.pointer ?? '#'})`,
  );
}

/** It keeps the schemas of webhooks, which its operations do not use. */
async function lintOlder(description: object): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'concord-description-'));
  try {
    const path = join(folder, 'openapi-3.0.json');
    writeFileSync(path, JSON.stringify(toOpenApi30(description)));
    return await lintFile(path, 'openapi-3.0.json', { 'no-unused-components': 'off' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const description = JSON.parse(readFileSync(file, 'utf8'));
complain([
  ...findUnreadable(description).map((problem) => `openapi.json: ${problem}`),
  ...(await lintFile(file, 'openapi.json')),
  ...(await lintOlder(description)),
]);
