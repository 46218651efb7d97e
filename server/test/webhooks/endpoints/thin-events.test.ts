// Endpoints that get events without their data (behaviour W76).
import { createHmac, hash } from 'node:crypto';
import { createWebhookReceiver, type ThinWebhookEvent, toNodeHandler } from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { may, succeed } from '../../stage/cast.ts';
import { keysOf, listen } from '../../stage/endpoint-receivers.ts';
import { answer, endedCheck, only, useWebhookStage } from '../../stage/webhook-stage.ts';
import { openStream } from '../tools/listener-stream.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();
const members = ['id', 'type', 'created_at', 'partner_id', 'environment'];

it('W76: a thin endpoint gets the event without its data, and another endpoint gets all of it', async () => {
  const thin = receiver.url();
  const partner = await newPartner(thin, { payload: 'thin' });
  const full = receiver.url();
  await partner.post('webhook-endpoints', { url: full });
  const secret = succeed(await partner.act('signing-secret')).secret;
  const id = await partner.publish(7);
  const [got] = await receiver.count(thin, 1);
  const [other] = await receiver.count(full, 1);
  expect(Object.keys(got?.event ?? {})).toEqual(members);
  expect(got?.event).toEqual({ ...other?.event, data: undefined });
  expect(other?.event.data).toMatchObject({ quantity: 7 });
  // The receiver has verified the signature of RFC 9421.
  expect(got?.headers['content-digest']).toBe(`sha-256=:${hash('sha256', got?.body ?? '', 'base64')}:`);
  const signed = `${id}.${got?.headers['webhook-timestamp']}.${got?.body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  expect(got?.headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  expect((await partner.get(`events/${id}`)).data).toEqual(other?.event.data);
});

it('W76, W28: an attempt shows the body that it sent, also when the setting has changed since', async () => {
  const url = receiver.url((got, response) => response.writeHead('data' in got.event ? 204 : 500).end());
  const partner = await newPartner(url, { payload: 'thin', retry_schedule: [1] });
  await partner.publish();
  await receiver.count(url, 1);
  succeed(await partner.change({ payload: 'full' }));
  const delivery = await only(partner, 'delivered');
  const sent = receiver.at(url).map(({ body }) => body.toString());
  expect(sent.map((text) => 'data' in JSON.parse(text))).toEqual([false, true]);
  for (const [index, body] of sent.entries()) {
    const { request } = await partner.get(`deliveries/${delivery.id}/attempts/${index + 1}`);
    expect(request.body).toBe(body);
    const contentLength = request.headers.find(({ name }: { name: string }) => name === 'content-length');
    expect(contentLength.value).toBe(String(Buffer.byteLength(body)));
    const verified = await service.post('/webhook-debug/verify', request);
    expect(succeed(verified).verified).toBe(true);
  }
});

it('W76, W17: strict and retried deliveries are thin, from memory and from the database', async () => {
  const url = receiver.url(answer(500));
  const partner = await newPartner(url, { payload: 'thin', ordering: 'strict', retry_schedule: [1] });
  await partner.publish();
  const got = await receiver.count(url, 2);
  expect(got.map(({ event }) => Object.keys(event))).toEqual([members, members]);
});

it('W76, W61: a check of a thin endpoint sends thin requests, and our receiver passes it', async () => {
  const bodies: string[] = [];
  const events: ThinWebhookEvent[] = [];
  let handler: ReturnType<typeof toNodeHandler> = async (_, response) => void response.end();
  const server = await listen(() => (request, response) => {
    request.on('data', (chunk: Buffer) => void bodies.push(String(chunk)));
    return handler(request, response);
  });
  const partner = await newPartner(server.url, { payload: 'thin', environment: 'sandbox' });
  const receiver = createWebhookReceiver<ThinWebhookEvent>({
    url: server.url,
    partnerId: partner.id,
    keys: keysOf(service.url, 'sandbox'),
    handle: (event) => void events.push(event),
    onError: () => {},
  });
  handler = toNodeHandler(receiver);
  succeed(await partner.act('check'));
  expect(await endedCheck(partner)).toMatchObject({ status: 'passed' });
  expect(bodies.length).toBe(10);
  expect(bodies.filter((body) => body.includes('"data"') || body.length > 1_000)).toEqual([]);
  expect(events.map((event) => Object.keys(event))).toContainEqual(members);
});

it('W76, W32, W64: test events and the requests of a listener are thin', async () => {
  const partner = await newPartner(receiver.url());
  const { id } = await partner.post('listeners', { forward_to: 'http://127.0.0.1:1/', payload: 'thin' });
  const member = await cast.member(partner.id, may('webhook_endpoints'));
  const stream = await openStream(service, partner.id, id, member.token);
  await partner.post(`webhook-endpoints/${id}/test`);
  const request = (await stream.next())!;
  stream.leave();
  expect(Object.keys(JSON.parse(request.body))).toEqual(members);
  expect(request.headers).toContainEqual({
    name: 'content-digest',
    value: `sha-256=:${hash('sha256', request.body, 'base64')}:`,
  });
});
