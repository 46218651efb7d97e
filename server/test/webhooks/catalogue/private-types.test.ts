// Event types that belong to some partners do not exist for others (behaviour W73).
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acl,
  expectStatus,
  type Member,
  may,
  pluck,
  stock,
  succeed,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { inForm } from '../../stage/form.ts';
import { stopAt, untilWaiting } from '../../stage/locks.ts';
import { createRandom, type Random, seed } from '../../stage/random.ts';
import type { Response } from '../../stage/start-service.ts';

const { service, cast } = useCast({ CONCORD_RATE_LIMIT: '1000000/10s' });
const times = inForm({ short: 15, long: 100 });

/** Of the same length. Nobody has given the other one. */
const hidden = 'secret.of_nordlys';
const unknown = 'nobody.gave_this_';
const names = ['inventory.updated', 'order.status_changed', 'open.counted'];

let [mine, others] = ['', ''];
let member: Member;
let endpoint: string;
let delivery: string;
let event: string;

const put = (name: string, body: object = {}, query = '') =>
  service.put(`/event-types/${name}${query}`, {
    description: `About ${name}`,
    schema: { type: 'object', properties: { hush: { const: 'ZZZ' } } },
    example: { hush: 'ZZZ' },
    ...body,
  });
const create = (partner: string, event_types: string[], token = service.operatorToken, more = {}) =>
  service.post(
    `/partners/${partner}/webhook-endpoints`,
    { url: 'https://hooks.example.com/', environment: 'sandbox', event_types, ...more },
    token,
  );

beforeAll(async () => {
  [mine, others] = [await cast.partner('Mine'), await cast.partner('Others')];
  member = await cast.member(mine, may('*'));
  succeed(await put('open.counted', { schema: {}, example: {}, description: 'Counted' }));
  endpoint = succeed(await create(mine, names)).id;
  event = succeed(await service.post(`/partners/${mine}/events`, { ...stock(), environment: 'sandbox' })).id;
  [delivery] = pluck(succeed(await service.get(`/partners/${mine}/deliveries`)), 'id') as [string];
  succeed(await put(hidden, { partner_ids: [others] }));
  succeed(await put('mine.alone', { schema: {}, example: {}, partner_ids: [mine] }));
  // A type of which the process knows the schema, as after a while.
  succeed(await service.post(`/partners/${others}/events`, { type: hidden, data: { hush: 'ZZZ' } }));
});

type Ask = { path: string; body?: unknown };
type Operation = (name: string, random: Random) => Ask;

/** Below the partner, with some of the types that it sees. */
const at = (path: string, body?: unknown): Ask => ({ path: `/partners/${mine}/${path}`, body });
const some = (random: Random) => names.filter(() => random.chance(0.5));
const mixed = (name: string, random: Random) => {
  const list = some(random);
  return random.chance(0.5) ? [name, ...list] : [...list, name];
};
const own =
  (path: () => string, body?: unknown): Operation =>
  () =>
    at(path(), body);
const environment = (random: Random) => random.pick(['live', 'sandbox']);
const spelled = (text: string, random: Random) => {
  const from = random.pick([0, 1, 3, 6]);
  const cut = text.slice(from, from + random.pick([2, 3, 5, 20]));
  return random.chance(0.3) ? cut.toUpperCase() : cut;
};
const listQuery = (random: Random) => random.pick(['', '&page_size=5', '&sort_dir=desc&page_size=2']);

