// Events about the platform: from what happens to the signed request at a receiver of the platform's partner.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatId, parseId } from '../../src/base/ids.ts';
import { platformTypes } from '../../src/webhooks/catalogue/platform-types.ts';
import { expectFault, expectStatus, faultOf, pluck, stock, succeed, useCast } from '../stage/cast.ts';
import { type Received, type Receiver, startReceiver, toLoopback } from '../stage/receiver.ts';
import { openService, startBeside } from '../stage/start-service.ts';
import { answer, createWebhookPartner, type WebhookPartner } from '../stage/webhook-stage.ts';

const settings = { ...toLoopback, CONCORD_WEBHOOK_RETRY_SCHEDULE: '50ms', CONCORD_PLATFORM_EVENTS: 'true' };
const { service, cast } = useCast(settings);
let receiver: Receiver;
let platform: string;

beforeAll(async () => {
  receiver = await startReceiver(service.url);
  const [row] = await service.sql('select partner_id from platform_partner');
  platform = formatId('partner', row?.partner_id);
  succeed(
    await service.post(`/partners/${platform}/webhook-endpoints`, {
      url: receiver.url(),
      ordering: 'strict',
    }),
  );
});
afterAll(() => {
  receiver.close();
  expect(receiver.refused).toEqual([]);
});

/** The events that came about this partner, or this key. */
const about = (id: string) =>
  receiver.received
    .filter(({ event, path }) => path === '/1' || event.partner_id === platform)
    .filter(({ body }) => body.includes(id));
const typesAbout = (id: string) => pluck(about(id).map(({ event }) => event) as never[], 'type');
async function publish() {
  await service.runTask('announce what time brought');
  await service.runTask('publish platform events');
}

async function receive(id: string, type: string) {
  await publish();
  const find = () => about(id).find(({ event }) => event.type === type);
  await expect.poll(find).toBeDefined();
  return find() as Received;
}
const dataOf = ({ event }: Received) => event.data as Record<string, unknown>;
const bare = (kind: Parameters<typeof parseId>[0], id: string) => parseId(kind, id);
const stopped = { url: 'http://127.0.0.1:1/' };

const failed = async (partner: WebhookPartner) =>
  expect.poll(async () => (await partner.statuses()).includes('failed')).toBe(true);

it('W66: the creation and the deletion of a partner are events of the platform', async () => {
  const id = await cast.partner('Nordlys AS');
  const created = await receive(id, 'partner.created');
  expect(dataOf(created)).toEqual({ occurred_at: expect.any(String), partner_id: id });
  expect([created.event.partner_id, created.event.environment]).toEqual([platform, 'live']);
  succeed(await service.request('DELETE', `/partners/${id}`));
  await receive(id, 'partner.deleted');
  expect(typesAbout(id)).toEqual(['partner.created', 'partner.deleted']);
});

it('W66: an agreement is announced when it is accepted, and once when it ends, however it ends', async () => {
  const id = await cast.partner();
  await cast.owner(id);
  const left = await cast.member(id);
  const { agreement_id, user_id, owner } = dataOf(await receive(left.agreement, 'agreement.accepted'));
  expect([agreement_id, user_id, owner]).toEqual([left.agreement, left.id, false]);
  succeed(
    await service.request('DELETE', `/partners/${id}/agreements/${left.agreement}`, { token: left.token }),
  );
  expect(dataOf(await receive(left.agreement, 'agreement.ended')).reason).toBe('deleted');

  const gone = await cast.member(id);
  await service.sql('delete from auth."user" where id = $1', [gone.id]);
  expect(dataOf(await receive(gone.agreement, 'agreement.ended')).reason).toBe('deleted');

  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
  const setBack = () =>
    service.sql("update platform_partner set announced_until = now() - interval '1 hour'");
  // Its end lies in what the task has not looked at.
  await setBack();
  const expired = await cast.member(id);
  succeed(await cast.change(id, expired.agreement, { expires_at: ago(60) }));
  expect(dataOf(await receive(expired.agreement, 'agreement.ended')).reason).toBe('expired');
  // Its end lies before.
  const earlier = await cast.member(id);
  succeed(await cast.change(id, earlier.agreement, { expires_at: ago(600) }));
  await receive(earlier.agreement, 'agreement.ended');
  succeed(await service.request('DELETE', `/partners/${id}/agreements/${expired.agreement}`));
  const invited = succeed(await cast.invite(id, 'invited@concord.test')).id;
  succeed(await service.request('DELETE', `/partners/${id}/agreements/${invited}`));
  await publish();
  await receive(await cast.partner(), 'partner.created');
  for (const one of [left, gone, expired, earlier])
    expect(typesAbout(one.agreement)).toEqual(['agreement.accepted', 'agreement.ended']);
  expect(typesAbout(invited)).toEqual([]);
});

