// Signatures of Standard Webhooks, beside those of RFC 9421: the libraries of others verify them, unmodified.
import { type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from '@concord/webhook-receiver';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectStatus, succeed, useCast, uuidOf } from '../../stage/cast.ts';
import { type Received, type Receiver, startReceiver, toLoopback } from '../../stage/receiver.ts';
import { everyTable } from '../../stage/rows.ts';
import { createWebhookPartner, type WebhookPartner } from '../../stage/webhook-stage.ts';

let receiver: Receiver;
const { service, cast } = useCast(toLoopback);
beforeAll(async () => {
  receiver = await startReceiver(service.url);
});
afterAll(() => {
  receiver.close();
  // Each request verified by RFC 9421, too.
  expect(receiver.refused).toEqual([]);
});

const path = (partner: WebhookPartner) => `webhook-endpoints/${partner.endpoint}/signing-secret`;
const rotate = async (partner: WebhookPartner) => await partner.post(path(partner));

/** The request of an event that is published now. */
async function receive(partner: WebhookPartner) {
  const id = await partner.publish();
  await expect.poll(() => receiver.received.some(({ event }) => event.id === id)).toBe(true);
  return receiver.received.find(({ event }) => event.id === id) as Received;
}

const libraries = { standardwebhooks: Webhook, svix: SvixWebhook };
/** The names of the libraries that accept the request with this secret. */
const acceptedBy = ({ body, headers }: Received, secret: string) =>
  Object.entries(libraries).flatMap(([name, Library]) => {
    try {
      new Library(secret).verify(body.toString(), headers);
      return [name];
    } catch {
      return [];
    }
  });
const all = Object.keys(libraries);

it('W65: a request carries both signatures, and each library verifies its own with the secret', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const before = await receive(partner);
  expect(Object.keys(before.headers).filter((name) => /^webhook-(sig|time)/.test(name))).toEqual([]);
  const { secret, ...times } = await rotate(partner);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await partner.read()).signing_secret).toEqual(times);
  const got = await receive(partner);
  expect(got.headers.signature).toMatch(/^sig1=:/);
  expect(acceptedBy(got, secret)).toEqual(all);
  expect(acceptedBy(got, `whsec_${Buffer.alloc(32).toString('base64')}`)).toEqual([]);
  const changed = { ...got, body: Buffer.from(got.body.toString().replace('"a"', '"b"')) };
  expect(acceptedBy(changed, secret)).toEqual([]);
});

