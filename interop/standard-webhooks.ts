// Captures deliveries of an endpoint with a signing secret, and lets the unmodified libraries of Standard Webhooks and
// Svix verify them. They must refuse each request whose body was changed.
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createPartner, createWebhookEndpoint, publishEvent, rotateSigningSecret } from '@concord/client';
import { hasTools, runAll, withConcord } from './concord.ts';

const cache = join(import.meta.dirname, '../node_modules/.cache/interop/standard-webhooks');
const patienceMs = 60_000;

type Request = { body: string; headers: Record<string, string> };
type Library = { name: string; folder: string; tools: string[][]; prepare: string[][]; command: string[] };

const libraries: Library[] = [
  {
    name: 'standardwebhooks and svix, PyPI',
    folder: 'python',
    tools: [['python3', '-m', 'venv', '--help']],
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
    ],
    command: ['venv/bin/python', 'verify.py'],
  },
  {
    name: 'standard-webhooks, Go',
    folder: 'go',
    tools: [['go', 'version']],
    prepare: [['go', 'build', '-o', 'verify', '.']],
    command: ['./verify'],
  },
  {
    name: 'standardwebhooks, Rust',
    folder: 'rust',
    tools: [['cargo', '--version']],
    prepare: [['cargo', 'build', '--quiet']],
    command: ['target/debug/verify'],
  },
];

const bodies = [
  { sku: 'NX-1', quantity: 12 },
  { sku: 'blåbær 🫐', quantity: 0, location: null },
  { sku: ' "quoted"\\ \n\t', quantity: 1 },
  { sku: 'x'.repeat(100_000), quantity: 9_007_199_254_740_991 },
  { sku: '.,:', quantity: 3, location: 'Oslo' },
];

async function capture(): Promise<{ secret: string; requests: Request[] }> {
  const requests: Request[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ body, headers: request.headers as Record<string, string> });
    response.writeHead(204).end();
    receiver.emit('taken');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const secret = await withConcord(async ({ client }) => {
    const path = { id: (await createPartner({ client, body: { name: 'Standard' } })).id };
    const endpoint = await createWebhookEndpoint({
      client,
      path,
      body: { url: `http://127.0.0.1:${port}/` },
    });
    const { secret } = await rotateSigningSecret({ client, path: { ...path, endpoint_id: endpoint.id } });
    const signal = AbortSignal.timeout(patienceMs);
    for (const [index, each] of bodies.entries()) {
      await publishEvent({ client, path, body: { type: 'inventory.updated', data: each } });
      while (requests.length <= index) await once(receiver, 'taken', { signal });
    }
    return secret;
  }).finally(() => receiver.close());
  return { secret, requests };
}

/** Lists what is not as expected. */
export async function runStandardWebhooks(): Promise<string[]> {
  const { secret, requests } = await capture();
  const changed = requests.map(({ body, headers }) => ({ headers, body: body.replace('"sku"', '"skv"') }));
  const problems: string[] = [];
  for (const { name, folder, tools, prepare, command } of libraries) {
    if (!(await hasTools(name, tools))) continue;
    const cwd = join(cache, folder);
    mkdirSync(cwd, { recursive: true });
    cpSync(join(import.meta.dirname, 'standard-webhooks', folder), cwd, { recursive: true });
    writeFileSync(join(cwd, 'task.json'), JSON.stringify({ secret, requests, changed }));
    try {
      const printed = await runAll([...prepare, [...command, 'task.json']], { cwd });
      const { verified, refused } = JSON.parse(printed) as { verified: number; refused: number };
      const line = `${name}: verifies ${verified} of ${requests.length}, refuses ${refused} of ${changed.length} changed ones`;
      if (verified === requests.length && refused === changed.length) process.stdout.write(`ok ${line}\n`);
      else problems.push(line);
    } catch (error) {
      const { message, stderr = '' } = error as Error & { stderr?: string };
      problems.push(`${name}: ${message}\n${stderr.slice(-4_000)}`);
    }
  }
  return problems;
}
