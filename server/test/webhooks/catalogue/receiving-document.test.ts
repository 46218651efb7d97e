// docs/receiving-webhooks.md, compared with the program.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { settings } from '../../../src/program/settings.ts';
import { createCast, succeed } from '../../stage/cast.ts';
import { useService } from '../../stage/start-service.ts';

const document = readFileSync(new URL('../../../../docs/receiving-webhooks.md', import.meta.url), 'utf8');
const section = (heading: string) => document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const service = useService();

it('H11: the spellings of URLs in the document are those that an endpoint gets', async () => {
  const rows = [...section('Copy the URL').matchAll(/^\| `(.+?)` \| `(.+?)` \|$/gm)];
  expect(rows.length).toBeGreaterThan(3);
  const partner = await createCast(service).partner();
  for (const [, url, shown] of rows) {
    const { status, body } = await service.post(`/partners/${partner}/webhook-endpoints`, { url });
    expect([status, body.url]).toEqual([201, shown]);
  }
});

it('H11: the JWKS of both environments are where the document says, and a key has no alg', async () => {
  const urls = [
    ...section('Keys').matchAll(/^\| (?:live|sandbox) \| `https:\/\/concord\.example\.com(.+?)` \|$/gm),
  ];
  expect(urls).toHaveLength(2);
  for (const [, path = ''] of urls) {
    const { keys } = succeed(await service.get(path)) as unknown as { keys: object[] };
    for (const key of keys)
      expect(Object.keys(key).toSorted()).toEqual(['crv', 'key_ops', 'kid', 'kty', 'x', 'y']);
  }
});

it('H11: the time and the retries of the document are those of the settings', () => {
  const words = (duration: string) =>
    duration.replace(/^(\d+)(s|m|h)$/, (_, count, unit) => `${count} ${unit === 'm' ? 'min' : unit}`);
  const delays = String(settings.CONCORD_WEBHOOK_RETRY_SCHEDULE.default).split(',').map(words);
  const duties = section('What your endpoint must do');
  expect(duties).toContain(`within ${words(String(settings.CONCORD_WEBHOOK_TIMEOUT.default))}\\*`);
  expect(duties).toContain(`retried after ${delays.slice(0, -1).join(', ')} and ${delays.at(-1)}\\*`);
  expect(duties).toContain(`After ${delays.length + 1} attempts`);
});

it('H11: the largest event fits into the size that the document names', async () => {
  const [, kibibytes] = /JSON in UTF-8 of at most (\d+) KiB/.exec(document) ?? [];
  const name = `a.${'b'.repeat(98)}`;
  const type = { description: 'd', schema: {}, example: {} };
  succeed(await service.put(`/event-types/${name}`, type));
  const partner = await createCast(service).partner();
  const endpoint = { url: 'https://hooks.nordlys.example/', environment: 'sandbox' };
  succeed(await service.post(`/partners/${partner}/webhook-endpoints`, endpoint));
  const data = 'x'.repeat(256 * 1024 - 2);
  const body = [{ type: name, environment: 'sandbox', data }];
  const answer = await service.post(`/partners/${partner}/events/batch`, body);
  expect(answer.status).toBe(202);
  const [row] = await service.sql(`select octet_length(body) as bytes from event where type = '${name}'`);
  expect(Number(row?.bytes)).toBeLessThanOrEqual(Number(kibibytes) * 1024);
  expect(Number(row?.bytes)).toBeGreaterThan(256 * 1024);
});
