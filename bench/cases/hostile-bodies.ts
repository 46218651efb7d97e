// How long one caller's body blocks everybody else: the longest wait of /health/live meanwhile, and the
// memory after many batches.
import type { Api } from '../api.ts';
import type { Case, Row } from '../case.ts';
import { ask } from '../context.ts';
import { startStage } from '../stage.ts';
import { costOf } from '../usage.ts';

const proberScript = new URL('../processes/prober.ts', import.meta.url);

const event = (data: string) => `{"type":"inventory.updated","data":${data}}`;
const fill = (bytes: number, item: (index: number) => string) =>
  Array.from({ length: Math.floor(bytes / (item(100_000).length + 1)) }, (_, index) => item(index)).join(',');
const kib = 1_024;
const largeBatch = `[${Array(1_000)
  .fill(event(`{"sku":"${'x'.repeat(4_000)}","quantity":1}`))
  .join(',')}]`;

type Hostile = { path: string; body: string; method?: string; parallel?: number };

/** Each body by its name. All but the batches of the last two are refused. */
const bodies = (partner: string): Record<string, Hostile> => ({
  // What any request waits on this machine, which may be busy with other things.
  'nothing hostile': { path: '/api/auth/sign-in/email', body: '{}' },
  'sign-in, unknown members': {
    path: '/api/auth/sign-in/email',
    body: `{${fill(63 * kib, (index) => `"m${index}":0`)}}`,
  },
  'sign-in, empty lists': { path: '/api/auth/sign-in/email', body: `[${fill(63 * kib, () => '[]')}]` },
  'token, empty scopes': {
    path: '/me/access-tokens',
    body: `{"name":"x","expires_at":null,"scopes":[${fill(63 * kib, () => '{}')}]}`,
  },
  'captured, values of a header': {
    path: '/webhook-debug/verify',
    body: `{"method":"POST","url":"https://a.example/","body":"","headers":{"a":[${fill(1_020 * kib, () => '""')}]}}`,
  },
  'captured, signature-input': {
    path: '/webhook-debug/verify',
    body: JSON.stringify({
      method: 'POST',
      url: 'https://a.example/',
      body: 'x'.repeat(500 * kib),
      headers: { signature: 'a=:AA==:', 'signature-input': `a=(${'"@method" '.repeat(1_500)})` },
    }),
  },
  'event, nested lists': {
    path: `/partners/${partner}/events`,
    body: event(`[${fill(250 * kib, () => '[[[[]]]]')}]`),
  },
  'event, names': {
    path: `/partners/${partner}/events`,
    body: event(`{${fill(250 * kib, (index) => `"m${index}":0`)}}`),
  },
  'schema, properties': {
    path: '/event-types/bench.hostile',
    method: 'PUT',
    body: `{"description":"d","example":0,"schema":{"properties":{${fill(60 * kib, (index) => `"m${index}":{"type":"string"}`)}}}}`,
  },
  'batch, nested lists': {
    path: `/partners/${partner}/events/batch`,
    body: `[${fill(4_090 * kib, () => '[[[[]]]]')}]`,
  },
  'batch, unknown members': {
    path: `/partners/${partner}/events/batch`,
    body: `[{${fill(4_090 * kib, (index) => `"m${index}":0`)}}]`,
  },
  'batch of 4 MiB, published': { path: `/partners/${partner}/events/batch`, body: largeBatch },
  'batches, 12 at once': { path: `/partners/${partner}/events/batch`, body: largeBatch, parallel: 12 },
});

export const hostileBodies: Case = {
  name: 'hostile_bodies',
  about: 'the longest wait of /health/live while a hostile body is read, and the memory after it',
  limitMinutes: 10,
  async measure(context) {
    const stage = await startStage(context);
    const { api } = stage;
    const { id = '' } = await api.post('/partners', { name: 'Acme' });
    const prober = context.fork(proberScript, { args: [`${api.url}/health/live`] });
    const longestMs = async () => (await ask<{ longestMs: number }>(prober, 'next')).longestMs;
    const rows: Row[] = [];
    for (const [name, hostile] of Object.entries(bodies(id)).slice(0, context.quick ? 3 : undefined)) {
      const count = hostile.parallel ?? 1;
      // Compiles what is compiled once, and starts the threads.
      await send(api, hostile);
      await longestMs();
      const { use } = await stage.observe(() =>
        Promise.all(Array.from({ length: count }, () => send(api, hostile))),
      );
      rows.push({
        name: `hostile: ${name}`,
        value: await longestMs(),
        unit: 'ms',
        cost: costOf(use, 'request', count),
      });
    }
    return rows;
  },
};

async function send({ url, token }: Api, { path, body, method = 'POST' }: Hostile): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, body });
  await response.arrayBuffer();
  if (response.status >= 500) throw new Error(`${path} answered ${response.status}`);
}
