// Schemas of event types that are made to cost much work, or that cannot be used.
import { beforeAll, expect, it } from 'vitest';
import { expectStatus, faultOf, succeed, times, useCast } from '../../stage/cast.ts';

let partner: string;
const { service, cast } = useCast();
beforeAll(async () => {
  partner = await cast.partner();
});

const put = (name: string, schema: object, example: unknown = {}) =>
  service.put(`/event-types/${name}`, { description: 'd', schema, example });
const publish = (type: string, data: unknown) => service.post(`/partners/${partner}/events`, { type, data });

it('W12: a pattern takes linear time, whatever it is and whatever the data', async () => {
  const schema = {
    properties: { a: { pattern: '^(a+)+$' } },
    patternProperties: { '^(b+)+$': { type: 'integer' } },
  };
  succeed(await put('pattern.nested', schema));
  await expectStatus(202, publish('pattern.nested', { a: 'a'.repeat(50_000) }));
  await expectStatus(202, publish('pattern.nested', { bb: 1, [`${'b'.repeat(40)}!`]: 'x' }));
  for (const [data, pointer] of [
    [{ a: `${'a'.repeat(50_000)}!` }, '/data/a'],
    [{ bb: 'x' }, '/data/bb'],
  ] as const) {
    expect(faultOf(await publish('pattern.nested', data))).toEqual([400, pointer]);
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
    expect(faultOf(await put('pattern.refused', schema))).toEqual([400, pointer]);
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
  await expectStatus(202, publish('recursion.tree', { a: { b: {} } }));
  expect(faultOf(await publish('recursion.tree', { a: { b: 1 } }))).toEqual([400, '/data/a/b']);
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
  expect(faultOf(await hostile)).toEqual([400, '/schema']);
  expect(order.indexOf('hostile')).toBe(5);
  // Another thread takes the place of the one that was ended.
  succeed(await put('work.normal', { type: 'object' }));
});

it('W12: uniqueItems and large data are checked in a thread, with the same answers', async () => {
  succeed(await put('unique.items', { type: 'array', uniqueItems: true }, []));
  const items = times(1_000, (index) => ({ index }));
  await expectStatus(202, publish('unique.items', items));
  expect(faultOf(await publish('unique.items', [...items, { index: 5 }]))).toEqual([400, '/data']);
  const large = (quantity: number) => ({ sku: 'x'.repeat(200_000), quantity });
  await expectStatus(202, publish('inventory.updated', large(1)));
  expect(faultOf(await publish('inventory.updated', large(-1)))).toEqual([400, '/data/quantity']);
});
