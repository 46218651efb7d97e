// Event types from OpenAPI and AsyncAPI documents, and as such documents (behaviour W75).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import asyncApiSpecs from '@asyncapi/specs';
import { createConfig, lint } from '@redocly/openapi-core';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  expectCode,
  expectFault,
  expectStatus,
  statusesOf,
  succeed,
  times,
  useCast,
} from '../../stage/cast.ts';
import { newScratchDir } from '../../stage/launch.ts';
import { createImport, openApi, type Step, webhook } from './type-document-stage.ts';

const { service, cast } = useCast({ CONCORD_RATE_LIMIT: 'off' });
const exportPath = '/event-types/export?format=';

const put = (name: string, body: object = {}) =>
  service.put(`/event-types/${name}`, { description: 'd', schema: {}, example: {}, ...body });
const { ask, stepsOf } = createImport(service);
const stored = async (name: string) => succeed(await service.get(`/event-types/${name}`));

it('W75: an import is a plan first, and is then applied as it is', async () => {
  const document = openApi(
    {
      'order.placed': webhook({ $ref: '#/components/schemas/Order' }, { id: 'a', items: [{ of: [] }] }),
      'order.paid': webhook(
        {
          type: 'object',
          properties: {
            ...Object.fromEntries(
              ['id', 'type', 'created_at', 'partner_id', 'environment'].map((name) => [name, {}]),
            ),
            data: { $ref: '#/components/schemas/Money' },
          },
        },
        { id: 'evt_1', data: { amount: 1 } },
        { description: 'In long' },
      ),
    },
    {
      schemas: {
        Order: {
          type: 'object',
          properties: { id: { type: 'string' }, items: { items: { $ref: '#/components/schemas/Item' } } },
        },
        Item: { type: 'object', properties: { of: { items: { $ref: '#/components/schemas/Item' } } } },
        Money: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
      },
    },
  );
  for (const text of [document, stringify(document)])
    expect(await stepsOf(text)).toEqual([
      { name: 'order.placed', action: 'new', reason: null },
      { name: 'order.paid', action: 'new', reason: null },
    ]);
  await expectStatus(404, service.get('/event-types/order.placed'));
  const { plan } = succeed(await ask(document));
  await expectFault('/plan', ask(document, { apply: true }));
  expect(succeed(await ask(document, { apply: true, plan })).applied).toBe(true);
  expect(await stored('order.paid')).toMatchObject({
    description: 'In long',
    schema: { $ref: '#/$defs/Money', $defs: { Money: { required: ['amount'] } } },
    example: { amount: 1 },
    partner_ids: null,
  });
  const partner = await cast.partner();
  const publish = (type: string, data: unknown) =>
    service.post(`/partners/${partner}/events`, { type, data });
  await expectStatus(202, publish('order.placed', { items: [{ of: [{ of: [] }] }] }));
  await expectFault('/data/items/0/of/0', publish('order.placed', { items: [{ of: ['x'] }] }));
  expect((await stepsOf(document)).map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
  const log = succeed(await service.get('/audit-log?filter[action]=event_type.put'));
  expect(log.filter(({ details }: { details: object }) => 'imported' in details)).toHaveLength(2);
});

it('W75: the example in openapi.json can be imported', async () => {
  const { components } = (await service.get('/openapi.json')).body;
  const [{ document, ...more }] = components.schemas.ImportEventTypes.examples;
  expect(succeed(await ask(document, more))).toMatchObject({
    applied: false,
    types: [{ name: 'order.shipped', action: 'new', reason: null }],
  });
});

it('W75: what cannot be imported is refused with its reason, and the rest is applied', async () => {
  succeed(await put('price.set'));
  const partner = await cast.partner();
  for (let number = 0; number < 3; number++)
    succeed(
      await service.post(`/partners/${partner}/events`, {
        type: 'price.set',
        data: number === 1 ? { p: 1 } : {},
      }),
    );
  const document = openApi({
    'inventory.updated': webhook({}, {}),
    'Not A Name': webhook({}, {}),
    'a\0name': webhook({}, {}),
    'price.set': webhook({ required: ['p'] }, { p: 1 }),
    'a.pattern': webhook({ properties: { a: { pattern: '(?=a)' } } }, {}),
    'an.example': webhook({ required: ['a'] }, {}),
    'no.example': webhook({}),
    'a.reference': webhook({ $ref: 'https://elsewhere.example/schema.json' }, {}),
    'a.file': webhook({ properties: { a: { $ref: './a.json' } } }, {}),
    'a.gap': webhook({ $ref: '#/components/schemas/None' }, {}),
    'a.get': { get: {} },
    'a.nul': webhook({ const: 'a\0' }, 'a\0'),
    'fine.type': webhook({}, {}),
  });
  const { types, plan } = succeed(await ask(document));
  expect(Object.fromEntries(types.map(({ name, action, reason }: Step) => [name, reason ?? action]))).toEqual(
    {
      'inventory.updated': 'is built in',
      'Not A Name': expect.stringContaining('is no name'),
      'a\0name': expect.stringContaining('is no name'),
      'price.set': 'would refuse 2 of its last 3 events',
      'a.pattern': expect.stringContaining('/schema/properties/a/pattern: '),
      'an.example': expect.stringContaining('/example'),
      'no.example': expect.stringContaining('needs an example'),
      'a.reference': expect.stringContaining('https://elsewhere.example/schema.json'),
      'a.file': expect.stringContaining('must refer to the document itself'),
      'a.gap': expect.stringContaining('which the document does not have'),
      'a.get': expect.stringContaining('must have a POST'),
      'a.nul': expect.stringContaining('NUL'),
      'fine.type': 'new',
    },
  );
  succeed(await ask(document, { apply: true, plan }));
  await expectStatus(200, service.get('/event-types/fine.type'));
  await expectStatus(404, service.get('/event-types/an.example'));
  expect((await stored('price.set')).schema).toEqual({});
});

it('W75: what comes along under a name that the schema defines itself gets another name', async () => {
  const place = '/webhooks/two.items/post/requestBody/content/application~1json/schema';
  const document = openApi(
    {
      'two.items': webhook(
        {
          properties: {
            own: { $ref: `#${place}/$defs/Item` },
            shared: { $ref: '#/components/schemas/Item' },
          },
          $defs: { Item: { type: 'string' } },
        },
        { own: 'a', shared: 1 },
      ),
    },
    { schemas: { Item: { type: 'integer' } } },
  );
  const { plan, types } = succeed(await ask(document));
  expect(types).toEqual([{ name: 'two.items', action: 'new', reason: null }]);
  succeed(await ask(document, { apply: true, plan }));
  expect((await stored('two.items')).schema).toMatchObject({
    properties: { own: { $ref: '#/$defs/Item' }, shared: { $ref: '#/$defs/Item_2' } },
    $defs: { Item: { type: 'string' }, Item_2: { type: 'integer' } },
  });
});

it('W75: no type has the name of the operation that exports', async () => {
  await expectFault('/name', put('export'));
  expect(await stepsOf(openApi({ export: webhook({}, {}) }))).toEqual([
    { name: 'export', action: 'refused', reason: 'is the name of an operation' },
  ]);
});

it('W75: odd words, and references without an end, refuse their type only', async () => {
  const odd = { toString: 1, valueOf: 1 };
  const chain = Object.fromEntries(
    times(20_000, (n) => [`s${n}`, { $ref: `#/components/schemas/s${n + 1}` }]),
  );
  const document = openApi(
    {
      'odd.object': webhook({}, {}, { description: odd, summary: odd }),
      'odd.nul': webhook({}, {}, { description: 'a\0b' }),
      'odd.half': webhook({}, {}, { description: `${'x'.repeat(1_999)}\u{1f600}` }),
      'odd.chain': webhook({ properties: { a: { $ref: '#/components/schemas/s0' } } }, {}),
    },
    { schemas: { ...chain, s20000: {} } },
  );
  const { plan, types } = succeed(await ask(document));
  expect(types).toMatchObject([
    { name: 'odd.object', action: 'new' },
    { name: 'odd.nul', action: 'refused', reason: 'must not contain NUL or a lone surrogate' },
    { name: 'odd.half', action: 'new' },
    { name: 'odd.chain', action: 'refused' },
  ]);
  succeed(await ask(document, { apply: true, plan }));
  expect((await stored('odd.object')).description).toBe('');
  // The same document again changes nothing, with a byte order mark too.
  expect((await stepsOf(`\ufeff${JSON.stringify(document)}`)).map(({ action }) => action)).toEqual([
    ...['unchanged', 'refused', 'unchanged', 'refused'],
  ]);
  for (const [member, value] of Object.entries({ openapi: odd, asyncapi: odd }))
    await expectStatus(400, ask({ [member]: value }));
});

it('W75: a plan is not applied when a type or the document has changed, and of two imports at once one is', async () => {
  succeed(await put('raced.one'));
  const document = openApi({ 'raced.one': webhook({ type: 'object' }, {}), 'raced.two': webhook({}, {}) });
  const { plan } = succeed(await ask(document));
  succeed(await put('raced.one', { description: 'Another one' }));
  await expectCode('import_plan_changed', ask(document, { apply: true, plan }));
  await expectStatus(404, service.get('/event-types/raced.two'));
  const fresh = succeed(await ask(document)).plan;
  const other = openApi({ 'raced.one': webhook({ type: 'array' }, []), 'raced.two': webhook({}, {}) });
  await expectStatus(409, ask(other, { apply: true, plan: fresh }));
  const both = await Promise.all([
    ask(document, { apply: true, plan: fresh }),
    ask(document, { apply: true, plan: fresh }),
  ]);
  expect(statusesOf(both)).toEqual([200, 409]);
  expect((await stepsOf(document)).map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
  await expectStatus(403, service.post('/event-types/import', { document: '' }, (await cast.user()).token));
});

it('W75: AsyncAPI is read, by its operations that send or by its channels', async () => {
  const messages = {
    Placed: {
      name: 'async.placed',
      summary: 'Placed',
      payload: { $ref: '#/components/schemas/A' },
      examples: [{ payload: { a: 1 } }],
    },
    received: { payload: {}, examples: [{ payload: {} }] },
    'async.framed': {
      payload: { schemaFormat: 'application/schema+json;version=draft-07', schema: {} },
      examples: [{ payload: {} }],
    },
    'async.avro': { payload: { schemaFormat: 'application/vnd.apache.avro;version=1.9.0', schema: {} } },
  };
  const document = (operations?: object) => ({
    asyncapi: '3.0.0',
    info: { title: 't', version: '1' },
    channels: { c: { messages } },
    components: { schemas: { A: { properties: { a: { type: 'integer' } } } } },
    ...(operations && { operations }),
  });
  const channel = { $ref: '#/channels/c' };
  const sends = {
    one: { action: 'send', channel, messages: [{ $ref: '#/channels/c/messages/Placed' }] },
    two: { action: 'receive', channel },
  };
  expect(await stepsOf(document(sends))).toEqual([{ name: 'async.placed', action: 'new', reason: null }]);
  const all = await stepsOf(document());
  expect(all.map(({ name, action }) => [name, action])).toEqual([
    ['async.placed', 'new'],
    ['received', 'new'],
    ['async.framed', 'new'],
    ['async.avro', 'refused'],
  ]);
});

it('W75: an export is a valid document of the types that the caller sees, and its import changes nothing', async () => {
  const owner = await cast.partner();
  succeed(
    await put('export.tree', {
      schema: { type: 'object', additionalProperties: { $ref: '#' } },
      example: { a: {} },
    }),
  );
  succeed(
    await put('export.defs', {
      schema: { $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } },
      example: 3,
      description: '',
    }),
  );
  succeed(
    await put('export.own_id', {
      schema: { $id: 'https://own.example/a', $ref: '#/$defs/a', $defs: { a: {} } },
    }),
  );
  succeed(
    await put('export.inner_id', {
      schema: {
        properties: {
          a: { $id: 'https://own.example/b', properties: { c: { $ref: '#/$defs/d' } }, $defs: { d: {} } },
          e: { $ref: '#/properties/f' },
          f: {},
        },
      },
    }),
  );
  succeed(
    await put('export.odd_defs', {
      schema: {
        properties: { a: { $ref: '#/$defs/any' }, b: { $ref: '#/$defs/50%25~1two' } },
        $defs: { any: true, '50%/two': {} },
      },
    }),
  );
  succeed(await put('export.secret', { partner_ids: [owner] }));
  succeed(await put('export.archived', { archived: true }));
  for (const format of ['openapi', 'asyncapi']) {
    const document = succeed(await service.get(`${exportPath}${format}`));
    const steps = await stepsOf(document);
    expect(steps.filter(({ action }) => action !== 'unchanged')).toEqual([]);
    const names = steps.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['inventory.updated', 'export.tree', 'export.secret']));
    expect(names).not.toContain('export.archived');
    const stranger = await service.get(`${exportPath}${format}`, (await cast.user()).token);
    expect(stranger.text).toContain('export.tree');
    expect(stranger.text).not.toContain('export.secret');
    expect((await stepsOf(stringify(document))).every(({ action }) => action === 'unchanged')).toBe(true);
  }
  const openapi = succeed(await service.get(`${exportPath}openapi`));
  // Redocly reads references in a schema with an id as those of the document, and takes no such names in $defs.
  for (const name of ['own_id', 'inner_id', 'odd_defs'])
    for (const [part, dot] of [
      [openapi.webhooks, '.'],
      [openapi.components.schemas, '-'],
    ])
      delete part[`export${dot}${name}`];
  // Generators of types, such as openapi-typescript, do not follow references into a body.
  const references = [...JSON.stringify(openapi).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
  expect(references).toContain('#/components/schemas/export-defs/properties/data/$defs/a');
  expect(references.filter((to) => !to?.startsWith('#/components/schemas/'))).toEqual([]);
  const file = join(newScratchDir(), 'openapi.json');
  writeFileSync(file, JSON.stringify(openapi));
  const problems = await lint({ ref: file, config: await createConfig({ extends: ['spec'] }) });
  expect(problems.map(({ message, location }) => [message, location[0]?.pointer])).toEqual([]);
  const ajv = new Ajv({ strict: false, meta: false, validateSchema: false });
  formats.default(ajv);
  const validate = ajv.compile(asyncApiSpecs.schemas['3.0.0'] as AnySchema);
  const asyncapi = succeed(await service.get(`${exportPath}asyncapi`));
  expect(validate({ ...asyncapi, operations: { sendWebhook: {} } })).toBe(false);
  validate(asyncapi);
  expect(validate.errors).toBeNull();
});