it('W65: our receiver verifies with the secret alone, and refuses what is changed, old or signed with another', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const { secret } = await rotate(partner);
  const { url, headers, body } = await receive(partner);
  const verify = (request: object = {}, options: Partial<VerifyWebhookOptions> = {}) =>
    verifyWebhook<WebhookEvent>({ method: 'POST', url, headers, body, ...request }, {
      secret,
      anyPartner: true,
      ...options,
    } as VerifyWebhookOptions);
  expect(await verify()).toMatchObject({ id: headers['webhook-id'], kid: null });
  const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  expect(await verify({}, { secret: [other, secret] })).toMatchObject({ kid: null });
  const refusals: [string, object, Partial<VerifyWebhookOptions>][] = [
    ['signature_invalid', {}, { secret: other }],
    ['signature_invalid', { body: body.toString().replace('"a"', '"b"') }, {}],
    ['signature_invalid', { headers: { ...headers, 'webhook-id': 'evt_1' } }, {}],
    [
      'signature_invalid',
      { headers: { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 1}` } },
      {},
    ],
    ['signature_missing', { headers: { ...headers, 'webhook-signature': undefined } }, {}],
    ['signature_malformed', { headers: { ...headers, 'webhook-timestamp': 'soon' } }, {}],
    ['created_too_old', {}, { now: () => Date.now() + 330_000 }],
    ['created_in_future', {}, { now: () => Date.now() - 330_000 }],
    ['partner_mismatch', {}, { anyPartner: undefined, partnerId: 'ptr_other' } as never],
  ];
  for (const [code, request, options] of refusals)
    await expect([code, await verify(request, options).catch((error) => error.code)]).toEqual([code, code]);
  await expect(verify({}, { secret: 'secret' })).rejects.toThrow(TypeError);
  await expect(verify({}, { keys: {} } as never)).rejects.toThrow('keys or secret');
});

it('W65: a secret stays valid for a day beside the next one, and a deleted one signs no more', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const { secret: first } = await rotate(partner);
  const { secret: second, created_at, previous_valid_until: until } = await rotate(partner);
  expect(Date.parse(until) - Date.parse(created_at)).toBe(24 * 3_600_000);
  const during = await receive(partner);
  expect([acceptedBy(during, first), acceptedBy(during, second)]).toEqual([all, all]);
  const { secret: third } = await rotate(partner);
  const after = await receive(partner);
  expect([first, second, third].map((secret) => acceptedBy(after, secret).length)).toEqual([0, 2, 2]);
  await expectStatus(204, partner.send('DELETE', path(partner)));
  expect((await partner.read()).signing_secret).toBeNull();
  expect((await receive(partner)).headers['webhook-signature']).toBeUndefined();
  await expectStatus(404, partner.send('DELETE', path(partner)));
});

it('W65: a secret that receivers have already signs, and sending it again changes nothing', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const made = await rotate(partner);
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const set = await partner.post(path(partner), { secret });
  expect(set).toMatchObject({ secret, previous_valid_until: expect.any(String) });
  const before = await partner.read();
  expect(await partner.post(path(partner), { secret })).toEqual(set);
  expect(await partner.read()).toEqual(before);
  const got = await receive(partner);
  expect([acceptedBy(got, secret), acceptedBy(got, made.secret)]).toEqual([all, all]);
  const wrong = [Buffer.alloc(23), Buffer.alloc(65)].map((key) => `whsec_${key.toString('base64')}`);
  for (const refused of [...wrong, secret.slice(6), `${secret}=`, secret.replace('B', ' ')]) {
    const { status, body } = await partner.send('POST', path(partner), { secret: refused });
    expect([refused, status, body.errors]).toEqual([
      refused,
      400,
      [expect.objectContaining({ pointer: '/secret', message: expect.stringContaining('24 to 64 bytes') })],
    ]);
  }
});

it('W65, C1: a secret is set only if the endpoint has the tag of If-Match', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const endpoint = `webhook-endpoints/${partner.endpoint}`;
  const { etag } = (await partner.send('GET', endpoint)).headers;
  const set = (fill: number) => {
    const secret = `whsec_${Buffer.alloc(32, fill).toString('base64')}`;
    return partner.send('POST', path(partner), { secret }, { 'if-match': etag });
  };
  await expectStatus(201, set(1));
  const present = await partner.read();
  await expectStatus(412, set(2));
  await expectStatus(412, set(1));
  expect(await partner.read()).toEqual(present);
});

it('W65: when the day is over, only the new secret signs', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  onTestFinished(async () => void (await service.advanceClock(0)));
  await service.advanceClock(-(24 * 3_600_000 + 60_000));
  await rotate(partner);
  await rotate(partner);
  await service.advanceClock(0);
  const got = await receive(partner);
  expect(got.headers['webhook-signature']?.split(' ')).toHaveLength(1);
});

it('W65: the secret is sealed', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  await rotate(partner);
  const [row] = await service.sql(
    `select encode(sealed_signing_secret, 'escape') as text from webhook_endpoint where id = $1`,
    [uuidOf(partner.endpoint)],
  );
  expect(row.text).not.toContain('keys');
});

it('W65: no answer, log, audit row or export has the secret after the one that made it', async () => {
  const partner = await createWebhookPartner(service, receiver.url());
  const made = await partner.send('POST', path(partner), undefined, { 'Idempotency-Key': 'same' });
  expect(made.headers['cache-control']).toContain('no-store');
  const { secret } = succeed(made);
  const key = secret.slice('whsec_'.length);
  await receive(partner);
  const shown = await Promise.all(
    ['', '/webhook-endpoints', '/audit-log', '/deliveries', '/events'].map((list) =>
      service.get(`/partners/${partner.id}${list}`),
    ),
  );
  const tables = await everyTable(service);
  for (const text of [...shown.map(({ text }) => text), ...tables, ...service.logs])
    expect(text).not.toContain(key);
  const log = succeed(
    await service.get(
      `/partners/${partner.id}/audit-log?filter[action]=webhook_endpoint.rotate_signing_secret`,
    ),
  );
  expect(log).toMatchObject([{ changes: { signing_secret: {} } }]);
  const reader = await cast.member(partner.id, { acl_permissions: [] });
  await expectStatus(403, service.post(`/partners/${partner.id}/${path(partner)}`, undefined, reader.token));
});
