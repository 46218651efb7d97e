// Event types that are deprecated, of which subscribers are told, and archived ones (behaviour W74).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { expectFault, expectStatus, faultOf, pluck, succeed, times, uuidOf } from '../../stage/cast.ts';
import { kill, launch, signIn } from '../../stage/launch.ts';
import { stopAt } from '../../stage/locks.ts';
import { untilSent, useMailed } from '../../stage/mailbox.ts';
import { createTestDatabase, newEmail, secrets } from '../../stage/start-service.ts';

const { mailbox, service, cast } = useMailed();
const at = '2999-01-31T00:00:00.000Z';
const task = 'tell of deprecated event types';

const put = (name: string, body: object = {}, query = '') =>
  service.put(`/event-types/${name}${query}`, { description: 'd', schema: {}, example: {}, ...body });
const create = async (partner: string, terms: object) =>
  service.post(`/partners/${partner}/webhook-endpoints`, { url: 'https://hooks.example.com/', ...terms });
const tell = async () => {
  const left = () => service.sql('select from deprecation_notice');
  while ((await left()).length > 0) await service.runTask(task);
  await service.pauseTask(task);
};

beforeAll(async () => {
  await service.pauseTask(task);
  succeed(await put('stock.counted'));
});

it('W74: owners of partners whose live endpoints name a deprecated type get one mail for each deprecation', async () => {
  succeed(await put('stock.old'));
  const [named, all, inSandbox, gone] = [
    await cast.partner('Named'),
    await cast.partner('All'),
    await cast.partner('Sandbox'),
    await cast.partner('Gone'),
  ];
  const owners = await Promise.all(
    [named, named, all, inSandbox, gone].map((partner) => cast.owner(partner)),
  );
  const member = await cast.member(named);
  succeed(await create(named, { event_types: ['stock.old'] }));
  succeed(await create(named, { event_types: ['stock.old', 'inventory.updated'] }));
  succeed(await create(all, { event_types: null }));
  succeed(await create(inSandbox, { event_types: ['stock.old'], environment: 'sandbox' }));
  succeed(await create(gone, { event_types: ['stock.old'] }));
  succeed(await service.remove(`/partners/${gone}`));
  const count = async () => {
    await tell();
    await untilSent(service);
    return [...owners, member].map(
      ({ email }) =>
        mailbox.to(email).filter(({ subject }) => subject === 'The event type stock.old is deprecated')
          .length,
    );
  };
  const deprecated = { at, successor: 'stock.counted' };
  expect(succeed(await put('stock.old', { deprecated })).deprecated).toEqual(deprecated);
  expect(await count()).toEqual([1, 1, 0, 0, 0, 0]);
  // The same again, and a change of something else, tell nobody.
  succeed(await put('stock.old', { deprecated, description: 'Other words' }));
  succeed(await put('stock.old', { schema: { type: 'object' } }));
  expect(await count()).toEqual([1, 1, 0, 0, 0, 0]);
  const mail = mailbox.to(owners[0]?.email ?? '').findLast(({ subject }) => subject?.includes('deprecated'));
  expect(mail?.text).toContain('the event type stock.old. Do not rely on it from 2999-01-31 00:00 UTC on');
  expect(mail?.text).toContain('Use stock.counted instead');
  expect(mail?.text).toContain(`/console/p/${named}/webhooks/event-types/stock.old`);
  succeed(await put('stock.old', { deprecated: { at } }));
  expect(await count()).toEqual([2, 2, 0, 0, 0, 0]);
  expect(
    mailbox.to(owners[0]?.email ?? '').findLast(({ subject }) => subject?.includes('deprecated'))?.text,
  ).toContain('No other type takes its place');
  // Taken back before anybody was told.
  succeed(await put('stock.old', { deprecated: { at: '2999-02-01T00:00:00Z' } }));
  expect(succeed(await put('stock.old', { deprecated: null })).deprecated).toBeNull();
  expect(await count()).toEqual([2, 2, 0, 0, 0, 0]);
});

