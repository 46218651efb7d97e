// Event types: their schemas, test events of any type, and the check of a schema against past events.
import { beforeAll, expect, it } from 'vitest';
import {
  expectCode,
  expectFault,
  expectStatus,
  statusesOf,
  succeed,
  times,
  useCast,
} from '../../stage/cast.ts';

let partner: string;
let endpoint: string;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
  endpoint = succeed(
    await service.post(`/partners/${partner}/webhook-endpoints`, {
      url: 'https://hooks.nordlys.example/',
      environment: 'sandbox',
      event_types: ['inventory.updated'],
    }),
  ).id;
});

const put = (name: string, schema: object, example: unknown = {}) =>
  service.put(`/event-types/${name}`, { description: 'd', schema, example });
const test = (body?: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', `/partners/${partner}/webhook-endpoints/${endpoint}/test`, {
    headers,
    body,
  });
const check = (name: string, schema: unknown, token = service.operatorToken) =>
  service.post(`/event-types/${name}/check`, { schema }, token);
const publish = async (type: string, data: unknown, to = partner) =>
  succeed(await service.post(`/partners/${to}/events`, { type, data })).id;

it('W32: a test event has the example of the type that the body names, also of one that the endpoint does not want', async () => {
  succeed(await put('price.changed', { required: ['price'] }, { price: 5 }));
  const sent = succeed(await test({ type: 'price.changed' }));
  expect(sent).toMatchObject({ type: 'price.changed', environment: 'sandbox', data: { price: 5 } });
  const deliveries = succeed(
    await service.get(`/partners/${partner}/deliveries?filter[event_id]=${sent.id}`),
  );
  expect(deliveries).toMatchObject([{ endpoint_id: endpoint, event_type: 'price.changed' }]);
});

it('W32: a test event has the data of the body, with its digits, if it fits the type', async () => {
  succeed(await put('price.fitting', { properties: { price: { type: 'number' } } }, { price: 5 }));
  const answer = await test('{"type":"price.fitting","data":{"price":1.50}}', {
    'content-type': 'application/json',
  });
  expect(answer.status).toBe(202);
  expect(answer.text).toContain('"data":{"price":1.50}');
  for (const [body, pointer] of [
    [{ type: 'price.fitting', data: { price: 'x' } }, '/data/price'],
    [{ type: 'no.such_type', data: {} }, '/type'],
    ['{"data":{"sku":"a","quantity":1e400}}', '/data/quantity'],
  ] as const) {
    const { status, body: refused } = await test(body, { 'content-type': 'application/json' });
    expect([status, refused.errors[0].pointer]).toEqual([400, pointer]);
  }
  expect(succeed(await test({ data: { sku: 'mine', quantity: 1 } })).data).toEqual({
    sku: 'mine',
    quantity: 1,
  });
});

it('W60: a type with a number that binary64 cannot hold, in its example or its schema, is 400', async () => {
  const { example } = succeed(await put('price.bounded', {}, { n: 1.7e308 }));
  expect(example).toEqual({ n: 1.7e308 });
  for (const [text, pointer] of [
    ['"schema":{},"example":{"a":{"n":[1e400]}}', '/example/a/n/0'],
    ['"schema":{"properties":{"n":{"const":-1e400}}},"example":{}', '/schema/properties/n/const'],
  ]) {
    const { status, body } = await service.put('/event-types/price.bounded', `{"description":"d",${text}}`);
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  }
  expect(succeed(await test({ type: 'price.bounded' })).data).toEqual(example);
});

it('W32: without a body, or without a type in it, it is the first type that the endpoint wants', async () => {
  const json = { 'content-type': 'application/json' };
  const answers = [await test(), await test('', json), await test({})];
  expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
    Array(3).fill([202, 'inventory.updated']),
  );
  // The same request with and without a body is not the same idempotent request.
  const key = { 'idempotency-key': 'one' };
  await expectStatus(202, test(undefined, key));
  await expectCode('idempotency_key_reused', test({ type: 'order.status_changed' }, key));
});

it('W32: an unknown type, another member and a body that is no object are 400', async () => {
  const unknown = await test({ type: 'no.such_type' });
  expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([400, '/type']);
  expect(unknown.body.errors[0].message).toContain('GET /event-types');
  for (const body of [{ types: 'a' }, { type: 1 }, { type: null }, [], 'null and more'])
    await expectStatus(400, test(body));
  const { paths } = (await service.get('/openapi.json')).body;
  expect(paths['/partners/{id}/webhook-endpoints/{endpoint_id}/test'].post.requestBody.required).toBe(false);
  expect(paths['/partners/{id}/events'].post.requestBody.required).toBe(true);
});