it('W66: an agreement that is deleted, or gets an earlier end, just after it has ended, is announced as expired', async () => {
  const id = await cast.partner();
  await cast.owner(id);
  const ended = async () => {
    const member = await cast.member(id);
    await service.sql("update agreement set expires_at = now() - interval '1 second' where id = $1", [
      bare('agreement', member.agreement),
    ]);
    return member.agreement;
  };
  const [deleted, earlier] = [await ended(), await ended()];
  succeed(await service.request('DELETE', `/partners/${id}/agreements/${deleted}`));
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  succeed(await cast.change(id, earlier, { expires_at: hourAgo }));
  for (const agreement of [deleted, earlier])
    expect(dataOf(await receive(agreement, 'agreement.ended')).reason).toBe('expired');
  await publish();
  for (const agreement of [deleted, earlier])
    expect(typesAbout(agreement)).toEqual(['agreement.accepted', 'agreement.ended']);
});

it('W66: an endpoint that fails is announced also after the clock was set back', async () => {
  const failing = receiver.url(answer(500));
  const partner = await createWebhookPartner(service, failing);
  await partner.publish();
  await failed(partner);
  await service.sql(
    `update lane set failing_since = failing_since - interval '6 minutes' where endpoint_id = $1`,
    [bare('webhook_endpoint', partner.endpoint)],
  );
  await service.sql("update platform_partner set announced_until = now() + interval '1 day'");
  await receive(partner.endpoint, 'webhook_endpoint.failing');
  await service.sql(`update platform_partner set announced_until = now() - interval '1 second'`);
});

it('W66: a delivery that fails for good is announced, and an endpoint that fails, recovers and is disabled', async () => {
  let status = 500;
  const path = receiver.url((_, response) => response.writeHead(status).end());
  const partner = await createWebhookPartner(service, path);
  const event = await partner.publish();
  await failed(partner);
  const [delivery] = await partner.deliveries();
  expect(dataOf(await receive(delivery.id, 'delivery.failed'))).toEqual({
    occurred_at: expect.any(String),
    partner_id: partner.id,
    endpoint_id: partner.endpoint,
    delivery_id: delivery.id,
    event_id: event,
    event_type: 'inventory.updated',
    attempt_count: 2,
    status_code: 500,
    reason: null,
  });
  expect(typesAbout(partner.endpoint)).not.toContain('webhook_endpoint.failing');
  await service.sql(
    "update lane set failing_since = failing_since - interval '6 minutes' where endpoint_id = $1",
    [bare('webhook_endpoint', partner.endpoint)],
  );
  const { host } = new URL(path);
  expect(dataOf(await receive(partner.endpoint, 'webhook_endpoint.failing'))).toMatchObject({ host });
  status = 204;
  await partner.publish();
  const recovered = dataOf(await receive(partner.endpoint, 'webhook_endpoint.recovered'));
  expect(Object.keys(recovered).sort()).toEqual([
    'endpoint_id',
    'failing_since',
    'host',
    'occurred_at',
    'partner_id',
  ]);
  status = 410;
  await partner.publish();
  expect(dataOf(await receive(partner.endpoint, 'webhook_endpoint.disabled')).reason).toEqual(
    expect.any(String),
  );
  const types = typesAbout(partner.endpoint).filter((type) => type.startsWith('webhook_endpoint.'));
  expect(types).toEqual([
    'webhook_endpoint.failing',
    'webhook_endpoint.recovered',
    'webhook_endpoint.disabled',
  ]);
});

it('W66: a key that signs from now on is announced', async () => {
  await service.sql("update platform_partner set announced_until = now() - interval '1 hour'");
  const [next] = await service.sql(
    `update signing_key set created_at = now() - interval '3 days', activates_at = now() - interval '1 minute'
     where environment = 'sandbox' and sequence = 2 returning kid`,
  );
  const { environment, kid } = dataOf(await receive(next?.kid, 'signing_key.rotated'));
  expect([environment, kid]).toEqual(['sandbox', next?.kid]);
});