/** Each operation whose description names event types. `name`: a hidden type, or one that nobody has given. */
const operations: Record<string, Operation> = {
  listEventTypes: (_, random) => ({
    path: `/event-types?filter[archived]=${random.pick(['true', 'false'])}`,
  }),
  getEventType: (name) => ({ path: `/event-types/${name}` }),
  putEventType: (name) => ({
    path: `/event-types/${name}`,
    body: { description: '', schema: {}, example: {} },
  }),
  checkEventType: (name) => ({ path: `/event-types/${name}/check`, body: { schema: {} } }),
  exportEventTypes: (_, random) => ({
    path: `/event-types/export?format=${random.pick(['openapi', 'asyncapi'])}`,
  }),
  importEventTypes: (name) => ({
    path: '/event-types/import',
    body: { document: `{"openapi":"3.1.0","webhooks":{"${name}":{}}}` },
  }),
  publishEvent: (type, random) =>
    at('events', {
      type,
      data: random.pick([{}, { hush: 'ZZZ' }, { hush: 1 }, 'x', null]),
      environment: environment(random),
      ...(random.chance(0.3) && { producer_id: 'one' }),
    }),
  publishEvents: (type, random) => {
    const all = [stock(), stock(), { type, data: { hush: random.pick(['ZZZ', 'x']) } }];
    return at('events/batch', random.chance(0.5) ? all : all.toReversed());
  },
  testWebhookEndpoint: (type, random) =>
    at(`webhook-endpoints/${endpoint}/test`, { type, ...(random.chance(0.5) && { data: { hush: 1 } }) }),
  createWebhookEndpoint: (name, random) =>
    at('webhook-endpoints', {
      url: 'https://hooks.example.com/',
      environment: environment(random),
      event_types: mixed(name, random),
    }),
  updateWebhookEndpoint: (name, random) =>
    at(`webhook-endpoints/${endpoint}`, { event_types: mixed(name, random) }),
  createListener: (name, random) =>
    at('listeners', { forward_to: 'http://localhost/', event_types: mixed(name, random) }),
  checkFilter: (name, random) => {
    const path = random.pick(['/hush', '/sku', '/other']);
    const event_types = random.pick([[name], mixed(name, random), null]);
    return at('webhook-endpoints/filter-check', { filter: { path, equals: 'ZZZ' }, event_types });
  },
  listEvents: (name, random) =>
    at(`events?filter[type]=${name}${random.pick(['', '&filter[environment]=live'])}${listQuery(random)}`),
  listDeliveries: (name, random) => at(`deliveries?filter[event_type]=${name}${listQuery(random)}`),
  countDeliveries: (name) => at(`delivery-counts?filter[event_type]=${name}`),
  startReplay: (event_type) => at('deliveries/replay', { event_type }),
  startSendNow: (event_type) => at('deliveries/send-now', { event_type }),
  search: (name, random) => ({
    path: `/search?q=${encodeURIComponent(random.chance(0.5) ? name : spelled(`About ${hidden}`, random))}`,
  }),
  // These name only types of the partner's own objects.
  listWebhookEndpoints: own(() => 'webhook-endpoints'),
  getWebhookEndpoint: own(() => `webhook-endpoints/${endpoint}`),
  pauseWebhookEndpoint: own(() => `webhook-endpoints/${endpoint}/pause`),
  resumeWebhookEndpoint: own(() => `webhook-endpoints/${endpoint}/resume`),
  getEvent: own(() => `events/${event}`),
  getDelivery: own(() => `deliveries/${delivery}`),
  replayDelivery: own(() => `deliveries/${delivery}/replay`),
  sendDeliveryNow: own(() => `deliveries/${delivery}/send-now`),
  listReplays: own(() => 'replays'),
  getReplay: own(() => 'replays/rpl_01h2xcejqtf2nbrexx3vqjhp41'),
  stopReplay: own(() => 'replays/rpl_01h2xcejqtf2nbrexx3vqjhp41/stop'),
};

type Described = { operationId: string; responses: Record<string, unknown> };
const description = JSON.parse(readFileSync('openapi.json', 'utf8'));
/** By operation. The words of an operation are those of what it refers to, too. */
const methods = new Map<string, string>();
function wordsOf(part: unknown, seen: Set<string>): string {
  const text = JSON.stringify(part);
  const names = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)].filter(([ref]) => !seen.has(ref));
  for (const [ref] of names) seen.add(ref);
  const words = text.replaceAll(/"#\/components\/\w+\/\w+"/g, '');
  return (
    words +
    names.map(([, kind = '', name = '']) => wordsOf(description.components[kind][name], seen)).join('')
  );
}
const naming = Object.values(description.paths as Record<string, Record<string, Described>>)
  .flatMap((path) => Object.entries(path))
  .flatMap(([method, { responses, ...operation }]) => {
    if (typeof operation.operationId !== 'string') return [];
    methods.set(operation.operationId, method.toUpperCase());
    const { default: _, ...answers } = responses;
    return /event[ _-]?type/i.test(wordsOf([operation, answers], new Set())) ? [operation.operationId] : [];
  });