it('W74: who has lost a private type is not told of its deprecation', async () => {
  const [lost, has] = [await cast.partner(), await cast.partner()];
  const owners = [await cast.owner(lost), await cast.owner(has)];
  succeed(await put('stock.taken', { partner_ids: [lost, has] }));
  succeed(await put('stock.taken_last'));
  for (const partner of [lost, has])
    succeed(await create(partner, { event_types: ['stock.taken', 'stock.taken_last'] }));
  succeed(await put('stock.taken', { partner_ids: [has] }, '?force=true'));
  succeed(await put('stock.taken', { deprecated: { at } }, '?force=true'));
  succeed(await put('stock.taken_last', { deprecated: { at } }));
  await tell();
  await untilSent(service);
  const told = (type: string) =>
    owners.map(({ email }) =>
      mailbox.to(email).some(({ subject }) => subject === `The event type ${type} is deprecated`),
    );
  expect([told('stock.taken'), told('stock.taken_last')]).toEqual([
    [false, true],
    [true, true],
  ]);
});

it('W74: publishing and subscribing go on for a deprecated type', async () => {
  const partner = await cast.partner();
  succeed(
    await put('stock.going', { deprecated: { at: '2020-01-01T00:00:00Z', successor: 'stock.counted' } }),
  );
  succeed(await create(partner, { event_types: ['stock.going'] }));
  await expectStatus(202, service.post(`/partners/${partner}/events`, { type: 'stock.going', data: {} }));
  const listed = succeed(await service.get('/event-types')).find(
    ({ name }: { name: string }) => name === 'stock.going',
  );
  expect(listed.deprecated).toEqual({ at: '2020-01-01T00:00:00.000Z', successor: 'stock.counted' });
});

it('W74: a successor is another type that everyone who sees the type sees', async () => {
  const [one, two] = [await cast.partner(), await cast.partner()];
  const of = (partner_ids: string[] | null, successor: string) =>
    put('next.asked', { partner_ids, deprecated: { at, successor } });
  succeed(await put('next.private', { partner_ids: [one] }));
  succeed(await put('next.archived', { archived: true }));
  succeed(await put('next.asked'));
  const pointer = '/deprecated/successor';
  for (const [partners, successor] of [
    [null, 'next.private'],
    [[one, two], 'next.private'],
    [null, 'next.archived'],
    [null, 'next.asked'],
    [null, 'no.such_type'],
  ] as const)
    await expectFault(pointer, of(partners && [...partners], successor));
  await expectFault('/deprecated/at', put('next.asked', { deprecated: { at: '9999-12-31T23:59:59-05:00' } }));
  succeed(await of([one], 'next.private'));
  // It is taken from `one` later: who does not see it is not told of it.
  const owner = await cast.owner(one);
  const see = async () =>
    succeed(await service.get('/event-types/next.asked', owner.token)).deprecated.successor;
  expect(await see()).toBe('next.private');
  succeed(await put('next.private', { partner_ids: [two] }));
  expect(await see()).toBeNull();
  succeed(await create(one, { event_types: ['next.asked'] }));
  await tell();
  // That of the invitation can come later.
  const told = () => mailbox.to(owner.email).find(({ subject }) => subject?.includes('next.asked'));
  await expect.poll(() => told()?.text).toContain('No other type takes its place');
});