it('W66: what is rolled back, happens in the sandbox, or to the platform partner itself, is no event', async () => {
  const session = await service.database.connect();
  await session.query('begin');
  await session.query("insert into partner (id, name) values (gen_random_uuid(), 'rolled back')");
  await session.query('rollback');
  await session.end();
  const sandbox = await createWebhookPartner(service, stopped.url, { environment: 'sandbox' });
  await sandbox.post('events', { ...stock(), environment: 'sandbox' });
  await failed(sandbox);
  const own = succeed(
    await service.post(`/partners/${platform}/webhook-endpoints`, {
      ...stopped,
      event_types: ['partner.created'],
    }),
  ).id;
  const id = await cast.partner();
  await receive(id, 'partner.created');
  const failures = () =>
    service.request(
      'GET',
      `/partners/${platform}/deliveries?filter[endpoint_id]=${own}&filter[status]=failed`,
    );
  await expect.poll(async () => (await failures()).body.length).toBeGreaterThan(0);
  await receive(await cast.partner(), 'partner.created');
  expect(typesAbout(sandbox.id)).toEqual(['partner.created']);
  expect(about(own)).toEqual([]);
  succeed(await service.request('DELETE', `/partners/${platform}/webhook-endpoints/${own}`));
});

it('W66: a death between the events and the deletion of their rows publishes nothing twice', async () => {
  const id = await cast.partner();
  const kept = await service.sql('select * from platform_event where data->>$1 = $2', [
    'partner_id',
    bare('partner', id),
  ]);
  await receive(id, 'partner.created');
  const { id: row, type, data, occurred_at } = kept[0] ?? {};
  await service.sql('insert into platform_event values ($1, $2, $3, $4)', [row, type, data, occurred_at]);
  await publish();
  await receive(await cast.partner(), 'partner.created');
  expect(typesAbout(id)).toEqual(['partner.created']);
  expect(await service.sql('select from platform_event where id = $1', [row])).toEqual([]);
});

it('W66, W32: nobody else publishes these types, and a test of one has the example of Concord', async () => {
  for (const { name, example } of platformTypes) {
    const event = { type: name, data: example };
    for (const body of [event, { ...event, producer_id: 'x' }])
      await expectStatus(400, service.post(`/partners/${platform}/events`, body));
    await expectStatus(400, service.post(`/partners/${platform}/events/batch`, [stock(), event]));
  }
  const names = platformTypes.map(({ name }) => name);
  const sandbox = { url: receiver.url(), environment: 'sandbox', event_types: names };
  const { id } = succeed(await service.post(`/partners/${platform}/webhook-endpoints`, sandbox));
  const test = `/partners/${platform}/webhook-endpoints/${id}/test`;
  for (const { name, example } of platformTypes)
    expect([
      succeed(await service.post(test, { type: name })).data,
      faultOf(await service.post(test, { type: name, data: example })),
    ]).toEqual([example, [400, '/type']]);
  // The first type that the endpoint wants is one of these too.
  await expectFault('/type', service.post(test, { data: platformTypes[0]?.example }));
});

it('W66: no event has a secret, an address or a name of a person, and each fits its schema', async () => {
  const partner = await createWebhookPartner(service, 'https://hooks.example.test/a-secret-path?key=secret', {
    headers: { authorization: 'secret' },
  });
  const member = await cast.member(partner.id, {}, { name: 'Ann Secret' });
  await service.sql(
    "update webhook_endpoint set status = 'disabled', disabled_reason = 'failing', disabled_at = now() where id = $1",
    [bare('webhook_endpoint', partner.endpoint)],
  );
  await receive(member.agreement, 'agreement.accepted');
  expect(dataOf(await receive(partner.endpoint, 'webhook_endpoint.disabled')).host).toBe(
    'hooks.example.test',
  );
  const ajv = new Ajv2020({ formats: { 'date-time': true } });
  for (const { name, schema, example } of platformTypes) {
    expect(ajv.validate(schema, example), name).toBe(true);
    for (const { body, event } of receiver.received.filter(({ event }) => event.type === name)) {
      expect(body.toString()).not.toMatch(/secret|Ann |@/i);
      expect([event.data, ajv.validate(schema, event.data)]).toEqual([event.data, true]);
    }
  }
  for (const { type, data } of await service.sql('select type, data from platform_event'))
    expect([type, data]).toBe(null);
});

it('W66: it is off by default, and an endpoint must want the type', async () => {
  const other = await openService(toLoopback);
  const count = async (rows: string) => (await other.sql(rows)).length;
  const platforms = "select from partner where name = 'Platform'";
  await other.post('/partners', { name: 'Acme' });
  expect(await count(platforms)).toBe(0);
  await Promise.all([startBeside(other, settings), startBeside(other, settings)]);
  expect(await count(platforms)).toBe(1);
  await other.post('/partners', { name: 'Acme' });
  expect(await count('select from platform_event')).toBe(0);
});
