// Checks, listeners and the sandbox receiver of endpoints with batches (behaviour W70).

import { createServer, type RequestListener } from 'node:http';
import {
  createKeyCache,
  createWebhookReceiver,
  toNodeHandler,
  verifyWebhook,
} from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { pluck, succeed } from '../../stage/cast.ts';
import { listen } from '../../stage/listen.ts';
import { endedCheck, useWebhookStage } from '../../stage/webhook-stage.ts';
import { openStream } from './listener-stream.ts';
import { useSandboxStage } from './sandbox-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();
const sandbox = useSandboxStage();
const batch = { max_events: 3, max_wait_seconds: 0 };
const keysAt = (service: { url: string }) =>
  createKeyCache({ url: `${service.url}/sandbox/.well-known/jwks.json`, allowHttp: true });

it('W70, W61: a check of an endpoint with batches sends arrays, and our receiver passes it', async () => {
  const bodies: Buffer[] = [];
  let handler: RequestListener = (_, response) => void response.end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => bodies.push(Buffer.concat(chunks)));
    return handler(request, response);
  });
  const url = `http://127.0.0.1:${await listen(server)}/`;
  const partner = await newPartner(url, { environment: 'sandbox', batch });
  const receiver = createWebhookReceiver({
    url,
    partnerId: partner.id,
    keys: keysAt(service),
    handle: () => {},
    onError: () => {},
  });
  handler = toNodeHandler(receiver);
  succeed(await partner.act('check'));
  expect(await endedCheck(partner)).toMatchObject({ status: 'passed' });
  const events = bodies.map((body) => JSON.parse(String(body)));
  expect(events.map((each) => Array.isArray(each))).toEqual(Array(10).fill(true));
  // As many of the largest events as the endpoint can get.
  expect(events.map(({ length }) => length).toSorted()).toEqual([...Array(9).fill(1), 3]);
  expect(Math.max(...bodies.map(({ length }) => length))).toBeGreaterThan(3 * 257 * 1024);
});

it('W70, W64: a listener gets batches as they are signed', async () => {
  const partner = await newPartner(receiver.url());
  const url = 'http://127.0.0.1:1/';
  const { id } = await partner.post('listeners', { forward_to: url });
  succeed(await partner.send('PATCH', `webhook-endpoints/${id}`, { batch }));
  const stream = await openStream(service, partner.id, id, service.operatorToken);
  await partner.post(
    'events/batch',
    [1, 2, 3].map((quantity) => ({
      type: 'inventory.updated',
      environment: 'sandbox',
      data: { sku: 'a', quantity },
    })),
  );
  const request = (await stream.next())!;
  stream.leave();
  const { id: webhookId, events } = await verifyWebhook(
    { ...request, headers: request.headers.map(({ name, value }) => [name, value] as const) },
    { keys: keysAt(service), partnerId: partner.id, url },
  );
  expect(events).toHaveLength(3);
  expect(request.batch_id).toBe(webhookId);
  expect(request.event_id).toBe(events[0]?.id);
});

it('W70, B12: the sandbox receiver verifies a batch, and names a delivery of it', async () => {
  const partner = await sandbox.newPartner();
  succeed(await partner.create(await partner.receiver(), { ordering: 'strict', batch }));
  const event = {
    type: 'inventory.updated',
    environment: 'sandbox',
    data: { sku: 'x'.repeat(200_000), quantity: 1 },
  };
  for (let published = 0; published < 3; published++) await partner.post('events', event);
  await expect
    .poll(async () => pluck(await partner.deliveries(), 'status'))
    .toEqual(['delivered', 'delivered', 'delivered']);
  const requests = await partner.requests();
  const deliveries = await partner.deliveries();
  for (const { verification, body } of requests) {
    expect(verification).toMatchObject({ verified: true, event_id: null });
    const { event_id } = deliveries.find(({ id }: { id: string }) => id === verification.delivery_id);
    expect(JSON.parse(body)[0].id).toBe(event_id);
  }
});
