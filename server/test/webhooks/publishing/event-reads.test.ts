// One event with its deliveries.
import { expect, it } from 'vitest';
import { acl, expectStatus, pluck, succeed } from '../../stage/cast.ts';
import { useWebhookStage } from '../../stage/webhook-stage.ts';

const { service, receiver, cast, newPartner } = useWebhookStage();

it('W30: an event shows the text that was published, and its deliveries', async () => {
  const partner = await newPartner(receiver.url());
  await partner.post('webhook-endpoints', { url: receiver.url() });
  await partner.pause();
  await partner.publish();
  const data = '{"quantity":1.0,"sku":"\\u00e9é","more":12345678901234567890.10,"deliveries":[1]}';
  const json = `{"type": "inventory.updated", "data": ${data}, "producer_id": "p"}`;
  const { id } = succeed(await partner.send('POST', 'events', json, { 'content-type': 'application/json' }));
  const inFeed = (
    await partner.send('GET', `events?page_from=${(await partner.deliveries())[0].event_id}`)
  ).text.slice(1, -1);
  expect(inFeed).toContain(`"data":${data}}`);
  await expect
    .poll(async () => (await partner.deliveries(`?filter[event_id]=${id}&filter[status]=delivered`)).length)
    .toBe(1);

  const { text, body, headers } = await partner.send('GET', `events/${id}`);
  expect(text.startsWith(`${inFeed.slice(0, -1)},"deliveries":[`)).toBe(true);
  expect(body.deliveries).toEqual(await partner.deliveries(`?filter[event_id]=${id}`));
  expect(pluck(body.deliveries, 'status').toSorted()).toEqual(['delivered', 'pending']);
  const known = await partner.send('GET', `events/${id}`, undefined, {
    'if-none-match': String(headers.etag),
  });
  expect(known.status).toBe(304);
  for (const unknown of ['nonsense', 'evt_01h2xcejqtf2nbrexx3vqjhp41', body.deliveries[0].id])
    await expectStatus(404, partner.send('GET', `events/${unknown}`));
});

it('W30: without the permission to list deliveries, the deliveries of an event are null', async () => {
  const partner = await newPartner(receiver.url());
  const event = await partner.publish();
  const path = `/partners/${partner.id}/events/${event}`;
  const shown = async (token: string) => succeed(await service.get(path, token)).deliveries?.length ?? null;
  const members = await Promise.all(
    [
      [acl('events', 'get')],
      [acl('events', 'get'), acl('deliveries', 'get')],
      [acl('events', 'get'), acl('deliveries', 'query')],
    ].map((acl_permissions) => cast.member(partner.id, { acl_permissions })),
  );
  const byMember = await Promise.all(members.map(({ token }) => shown(token)));
  expect(byMember).toEqual([null, null, 1]);
  for (const [scopes, expected] of [
    [[acl('events', 'get')], null],
    [[acl('events', 'get'), acl('deliveries', 'query')], 1],
  ] as const) {
    const { token } = succeed(await service.post('/me/access-tokens', { name: 'token', scopes }));
    expect(await shown(token)).toBe(expected);
  }
});