it('W74: an archived type takes no events and no subscriptions; what exists goes on', async () => {
  const partner = await cast.partner();
  succeed(await put('stock.last'));
  const endpoint = succeed(await create(partner, { event_types: ['stock.last'], environment: 'sandbox' })).id;
  const event = { type: 'stock.last', data: {}, environment: 'sandbox' };
  const { id } = succeed(await service.post(`/partners/${partner}/events`, event));
  expect((await put('stock.last', { archived: true })).body).toMatchObject({ code: 'event_type_in_use' });
  const { archived_at } = succeed(await put('stock.last', { archived: true }, '?force=true'));
  expect(Date.parse(archived_at)).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(succeed(await put('stock.last', { description: 'Other words' })).archived_at).toBe(archived_at);

  const path = `/partners/${partner}`;
  const own = `${path}/webhook-endpoints/${endpoint}`;
  const refused = [
    [service.post(`${path}/events`, event), '/type'],
    [service.post(`${path}/events`, { ...event, producer_id: 'a' }), '/type'],
    [service.post(`${path}/events/batch`, [event]), '/0/type'],
    [service.post(`${own}/test`, { type: 'stock.last' }), '/type'],
    [service.post(`${own}/test`, { type: 'stock.last', data: {} }), '/type'],
    [create(partner, { event_types: ['stock.last'] }), '/event_types'],
    [
      service.post(`${path}/listeners`, { forward_to: 'http://localhost/', event_types: ['stock.last'] }),
      '/event_types',
    ],
  ] as const;
  for (const [answer, pointer] of refused) {
    const got = await answer;
    expect([got.path, ...faultOf(got)]).toEqual([got.path, 400, pointer]);
    expect(got.body.errors[0].message).toContain('archived');
  }
  const [delivery] = succeed(await service.get(`${path}/deliveries?filter[event_type]=stock.last`));
  expect(delivery.event_id).toBe(id);
  await expectStatus(200, service.post(`${path}/deliveries/${delivery.id}/replay`));
  await expectStatus(200, service.patch(own, { event_types: ['inventory.updated', 'stock.last'] }));
  expect(succeed(await service.post(`${own}/test`)).type).toBe('inventory.updated');

  const listed = async (query = '') => pluck(succeed(await service.get(`/event-types${query}`)), 'name');
  expect(await listed()).not.toContain('stock.last');
  expect(await listed('?filter[archived]=true')).toContain('stock.last');
  expect(await listed('?filter[archived]=true')).not.toContain('inventory.updated');
  expect(pluck(succeed(await service.get('/search?q=stock.last')), 'id')).toEqual([]);
  expect(succeed(await service.get('/event-types/stock.last')).archived_at).toBe(archived_at);
  for (const query of ['?filter[archived]=yes', '?filter[name]=x'])
    await expectStatus(400, service.get(`/event-types${query}`));

  expect(succeed(await put('stock.last', { archived: false })).archived_at).toBeNull();
  await expectStatus(202, service.post(`${path}/events`, event));
});

const password = 'correct horse battery';
let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('W74: each owner gets one mail although the process is killed between and in the steps', async () => {
  const { sql } = database;
  const start = async () => {
    const started = launch({
      DATABASE_URL: database.url,
      CONCORD_SECRETS: secrets,
      CONCORD_OPERATOR_PASSWORD: password,
      CONCORD_SMTP_URL: 'smtp://127.0.0.1:1',
    });
    return { ...started, url: await started.ready() };
  };
  const first = await start();
  const { request, close } = await signIn(first.url, password);
  const type = { description: 'd', schema: {}, example: {} };
  await request('PUT', '/event-types/killed.type', type);
  const partners = times(250, () => newId('partner'));
  const values = partners.map((id) => [uuidOf(id), newId('user'), newEmail()]);
  const columns = [0, 1, 2].map((index) => values.map((row) => row[index]));
  await sql(
    `with given as (select * from unnest($1::uuid[], $2::text[], $3::text[]) as given (partner, person, email)),
      made as (insert into partner (id, name) select partner, 'Many' from given),
      people as (insert into auth."user" (id, name, email, email_verified, role) select person, 'Ann', email, true, 'user' from given),
      agreed as (insert into agreement (id, partner_id, user_id, email, email_key, owner)
        select gen_random_uuid(), partner, person, email, email, true from given)
    insert into webhook_endpoint (id, partner_id, url, event_types, environment, ordering, max_concurrency, header_names)
      select gen_random_uuid(), partner, 'https://hooks.example.com/', '{killed.type}', 'live', 'none', 1, '{}' from given`,
    columns,
  );
  // The second step stops at its first mail.
  const when = '(select count(*) from mail) >= 100';
  const { reached, release } = await stopAt(database, { table: 'mail', event: 'insert', when });
  await request('PUT', '/event-types/killed.type', { ...type, deprecated: { at } });
  await reached();
  await kill(first.child);
  close();
  await release();
  const mails = async () => {
    const rows = await sql('select count(*)::int as count from mail group by recipient');
    return rows.map(({ count }) => count as number);
  };
  expect(await mails()).toEqual(Array(100).fill(1));
  await start();
  await expect.poll(async () => (await sql('select from deprecation_notice')).length).toBe(0);
  expect(await mails()).toEqual(Array(250).fill(1));
});