/** What differs between two requests, whatever they ask. */
const shown = ({ status, text }: Response, name: string) => [
  status,
  text
    .replaceAll(name, '<name>')
    .replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uuid>'),
];

describe(`seed ${seed}`, () => {
  it('W73: every operation that names event types is asked below', () => {
    expect(naming.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it.each(Object.keys(operations))(
    'W73: to the members of others a private type does not exist: %s',
    async (id) => {
      const operation = operations[id] as Operation;
      const method = methods.get(id) as string;
      // Without a name and chance, each token asks once.
      const rounds = operation.length === 0 ? 2 : times;
      for (let index = 0; index < rounds; index++) {
        // Operators see it, but not below a partner without it.
        const { path: below } = operation(hidden, createRandom(seed));
        const tokens = below.startsWith('/partners/')
          ? [member.token, service.operatorToken]
          : [member.token];
        const token = tokens[index % tokens.length] as string;
        const answers = [];
        for (const name of operation.length === 0 ? [hidden] : [hidden, unknown]) {
          const { path, body } = operation(name, createRandom(seed + index));
          const answer = await service.request(method, path, { token, body });
          answers.push(shown(answer, name));
          expect(answer.text.replaceAll(path, ''), path).toEqual(expect.not.stringContaining('ZZZ'));
          if (id.startsWith('start')) await service.sql('delete from replay');
        }
        if (answers.length === 2) expect(answers[0], `request ${index}`).toEqual(answers[1]);
        if (/^list|^search|^get(?!EventType)/.test(id)) expect(answers[0]?.[1]).not.toContain('<name>');
      }
    },
  );
});

it('W73, P4: a private type is hidden from the people of a partner that is deleted', async () => {
  const partner = await cast.partner();
  const { token } = await cast.owner(partner);
  succeed(await put('deleted.private', { partner_ids: [partner] }));
  const see = async () => (await service.get('/event-types/deleted.private', token)).status;
  expect(await see()).toBe(200);
  succeed(await service.remove(`/partners/${partner}`));
  expect(await see()).toBe(404);
  succeed(await service.post(`/partners/${partner}/restore`));
  expect(await see()).toBe(200);
});

it('W73: the partner of a private type sees it everywhere, and operators see it', async () => {
  const insider = await cast.member(others, may('events'));
  for (const token of [insider.token, service.operatorToken]) {
    expect(pluck(succeed(await service.get('/event-types', token)), 'name')).toContain(hidden);
    expect(succeed(await service.get(`/event-types/${hidden}`, token)).partner_ids).toEqual([others]);
    expect(pluck(succeed(await service.get(`/search?q=${hidden}`, token)), 'id')).toEqual([hidden]);
  }
  const subscriber = succeed(await create(others, [hidden])).id;
  const test = `/partners/${others}/webhook-endpoints/${subscriber}/test`;
  expect(succeed(await service.post(test)).data).toEqual({ hush: 'ZZZ' });
  await expectStatus(
    202,
    service.post(`/partners/${others}/events`, { type: hidden, data: {} }, insider.token),
  );
  // A token for another partner, or without any permission on this one, does not see it.
  for (const [scopes, partners] of [
    [[acl('events', 'post')], [mine]],
    [[], [others]],
  ] as const) {
    const both = await cast.member(others, may('*'));
    await cast.join(mine, both, may('*'));
    const token = await cast.accessToken(both, [...scopes], [...partners]);
    expect(pluck(succeed(await service.get('/event-types', token)), 'name')).not.toContain(hidden);
  }
});

it('W73: partners of one private type do not see each other in it, and a removed one leaves', async () => {
  const [one, two] = [await cast.partner('One'), await cast.partner('Two')];
  const both = succeed(await put('shared.type', { partner_ids: [two, one] }));
  expect(both.partner_ids.toSorted()).toEqual([one, two].toSorted());
  const ofOne = await cast.member(one, may('events'));
  expect(succeed(await service.get('/event-types/shared.type', ofOne.token)).partner_ids).toEqual([one]);
  await service.sql('delete from partner where id = $1', [uuidOf(two)]);
  expect(succeed(await service.get('/event-types/shared.type')).partner_ids).toEqual([one]);
  // Left out: as it is. Nobody: only operators.
  expect(succeed(await put('shared.type')).partner_ids).toEqual([one]);
  expect(succeed(await put('shared.type', { partner_ids: [] })).partner_ids).toEqual([]);
  await expectStatus(404, service.get('/event-types/shared.type', ofOne.token));
  await expectStatus(400, service.post(`/partners/${one}/events`, { type: 'shared.type', data: {} }));
  expect(succeed(await put('shared.type', { partner_ids: null })).partner_ids).toBeNull();
  await expectStatus(202, service.post(`/partners/${one}/events`, { type: 'shared.type', data: {} }));
  for (const partner_ids of [['x'], [one, two]]) {
    const { status, body } = await put('shared.type', { partner_ids });
    expect([status, body.errors[0].pointer]).toEqual([400, `/partner_ids/${partner_ids.length - 1}`]);
  }
});

it('W73: a type is not taken from endpoints that name it without force, and with force it matches nothing', async () => {
  const partner = await cast.partner();
  succeed(await put('taken.away', { partner_ids: null }));
  const { id } = succeed(await create(partner, ['taken.away']));
  const deleted = await cast.partner();
  succeed(await create(deleted, ['taken.away']));
  succeed(await service.remove(`/partners/${deleted}`));
  const { status, body } = await put('taken.away', { partner_ids: [others] });
  expect([status, body.code, body.message]).toEqual([
    400,
    'event_type_in_use',
    expect.stringContaining('1 webhook endpoint names this type'),
  ]);
  await expectStatus(200, put('taken.away', { partner_ids: [others, partner] }));
  await expectStatus(200, put('taken.away', { partner_ids: [others] }, '?force=true'));
  // What was taken already is not counted again.
  await expectStatus(200, put('taken.away', { description: 'Other words' }));
  const path = `/partners/${partner}/webhook-endpoints/${id}`;
  expect(succeed(await service.get(path)).event_types).toEqual(['taken.away']);
  await expectStatus(200, service.patch(path, { event_types: ['taken.away', 'inventory.updated'] }));
  expect(succeed(await service.post(`${path}/test`)).type).toBe('inventory.updated');
  await expectStatus(200, service.patch(path, { event_types: null }));
  await expectStatus(400, service.patch(path, { event_types: ['taken.away'] }));
  expect(succeed(await service.post(`${path}/test`)).type).toBe('inventory.updated');
});

it('W73: a type that is made private while endpoints name it is either refused or not named', async () => {
  for (let round = 0; round < inForm({ short: 6, long: 20 }); round++) {
    const name = `raced.type_${round}`;
    succeed(await put(name));
    const [made, ...created] = await Promise.all([
      put(name, { partner_ids: [others] }),
      ...Array.from({ length: 4 }, () => create(mine, [name], member.token)),
    ]);
    const naming = created.filter(({ status }) => status === 201);
    expect(created.map(({ status }) => status).every((status) => status === 201 || status === 400)).toBe(
      true,
    );
    if (made.status === 200) expect(naming).toEqual([]);
    else expect([made.body.code, naming.length > 0]).toEqual(['event_type_in_use', true]);
    for (const { body } of naming)
      succeed(await service.remove(`/partners/${mine}/webhook-endpoints/${body.id}`));
  }
});

it('W73: a type that is made private waits for an endpoint that is being created with it', async () => {
  succeed(await put('gated.type'));
  const gate = await stopAt(service.database, { table: 'webhook_endpoint', event: 'insert' });
  const creating = create(mine, ['gated.type'], member.token);
  await gate.reached();
  const taking = put('gated.type', { partner_ids: [others] });
  await untilWaiting(service.database, 2);
  await gate.release();
  expect([(await creating).status, (await taking).body.code]).toEqual([201, 'event_type_in_use']);
});

it('W73: built-in types stay open', async () => {
  const answer = await put('inventory.updated', { partner_ids: [others] });
  expect(answer.body.code).toBe('event_type_built_in');
  await expect(
    service.sql(
      `insert into event_type (name, description, schema, example, built_in, private) values ('x', '', '{}', '{}', true, true)`,
    ),
  ).rejects.toThrow(/check/);
});
