// Endpoints of earlier versions, whose URLs a new endpoint may not have.
import type { Socket } from 'node:net';
import { createKeyCache, verifyWebhook } from '@concord/webhook-receiver';
import { afterEach, expect, it } from 'vitest';
import { newId, parseId } from '../../src/base/ids.ts';
import { createPeers } from '../peers.ts';
import { toLoopback } from '../receiver.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

const { speak, closeAll } = createPeers();
afterEach(closeAll);

it('W21, W2: an endpoint keeps its URL until it is changed, and receives what is signed', async () => {
  const requests: string[] = [];
  const arrived = Promise.withResolvers<void>();
  const port = await speak((socket: Socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (!/\r\n\r\n\{.*\}\}$/s.test(text)) return;
      requests.push(text);
      text = '';
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      if (requests.length === stored.length) arrived.resolve();
    });
  });
  const base = `http://127.0.0.1:${port}`;
  const stored = [
    `${base}/empty?`,
    `HTTP://127.0.0.1:${port}/a b|c?{d}\\`,
    `${base}\\100%`,
    ` ${base}/a\t/../b`,
    `${base}/${'é'.repeat(999)}`,
  ];
  // The last one is longer than a new URL may be.
  const sent = [
    `${base}/empty?`,
    `${base}/a%20b|c?{d}\\`,
    `${base}/100%`,
    `${base}/b`,
    `${base}/${'%C3%A9'.repeat(999)}`,
  ];

  const old = await createOlderDatabase('0014');
  const partner = newId('partner');
  await old.sql(`insert into partner (id, name) values ($1, 'Acme')`, [parseId('partner', partner)]);
  const endpoints = stored.map(() => newId('webhook_endpoint'));
  for (const [index, url] of stored.entries()) {
    const id = parseId('webhook_endpoint', endpoints[index]!);
    await old.sql(
      `insert into webhook_endpoint (id, partner_id, url, environment, ordering, max_concurrency, header_names)
       values ($1, $2, $3, 'live', 'none', 1, '{}')`,
      [id, parseId('partner', partner), url],
    );
    await old.sql('insert into lane (endpoint_id) values ($1)', [id]);
  }

  const service = await startTestService(toLoopback, () => old.url);
  const at = (index: number) => `/partners/${partner}/webhook-endpoints/${endpoints[index]}`;
  const { body: all } = await service.request('GET', `/partners/${partner}/webhook-endpoints`);
  expect(all.map(({ url }: { url: string }) => url).sort()).toEqual(sent.toSorted());
  // Changes of other members do not check the URL.
  for (const index of stored.keys()) {
    const changed = await service.request('PATCH', at(index), { body: { max_concurrency: 2 } });
    expect([changed.status, changed.body.url]).toEqual([200, sent[index]]);
    for (const action of ['pause', 'resume'])
      expect((await service.request('POST', `${at(index)}/${action}`)).status).toBe(200);
  }
  const refused = await service.request('PATCH', at(1), { body: { url: stored[1] } });
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/url']);

  const event = { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } };
  expect((await service.request('POST', `/partners/${partner}/events`, { body: event })).status).toBe(202);
  await arrived.promise;
  const keys = createKeyCache({ url: `${service.url}/.well-known/jwks.json`, allowHttp: true });
  const seen: string[] = [];
  for (const text of requests) {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const [first = '', ...lines] = head.split('\r\n');
    const [method = '', target = ''] = first.split(' ');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const url = `http://${headers.host}${target}`;
    await verifyWebhook({ method, url, headers, body: Buffer.from(body) }, { anyPartner: true, keys });
    seen.push(url);
  }
  expect(seen.sort()).toEqual(sent.toSorted());
  await service.stop();
  await old.drop();
});
