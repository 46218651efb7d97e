// The documents that Concord serves, and /llms.txt, over the HTTP of a whole service.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useService } from '../stage/start-service.ts';

const service = useService();
const paths = readdirSync(join(import.meta.dirname, '../../../docs'), {
  recursive: true,
  encoding: 'utf8',
}).filter((path) => path.endsWith('.md'));
const base = 'http://concord.test';

const read = (path: string, headers: Record<string, string> = {}) =>
  service.request('GET', path, { token: null, headers });

it('V5: each document is served as Markdown, and each of its links leads somewhere', async () => {
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const { status, headers, text } = await read(`/docs/${path}`);
    expect([status, headers['content-type']], path).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# /m);
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const { origin, pathname } = new URL(target, `${base}/docs/${path}`);
      if (origin === base && !pathname.startsWith('/console'))
        expect([target, (await read(pathname)).status], path).toEqual([target, 200]);
    }
  }
});

it('V5: documents name this installation, and a second read is not sent again', async () => {
  const { text, headers } = await read('/docs/receiving-webhooks.md');
  expect(text).not.toContain('concord.example.com');
  expect(text).toContain(`${base}/.well-known/jwks.json`);
  const again = await read('/docs/receiving-webhooks.md', { 'if-none-match': String(headers.etag) });
  expect([again.status, again.text]).toEqual([304, '']);
});

it('V5: the receivers in other languages are served as text, and the document links them', async () => {
  const { text } = await read('/docs/receiving-webhooks.md');
  const receivers = [...text.matchAll(/\]\((receivers\/[^)]+)\)/g)].map(([, path = '']) => path);
  expect(receivers).toContain('receivers/receiver.py');
  for (const path of receivers) {
    const answer = await read(`/docs/${path}`);
    const file = readFileSync(join(import.meta.dirname, '../../../docs', path), 'utf8');
    expect([answer.status, answer.text], path).toEqual([200, file]);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  }
});

it('V5: only documents are served', async () => {
  for (const path of [
    'none.md',
    '../README.md',
    '..%2fREADME.md',
    'pictures/people.png',
    'receivers',
    'behaviour',
  ])
    expect((await read(`/docs/${path}`)).status, path).toBe(404);
});

it('V5: llms.txt lists each document with its parts', async () => {
  const { status, headers, text } = await read('/llms.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text).toMatch(/^# Concord \d+\.\d+\.\d+\n\n> .+\n/);
  expect(text).toContain(base);
  for (const path of paths) expect(text).toMatch(new RegExp(`^- \\[.+\\]\\(${base}/docs/${path}\\)`, 'm'));
  expect(text).toMatch(/\/docs\/webhooks\.md\): .+, /);
});
