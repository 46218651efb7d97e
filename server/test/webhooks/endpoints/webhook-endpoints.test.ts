// Webhook endpoints and event types, over HTTP.

import { beforeAll, describe, expect, it } from 'vitest';
import { isReserved } from '../../../src/webhooks/catalogue/built-in.ts';
import {
  codeOf,
  expectFault,
  expectStatus,
  type Player,
  pluck,
  succeed,
  times,
  useCast,
} from '../../stage/cast.ts';
import { documented } from '../../stage/documented.ts';

let partner: string;
let owner: Player;
const { service, cast } = useCast({ CONCORD_WEBHOOK_ALLOWED_CIDRS: '10.1.0.0/16' });
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

const url = 'https://hooks.example.com/concord';
const path = (id = '', at = partner) => `/partners/${at}/webhook-endpoints${id && `/${id}`}`;
const send = (method: string, to: string, body?: unknown, headers = {}) =>
  service.request(method, to, { token: owner.token, headers, body });
const create = async (body: object = {}) => succeed(await send('POST', path(), { url, ...body }));

describe('endpoints', () => {
  it('W8: a URL is enough to create an endpoint, and the answer has its location', async () => {
    const { status, body, headers } = await send('POST', path(), { url });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      url,
      description: null,
      event_types: null,
      filter: null,
      environment: 'live',
      listener: false,
      signing_secret: null,
      ordering: 'none',
      max_concurrency: 8,
      rate_limit_per_second: null,
      retry_schedule: null,
      timeout_seconds: null,
      disable_after_hours: null,
      payload: 'full',
      checkpoint_minutes: null,
      batch: null,
      header_names: [],
      authentication: null,
      client_certificate: null,
      status: 'active',
      disabled_reason: null,
      check: { status: 'none', checked_at: null, blocks_deliveries: false },
      created_at: body.created_at,
      updated_at: body.created_at,
    });
    expect(headers.location).toBe(path(body.id));
    const read = await send('GET', path(body.id));
    expect([read.body, read.headers.etag]).toEqual([body, headers.etag]);
    await expectStatus(404, send('GET', path(body.id, await cast.partner())));
  });

  it('W8, F2: each member can be set and changed; what is so already changes nothing, and null clears a member', async () => {
    const all = {
      description: 'd',
      event_types: ['order.status_changed'],
      ordering: 'strict',
      max_concurrency: 2,
      rate_limit_per_second: 5,
      retry_schedule: [],
      timeout_seconds: 30,
      disable_after_hours: 1,
      payload: 'thin',
      checkpoint_minutes: 1_440,
      headers: { 'X-Key': 'a secret value', Authorization: 'Bearer x' },
    };
    const made = await create({ ...all, environment: 'sandbox' });
    const { headers, ...shown } = all;
    expect(made).toMatchObject({ ...shown, environment: 'sandbox', header_names: Object.keys(headers) });
    expect((await send('PATCH', path(made.id), {})).body).toEqual(made);
    const changed = await send('PATCH', path(made.id), {
      event_types: null,
      rate_limit_per_second: null,
      retry_schedule: null,
      headers: null,
      url: `${url}2`,
    });
    expect(changed.body).toMatchObject({
      event_types: null,
      rate_limit_per_second: null,
      header_names: [],
      url: `${url}2`,
      ordering: 'strict',
    });
    expect(changed.body.updated_at > made.updated_at).toBe(true);
    for (const same of [{ headers: null }, { headers: {} }, { url: `${url}2`, event_types: null }])
      expect((await send('PATCH', path(made.id), same)).body).toEqual(changed.body);
    await expectStatus(400, send('PATCH', path(made.id), { environment: 'live' }));
    await expectStatus(412, send('PATCH', path(made.id), {}, { 'if-match': '"other"' }));
  });

  it('W8: header values are sealed: they do not appear in answers, the log or the database', async () => {
    const { id } = await create({ headers: { 'X-Key': 'a very secret value' } });
    const answers = [await send('GET', path(id)), await send('GET', path())];
    const rows = await service.sql(
      `select encode(sealed_headers, 'escape') as text from webhook_endpoint where sealed_headers is not null`,
    );
    const log = await service.sql('select * from audit_log');
    for (const text of [
      ...answers.map(({ text }) => text),
      JSON.stringify(rows),
      JSON.stringify(log),
      service.logs.join(),
    ])
      expect(text).not.toContain('a very secret value');
  });

  it('W8, W21, F5: invalid values are 400, and the answer names each', async () => {
    const wrong: [object, string][] = [
      [{ url: undefined }, '/url'],
      ...[
        'http://x.example/',
        'https://127.0.0.1/',
        'https://[::1]/',
        'https://a:b@x.example/',
        'https://x.example/#',
        'nonsense',
        'https://a.example/\0',
        '',
      ].map((each): [object, string] => [{ url: each }, '/url']),
      [{ event_types: ['unknown.type'] }, '/event_types'],
      [{ event_types: 'order.status_changed' }, '/event_types'],
      [{ event_types: ['a\0'] }, '/event_types'],
      [{ description: '\0' }, '/description'],
      [{ environment: 'test' }, '/environment'],
      [{ ordering: null }, '/ordering'],
      [{ max_concurrency: 0 }, '/max_concurrency'],
      [{ max_concurrency: 65 }, '/max_concurrency'],
      [{ rate_limit_per_second: 0.5 }, '/rate_limit_per_second'],
      [{ retry_schedule: Array(21).fill(1) }, '/retry_schedule'],
      [{ retry_schedule: [604_800, 1] }, '/retry_schedule'],
      [{ retry_schedule: [0] }, '/retry_schedule/0'],
      [{ timeout_seconds: 31 }, '/timeout_seconds'],
      [{ timeout_seconds: 0 }, '/timeout_seconds'],
      [{ disable_after_hours: 721 }, '/disable_after_hours'],
      [{ checkpoint_minutes: 0 }, '/checkpoint_minutes'],
      [{ checkpoint_minutes: 1_441 }, '/checkpoint_minutes'],
      ...[
        'Host',
        'content-type',
        'Webhook-Id',
        'SIGNATURE',
        'signature-input',
        'Transfer-Encoding',
        'proxy-authorization',
        'User-Agent',
      ].map((name): [object, string] => [{ headers: { [name]: 'x' } }, '/headers']),
      [{ headers: { 'X-A': 'x', 'x-a': 'y' } }, '/headers'],
      [{ headers: { 'x-a': 'line\r\nbreak: x' } }, '/headers'],
      [{ headers: { 'x a': 'y' } }, '/headers'],
      [{ headers: { 'x-a': 'é' } }, '/headers'],
      [{ status: 'paused' }, '/status'],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await send('POST', path(), { url, ...body });
      expect([body, answer.status, answer.body.errors?.[0]?.pointer.slice(0, pointer.length)]).toEqual([
        body,
        400,
        pointer,
      ]);
    }
    await expectStatus(201, send('POST', path(), { url: 'https://10.1.2.3/' }));
  });

  it('W25: a URL of another origin needs the headers again, so that nobody can send them to their own receiver', async () => {
    const secret = { Authorization: 'Bearer x' };
    const made = await create({ headers: secret });
    const patch = (body: object) => send('PATCH', path(made.id), body);
    for (const other of [
      'https://evil.example/concord',
      'https://hooks.example.com:8443/concord',
      'https://hooks.example.com./concord',
    ]) {
      const refused = await patch({ url: other, description: 'x' });
      expect([refused.status, refused.body.code, refused.body.errors]).toMatchObject([
        400,
        'headers_required',
        [{ pointer: '/headers', code: 'required' }],
      ]);
    }
    expect((await send('GET', path(made.id))).body).toEqual(made);
    // Another path or query of the same origin, in another spelling, and the same URL.
    for (const same of ['HTTPS://HOOKS.example.com:443/other?x', url])
      expect((await patch({ url: same })).body.header_names).toEqual(['Authorization']);
    expect((await patch({ url: 'https://a.example/', headers: secret })).body.header_names).toEqual([
      'Authorization',
    ]);
    expect((await patch({ url: 'https://b.example/', headers: {} })).body.header_names).toEqual([]);
    await expectStatus(200, patch({ url: 'https://c.example/' }));
    await patch({ headers: secret });
    expect((await patch({ url: 'https://d.example/', headers: null })).body).toMatchObject({
      url: 'https://d.example/',
      header_names: [],
    });
  });

  it('W25: of a new URL and new headers at the same time, the URL comes first or is refused', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await create();
      const [toUrl, toHeaders] = await Promise.all([
        send('PATCH', path(id), { url: 'https://evil.example/' }),
        send('PATCH', path(id), { headers: { Authorization: 'Bearer x' } }),
      ]);
      const { body } = await send('GET', path(id));
      expect([toHeaders.status, body.header_names]).toEqual([200, ['Authorization']]);
      // The caller who sends the headers sees in the answer where they go.
      if (toUrl.status === 200) expect(toHeaders.body.url).toBe('https://evil.example/');
      else expect([toUrl.body.code, body.url]).toEqual(['headers_required', url]);
    }
  });

  it('W8: an endpoint can be paused and resumed; repeating either changes nothing', async () => {
    const { id, updated_at } = await create();
    const paused = await send('POST', `${path(id)}/pause`, undefined, { 'idempotency-key': 'p' });
    expect([paused.status, paused.body.status]).toEqual([200, 'paused']);
    expect(
      (await send('POST', `${path(id)}/pause`, undefined, { 'idempotency-key': 'p' })).headers[
        'idempotent-replayed'
      ],
    ).toBe('true');
    expect((await send('POST', `${path(id)}/pause`)).body).toEqual(paused.body);
    const resumed = await send('POST', `${path(id)}/resume`);
    expect([resumed.body.status, resumed.body.updated_at > updated_at]).toEqual(['active', true]);
    await service.sql(
      `update webhook_endpoint set status = 'disabled', disabled_at = now(), disabled_reason = 'gone'`,
    );
    expect((await send('POST', `${path(id)}/resume`)).body).toMatchObject({
      status: 'active',
      disabled_reason: null,
    });
  });

  it('Q1, W8: the list filters and counts endpoints; a partner has at most 100; a deleted endpoint is 404', async () => {
    const at = await cast.partner();
    const make = (body: object = {}) => service.post(path('', at), { url, ...body });
    for (let i = 0; i < 99; i++) await make();
    const answers = await Promise.all([make({ environment: 'sandbox' }), make({ environment: 'sandbox' })]);
    expect(answers.map(({ status, body }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      [400, 'limit_reached'],
    ]);
    const list = (query: string) => service.get(path('', at) + query);
    const sandbox = await list('?filter[environment]=sandbox');
    expect([sandbox.body.length, sandbox.headers['total-count']]).toEqual([1, '1']);
    await expectStatus(400, list('?filter[status]=other'));
    const page = await list('?page_size=60&sort_by=created_at&sort_dir=desc');
    expect([page.body.length, page.headers['total-count'], page.body[0].id]).toEqual([
      60,
      '100',
      sandbox.body[0].id,
    ]);
    const id = page.body[0].id;
    await expectStatus(204, service.remove(path(id, at)));
    await expectStatus(404, service.remove(path(id, at)));
  });

  it('U1: changes to endpoints are in the audit log', async () => {
    const { id } = await create();
    await send('PATCH', path(id), { description: 'x' });
    await send('POST', `${path(id)}/pause`);
    await send('DELETE', path(id));
    const rows = await service.sql(
      'select action, details, changes from audit_log where target = $1 order by position',
      [id],
    );
    const change = (before: string | null, after: string | null) => ({ before, after });
    const created = { environment: change(null, 'live'), url_origin: change(null, new URL(url).origin) };
    expect(rows).toMatchObject([
      { action: 'webhook_endpoint.create', details: {}, changes: created },
      { action: 'webhook_endpoint.update', changes: { description: change(null, 'x') } },
      { action: 'webhook_endpoint.pause', changes: { status: change('active', 'paused') } },
      { action: 'webhook_endpoint.delete', changes: { status: change('paused', null) } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('"url"');
  });
});

describe('event types', () => {
  it('W12: the event types that the rule names exist at first, and each example matches its schema', async () => {
    const { body } = await send('GET', '/event-types');
    const types = body.filter(({ name }: { name: string }) => !isReserved(name));
    expect(pluck(types, 'name')).toEqual(
      documented('behaviour/webhooks-endpoints-events.md', /\*\*W12\*\* The event types (.*) are built in/),
    );
    // The data of an event is checked against the schema.
    for (const { name: type, example: data } of types)
      await expectStatus(202, service.post(`/partners/${partner}/events`, { type, data }));
  });

  it('W12: operators can add and change event types; an invalid schema or an example that does not match is 400', async () => {
    const put = (name: string, body: object) =>
      service.put(`/event-types/${name}`, { description: 'd', schema: {}, example: {}, ...body });
    const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    await expectStatus(200, put('a.b', { schema, example: { n: 1 } }));
    expect((await put('a.b', { schema, example: { n: 2 } })).body.example).toEqual({ n: 2 });
    expect(pluck((await send('GET', '/event-types')).body, 'name')).toContain('a.b');
    await expectFault('/example/n', put('a.b', { schema, example: { n: 'x' } }));
    await expectFault('/schema', put('a.b', { schema: { type: 'nothing' } }));
    await expectStatus(400, put('a.b', { schema: { $ref: 'https://elsewhere.example/schema' } }));
    // A schema that accepts everything, text that cannot be stored, and a number that would be stored as
    // another value.
    expect(
      (await put('a.b', { schema: { $async: true, type: 'object' }, example: 5 })).body.errors[0].pointer,
    ).toBe('/schema');
    for (const member of ['schema', 'example'])
      for (const text of ['\0', '\ud800'])
        expect((await put('a.b', { [member]: { description: text } })).body.errors[0].pointer).toBe(
          `/${member}`,
        );
    const infinite =
      '{"description":"d","schema":{"properties":{"n":{"type":"number"}}},"example":{"n":1e400}}';
    await expectFault('/example/n', service.put('/event-types/a.b', infinite));
    for (const name of ['A.b', 'a..b', '.a', 'a-b', 'x'.repeat(101)]) await expectStatus(400, put(name, {}));
    expect(succeed(await send('POST', path(), { url, event_types: ['a.b'] })).event_types).toEqual(['a.b']);
  });

  it('W26: a built-in event type cannot be replaced, not even in the database', async () => {
    const { body: before } = await send('GET', '/event-types');
    const type = { description: 'd', schema: {}, example: {} };
    for (const [name, query] of [
      ['inventory.updated', ''],
      ['order.status_changed', '?force=true'],
    ] as const) {
      const refused = await service.put(`/event-types/${name}${query}`, type);
      expect(codeOf(refused)).toEqual([400, 'event_type_built_in']);
    }
    for (const change of [`update event_type set schema = '{}'`, 'delete from event_type'])
      await expect(service.sql(`${change} where name = 'inventory.updated'`)).rejects.toThrow('is built in');
    expect((await send('GET', '/event-types')).body).toEqual(before);
  });

  it('W26: a schema that refuses any of the last 1,000 events of its type needs force', async () => {
    const put = (properties: object, example: object, query = '') =>
      service.put(`/event-types/c.d${query}`, {
        description: 'd',
        schema: { type: 'object', properties },
        example,
      });
    const publish = (count: number, data: object) =>
      service.post(
        `/partners/${partner}/events/batch`,
        times(count, () => ({ type: 'c.d', data })),
      );
    await expectStatus(200, put({}, {}));
    await publish(1, { n: 'text' });
    const { body: refusable } = await publish(2, { n: 'other text' });
    for (let round = 0; round < 2; round++) await expectStatus(202, publish(499, { n: 1 }));
    const ids = pluck(refusable, 'id');
    const integer = { n: { type: 'integer' } };
    const refused = await put(integer, { n: 1 });
    expect([refused.status, refused.body]).toMatchObject([
      400,
      {
        code: 'event_type_refuses_events',
        message:
          'The new schema refuses 2 of the last 1000 events of this type. Send ?force=true to change the type anyway.',
        errors: [
          {
            pointer: '/schema',
            code: 'invalid_value',
            message: expect.stringMatching(
              new RegExp(`^schema refuses (${ids.join('|')}): n must be an integer$`),
            ),
          },
        ],
      },
    ]);
    // Only the schema matters: the same schema with another example is no change for the events.
    await expectStatus(200, put({}, { n: 'x' }));
    expect(
      (await send('GET', '/event-types')).body.find(({ name }: { name: string }) => name === 'c.d').schema
        .properties,
    ).toEqual({});
    await publish(2, { n: 2 });
    expect((await put(integer, { n: 1 })).body).toMatchObject({ schema: { properties: integer } });
    expect((await put({ n: { type: 'boolean' } }, { n: true })).body.message).toContain(
      '1000 of the last 1000',
    );
    await expectStatus(200, put({ n: { type: 'boolean' } }, { n: true }, '?force=true'));
    await expectStatus(400, publish(1, { n: 1 }));
  });
});