it('C1: an event type has an entity tag, and PUT honours If-Match, also of several at once', async () => {
  const path = '/event-types/price.tagged';
  const body = { description: 'd', schema: {}, example: {} };
  const change = (description: string, tag: unknown) =>
    service.request('PUT', path, { headers: { 'if-match': String(tag) }, body: { ...body, description } });
  for (const tag of ['"x"', '*']) await expectStatus(412, change('new', tag));
  const { headers: made } = await service.put(path, body);
  const { headers: read } = await service.get(path);
  expect([made.etag, read.etag]).toEqual([expect.stringMatching(/^"/), made.etag]);
  await expectStatus(304, service.request('GET', path, { headers: { 'if-none-match': String(made.etag) } }));
  const answers = await Promise.all(['a', 'b', 'c'].map((each) => change(each, made.etag)));
  expect(statusesOf(answers)).toEqual([200, 412, 412]);
  const [won] = answers.filter(({ status }) => status === 200);
  expect((await service.get(path)).body).toEqual(won?.body);
  await expectStatus(200, change('d', '*'));
});

it('W33: a schema is checked against the events of all partners, and the answer names those that do not fit, without their data', async () => {
  succeed(await put('stock.counted', {}));
  const other = await cast.partner('Other');
  const before = succeed(await service.get('/event-types'));
  await publish('stock.counted', { count: 1 });
  const first = await publish('stock.counted', { count: 'secret text' });
  await publish('price.changed', { price: 'of another type' });
  const second = await publish('stock.counted', { note: 'secret note' }, other);
  const answer = succeed(
    await check('stock.counted', { required: ['count'], properties: { count: { type: 'integer' } } }),
  );
  expect(answer).toEqual({
    checked: 3,
    failed: 2,
    complete: true,
    failures: [
      {
        event_id: second,
        partner_id: other,
        pointer: '/data/count',
        message: expect.stringContaining('is required'),
      },
      {
        event_id: first,
        partner_id: partner,
        pointer: '/data/count',
        message: expect.stringContaining('must be an integer'),
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  const pattern = succeed(
    await check('stock.counted', { properties: { count: { type: 'string', pattern: '^[0-9]+$' } } }),
  );
  expect(pattern.failures[0].message).toContain('must be text that matches ^[0-9]+$');
  expect(succeed(await service.get('/event-types'))).toEqual(before);
  expect(succeed(await check('stock.counted', {}))).toMatchObject({ checked: 3, failed: 0, failures: [] });
});

it('W33: the last 1,000 events are checked and 20 are named; the check ends after 16 MiB', async () => {
  succeed(await put('many.small', {}));
  await service.sql(
    `insert into event (id, partner_id, environment, type, position, body, created_at)
     select (substr(first_id_of(now())::text, 1, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, partner.id, 'live', $1, n, $2, now()
     from generate_series(1, 1005) n, (select id from partner limit 1) partner`,
    ['many.small', '{"data":{}}'],
  );
  const { failures, ...counts } = succeed(await check('many.small', { required: ['a'] }));
  expect([counts, failures.length]).toEqual([{ checked: 1_000, failed: 1_000, complete: true }, 20]);
  expect(failures[0].event_id > failures[19].event_id).toBe(true);
  await service.sql('update event set body = $2 where type = $1', [
    'many.small',
    `{"data":{"a":"${'x'.repeat(60_000)}"}}`,
  ]);
  const large = succeed(await check('many.small', { required: ['a'] }));
  expect(large).toMatchObject({ failed: 0, complete: false });
  expect(large.checked * 60_000).toBeGreaterThan(16 * 2 ** 20);
  expect(large.checked).toBeLessThan(400);
});

it('W33: an unknown type is 404, a schema that is not accepted is 400, and only operators in a session may ask', async () => {
  await expectStatus(404, check('no.such_type', {}));
  for (const schema of [{ type: 'wrong' }, { pattern: '(?=a)' }]) {
    const answer = await check('inventory.updated', schema);
    expect([answer.status, answer.body.errors[0].pointer.slice(0, 7)]).toEqual([400, '/schema']);
  }
  await expectStatus(400, check('inventory.updated', []));
  await expectStatus(403, check('inventory.updated', {}, (await service.signInStranger()).token));
});

const send = (type: string, data: unknown) => service.post(`/partners/${partner}/events`, { type, data });

it('W12: a pattern takes linear time, whatever it is and whatever the data', async () => {
  const schema = {
    properties: { a: { pattern: '^(a+)+$' } },
    patternProperties: { '^(b+)+$': { type: 'integer' } },
  };
  succeed(await put('pattern.nested', schema));
  await expectStatus(202, send('pattern.nested', { a: 'a'.repeat(50_000) }));
  await expectStatus(202, send('pattern.nested', { bb: 1, [`${'b'.repeat(40)}!`]: 'x' }));
  for (const [data, pointer] of [
    [{ a: `${'a'.repeat(50_000)}!` }, '/data/a'],
    [{ bb: 'x' }, '/data/bb'],
  ] as const) {
    await expectFault(pointer, send('pattern.nested', data));
  }
});

it('W12: a pattern that only a backtracking engine can run gets 400 with its place', async () => {
  const refused: [object, string][] = [
    [{ pattern: '(?=a)' }, '/schema/pattern'],
    [{ properties: { a: { pattern: '(a)\\1' } } }, '/schema/properties/a/pattern'],
    [{ pattern: '(?<x>a)\\k<x>' }, '/schema/pattern'],
    [{ patternProperties: { '(?!a/)': {} } }, '/schema/patternProperties/(?!a~1)'],
    [{ pattern: '(' }, '/schema/pattern'],
    [{ pattern: 'a'.repeat(501) }, '/schema/pattern'],
    [{ allOf: times(101, (index) => ({ pattern: `^a${index}` })) }, '/schema'],
  ];
  for (const [schema, pointer] of refused) {
    await expectFault(pointer, put('pattern.refused', schema));
  }
  // Data that only looks like a pattern.
  succeed(await put('pattern.data', { enum: [{ pattern: '(?=a)' }] }, { pattern: '(?=a)' }));
});

it('W12: a schema that recurses without end gets 400', async () => {
  const itself = { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' };
  for (const schema of [
    itself,
    { $id: 'x', $ref: '#' },
    { $ref: '#' },
    { $dynamicAnchor: 'a', $dynamicRef: '#a' },
    { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' },
    { $defs: { a: { $id: 'http://x/a' }, b: { $id: 'http://x/a' } } },
  ])
    await expectStatus(400, put('recursion.endless', schema));
  expect((await put('recursion.endless', itself)).body.message).toBe(
    'schema must not refer to itself without end.',
  );
  // One that recurses with its data is fine.
  succeed(
    await put('recursion.tree', { type: 'object', additionalProperties: { $ref: '#' } }, { a: { b: {} } }),
  );
  await expectStatus(202, send('recursion.tree', { a: { b: {} } }));
  await expectFault('/data/a/b', send('recursion.tree', { a: { b: 1 } }));
});

it('W12: a schema whose work explodes gets 400 at its deadline, and blocks no other request', async () => {
  const levels = times(40, (level) => `l${level}`);
  const below = (level: number) => ({
    not: { allOf: Array(2).fill({ not: { $ref: `#/$defs/l${level + 1}` } }) },
  });
  const $defs = Object.fromEntries([
    ...levels.map((name, level) => [name, { anyOf: [below(level), below(level)] }]),
    ['l40', false],
  ]);
  const order: string[] = [];
  const hostile = put('work.explodes', { $defs, $ref: '#/$defs/l0' }).then((answer) => {
    order.push('hostile');
    return answer;
  });
  for (let requests = 0; requests < 5; requests++) {
    await expectStatus(200, service.get('/event-types'));
    order.push('other');
  }
  await expectFault('/schema', hostile);
  expect(order.indexOf('hostile')).toBe(5);
  // Another thread takes the place of the one that was ended.
  succeed(await put('work.normal', { type: 'object' }));
});

it('W12: uniqueItems and large data are checked in a thread, with the same answers', async () => {
  succeed(await put('unique.items', { type: 'array', uniqueItems: true }, []));
  const items = times(1_000, (index) => ({ index }));
  await expectStatus(202, send('unique.items', items));
  await expectFault('/data', send('unique.items', [...items, { index: 5 }]));
  const large = (quantity: number) => ({ sku: 'x'.repeat(200_000), quantity });
  await expectStatus(202, send('inventory.updated', large(1)));
  await expectFault('/data/quantity', send('inventory.updated', large(-1)));
});
