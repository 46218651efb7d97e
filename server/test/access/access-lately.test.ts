// Callers whose access was read a moment ago, and is lost: publishing decides again before it does anything.
import { expect, it } from 'vitest';
import { acl, expectStatus, may, succeed, useCast } from '../stage/cast.ts';

const { service, cast } = useCast();

async function publisher() {
  const partner = await cast.partner();
  const terms = { acl_permissions: [acl('events', 'post'), acl('deliveries', 'query')] };
  const member = await cast.member(partner, terms);
  const send = (body: unknown, headers = {}) =>
    service.request('POST', `/partners/${partner}/events`, { token: member.token, body, headers });
  const event = { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } };
  await expectStatus(202, send(event));
  /** Bodies that are accepted, and refused at each step. */
  const answers = async () => {
    const all = [
      send(event),
      send({ ...event, type: 'no.such' }),
      send({ ...event, data: {} }),
      send({}),
      send('{'),
      send('a', { 'content-type': 'text/plain' }),
      send(`"${'x'.repeat(300_000)}"`),
    ];
    return new Set((await Promise.all(all)).map(({ status }) => status));
  };
  return { partner, member, send, event, answers };
}

it('E5: whoever has lost the access learns nothing about the body', async () => {
  const { partner, member, answers } = await publisher();
  expect(await answers()).toEqual(new Set([202, 400, 413, 415]));
  succeed(await cast.change(partner, member.agreement, may('events', 'query')));
  expect(await answers()).toEqual(new Set([403]));
  await service.remove(`/partners/${partner}/agreements/${member.agreement}`);
  expect(await answers()).toEqual(new Set([404]));
  await service.sql('delete from auth.session where user_id = $1', [member.id]);
  expect(await answers()).toEqual(new Set([401]));
});

it('E5, A14: another agreement takes the place of the one that was read', async () => {
  const { partner, member, send, event } = await publisher();
  await service.remove(`/partners/${partner}/agreements/${member.agreement}`);
  await cast.join(partner, member, may('events', 'post'));
  const [one, two] = await Promise.all([send(event), send(event)]);
  expect([one.status, two.status]).toEqual([202, 202]);
  expect(one.body.filtered_endpoint_ids).toBeNull();
});
