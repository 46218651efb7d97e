// The description at /openapi.json, as generators and readers use it.
import { beforeAll, expect, it } from 'vitest';
import { ServiceError } from '../../src/base/errors.ts';
import { builtInEventTypes } from '../../src/webhooks/catalogue/built-in.ts';
import { acl, createCast, expectStatus, may, pluck, times } from '../stage/cast.ts';
import { postForm } from '../stage/post-form.ts';
import { openService, startBeside, useService } from '../stage/start-service.ts';

type Operation = {
  operationId: string;
  description?: string;
  requestBody?: { content: object };
  responses: Record<string, { headers?: object; content?: object }>;
  parameters?: { name: string }[];
};

let description: {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, object>;
  components: {
    schemas: Record<string, { type?: string; examples?: object[]; required?: string[] }>;
    headers: Record<string, { description: string }>;
  };
};
const service = useService();
beforeAll(async () => {
  description = (await service.get('/openapi.json')).body;
});

it('W12: each start writes the built-in event types of its version', async () => {
  const open = { partner_ids: null, deprecated: null, archived_at: null };
  const all = builtInEventTypes.map((type) => ({ ...type, ...open }));
  expect((await service.get('/event-types')).body).toEqual(all);
  expect(Object.keys(description.webhooks)).toEqual(builtInEventTypes.map(({ name }) => name));
  await service.sql(`begin; set local concord.built_in = 'on';
    update event_type set description = 'of an older version' where name = 'partner.created'; commit`);
  await startBeside(service, {});
  expect((await service.get('/event-types')).body).toEqual(all);
  await service.sql(`alter table event_type disable trigger event_type_built_in`);
  await service.sql(`update event_type set built_in = false where name = 'partner.created'`);
  await expect(startBeside(service, {})).rejects.toThrow('partner.created, and an operator has added');
});

it('E2: each operation of the contract lists its statuses, and every operation has a default response', () => {
  const statusesOf = (path: string, method: string) =>
    Object.keys(description.paths[path]![method]!.responses).join(' ');
  expect(statusesOf('/partners/{id}', 'get')).toBe('200 304 404 default');
  expect(statusesOf('/partners/{id}', 'patch')).toBe('200 404 default');
  expect(statusesOf('/partners/{id}', 'delete')).toBe('204 404 default');
  expect(statusesOf('/partners/{id}/agreements', 'get')).toBe('200 default');
  expect(statusesOf('/partners/{id}/agreements', 'post')).toBe('201 400 404 default');
  expect(statusesOf('/partners/{id}/agreements/{agreement_id}', 'get')).toBe('200 304 404 default');
  expect(statusesOf('/partners/{id}/agreements/{agreement_id}', 'patch')).toBe('200 400 404 default');
  expect(statusesOf('/partners/{id}/agreements/{agreement_id}', 'delete')).toBe('204 400 404 default');
  const account = '200 400 401 403 404 429 500 default';
  expect(statusesOf('/api/auth/list-accounts', 'get')).toBe(account);
  expect(statusesOf('/api/auth/two-factor/generate-backup-codes', 'post')).toBe(account);
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ responses }) => !responses.default)).toEqual([]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

it('E1, F9: a fault of a form has the members that the description names, which are those of RFC 6749', async () => {
  const forms = Object.entries(description.paths).flatMap(([path, { post }]) => {
    const type = 'application/x-www-form-urlencoded';
    return Object.keys(post?.requestBody?.content ?? {}).includes(type) ? [[path, post!] as const] : [];
  });
  expect(forms).toHaveLength(4);
  const { required } = description.components.schemas.OauthError!;
  for (const [path, { responses }] of forms) {
    expect(responses[400]).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/OauthError' } } },
    });
    // Each member twice.
    const twice = ['client_id', 'token', 'logout_token'].flatMap((name) => [
      [name, 'a'],
      [name, 'b'],
    ]);
    const { status, body } = await postForm(service, path.replace('{connection_id}', 'idc_0'), twice);
    expect([status, body.error, Object.keys(body).toSorted()]).toEqual([
      400,
      'invalid_request',
      required!.toSorted(),
    ]);
  }
  const { body } = await postForm(service, '/oauth/token', [['other', 'x']]);
  const all = ['grant_type', 'client_id'].map((name) => `${name} is required`).join('; ');
  expect([body.message, body.error_description]).toEqual([`${all}.`, `${all}.`]);
});

it('C1, C2, Q2: each operation describes the headers that a client can send or read', async () => {
  const operation = description.paths['/partners/{id}/agreements/{agreement_id}/resend']!.post!;
  expect(operation.parameters!.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['idempotency-key', 'if-match']),
  );
  expect(Object.keys(operation.responses[200]!.headers!)).toEqual(
    expect.arrayContaining(['ETag', 'Idempotent-Replayed']),
  );
  const list = description.paths['/partners']!.get!;
  expect(Object.keys(list.responses[200]!.headers!)).toEqual(expect.arrayContaining(['Link', 'Total-Count']));
  const id = await createCast(service).partner();
  const headersOf = (path: string, method: string, status: number) =>
    Object.keys(description.paths[path]![method]!.responses[status]!.headers!).map((name) =>
      name.toLowerCase(),
    );
  for (const [path, body, status, hasLocation] of [
    ['/partners', { name: 'Nordlys' }, 201, true],
    ['/partners/{id}/deliveries/replay', { status: 'failed' }, 202, true],
    ['/me/access-tokens', { name: 'Nightly', scopes: [] }, 201, false],
  ] as const) {
    const answer = await service.post(path.replace('{id}', id), body);
    expect([answer.status, 'location' in answer.headers]).toEqual([status, hasLocation]);
    expect(headersOf(path, 'post', status).includes('location')).toBe(hasLocation);
  }
  const paths = Object.keys(description.paths).filter((path) => !path.replace('{id}', '').includes('{'));
  const lists = paths.filter((path) =>
    description.paths[path]!.get?.parameters?.some(({ name }) => name === 'page_size'),
  );
  expect(lists).toContain('/partners/{id}/events');
  for (const path of lists) {
    const { headers } = await service.get(path.replace('{id}', id));
    expect(headersOf(path, 'get', 200).includes('total-count'), path).toEqual('total-count' in headers);
  }
});

it('F9, L7: headers of redirects, downloads and other answers are described as they are sent', async () => {
  const responsesOf = (path: string, method = 'get') => description.paths[path]![method]!.responses;
  const namesIn = (path: string, status: number | string) => Object.keys(responsesOf(path)[status]!.headers!);
  for (const path of ['/api/auth/callback/{provider}', '/api/auth/connections/{connection_id}/callback']) {
    expect(namesIn(path, 303)).toContain('Location');
    expect(namesIn(path, 200)).not.toContain('Location');
  }
  expect((await service.get('/me/export')).headers['content-disposition']).toMatch(/^attachment; /);
  for (const path of ['/me/export', '/partners/{id}/access-reviews/{review_id}/document'])
    expect(namesIn(path, 200)).toContain('Content-Disposition');
  expect((await service.request('PUT', '/me')).headers.allow).toBe('GET, HEAD, PATCH');
  expect(namesIn('/me', 'default')).toContain('Allow');
  const limited = await openService({ CONCORD_RATE_LIMIT: '100/10s' });
  const { headers } = await fetch(`${limited.url}/openapi.json`);
  for (const [name, sent] of [
    ['RateLimit-Policy', headers.get('ratelimit-policy')],
    ['RateLimit', headers.get('ratelimit')],
  ] as const)
    expect(description.components.headers[name]!.description).toContain(`\`${sent}\``);
});

it('E6: an unknown filter gets 400 with the names of the known filters; other unknown parameters are ignored', async () => {
  const { status, body } = await service.get('/partners?filter[nmae]=x');
  expect(status).toBe(400);
  expect(body.message).toBe(
    'filter[nmae] is not a filter of this list; its filters are filter[name], filter[vat_no].',
  );
  expect(body.errors).toEqual([
    { pointer: '/filter[nmae]', code: 'unknown_member', message: expect.stringContaining('filter[vat_no]') },
  ]);
  for (const name of ['filter[nameX', 'filter[name)', 'filter[']) {
    expect((await service.get(`/partners?${name}=x`)).status, name).toBe(400);
  }
  await expectStatus(200, service.get('/partners?nmae=x'));
  const partner = await createCast(service).partner();
  for (const path of [
    '/me/access-tokens?',
    '/acl-resources?',
    '/api/auth/list-accounts?',
    `/partners/${partner}/grantors?permission=partner.get&`,
  ])
    expect((await service.get(`${path}filter[name]=x`)).body.message, path).toBe(
      'filter[name] is not a filter of this list; this list has no filters.',
    );
});

it('E1: a message names what is wrong and what is allowed', async () => {
  const messageOf = async (method: string, path: string, body?: unknown) =>
    (await service.request(method, path, { body })).body.message;
  for (const size of ['0', '1001', '01', '1.0', 'x'])
    expect(await messageOf('GET', `/partners?page_size=${size}`)).toMatch(
      /^page_size must be (an integer )?between 1 and 1000\.$/,
    );
  expect(await messageOf('GET', '/partners?sort_dir=up')).toBe('sort_dir must be one of asc, desc.');
  expect(await messageOf('POST', '/partners', { nickname: 5 })).toMatch(
    /^name is required; `errors` lists 1 more\.$/,
  );
  expect(await messageOf('POST', '/partners', { name: 'x'.repeat(256) })).toBe(
    'name must have at most 255 characters.',
  );
  const ban = '/users/usr_01h2xcejqtf2nbrexx3vqjhp41/ban';
  expect(await messageOf('POST', ban, { expires_at: '2040-12-31T23:59:60Z' })).toBe(
    'expires_at must be a time between the years 1 and 9999, and no leap second.',
  );
  for (const offset of ['', '+02', '+0200'])
    expect(await messageOf('POST', ban, { expires_at: `2040-12-31T08:00:00${offset}` })).toBe(
      'expires_at must be an RFC 3339 time, such as 2026-01-31T08:00:00Z.',
    );
});

it('E1: a message names the member that has a wrong name, and how many members an object can have', async () => {
  const { body: partner } = await service.post('/partners', { name: 'Members' });
  const faultsOf = async (headers: object) => {
    const path = `/partners/${partner.id}/webhook-endpoints`;
    return (await service.post(path, { url: 'https://hooks.example.com', headers })).body.errors;
  };
  const code = 'invalid_value';
  const form = "letters, digits and !#$%&'*+.^_`|~- (100 at most)";
  expect(await faultsOf({ 'a b': 'x' })).toEqual([
    { pointer: '/headers/a b', code, message: `a b must be a name of ${form}` },
  ]);
  expect(await faultsOf({ a: 'ü' })).toEqual([
    { pointer: '/headers/a', code, message: 'a must be printable ASCII' },
  ]);
  expect(await faultsOf(Object.fromEntries(times(21, (i) => [`h${i}`, ''])))).toEqual([
    { pointer: '/headers', code, message: 'headers must have at most 20 members' },
  ]);
  const unnamed = await service.post('/partners', { name: 'x', '': 1 });
  expect(unnamed.body.message).toMatch(/^"" is not a member here; known are name, /);
  const short = await service.post(`/partners/${partner.id}/acl-permission-groups`, {
    name: '',
    acl_permissions: [],
  });
  expect(short.body.message).toBe('name must have at least 1 character.');
});

it('E1: each pattern of a request is described in words, for the message of its fault', () => {
  const named = new Set<string>();
  const patterns: unknown[] = [];
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    const { pattern, $ref } = value as Record<string, unknown>;
    if (typeof pattern === 'string' && !('x-form' in value)) patterns.push(value);
    const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined;
    if (name !== undefined && !named.has(name)) {
      named.add(name);
      walk(description.components.schemas[name]);
    }
    for (const part of Object.values(value)) walk(part);
  };
  // A fault of an Idempotency-Key has a message of its own.
  for (const operation of Object.values(description.paths).flatMap((methods) => Object.values(methods)))
    walk([operation.requestBody, operation.parameters?.filter(({ name }) => name !== 'idempotency-key')]);
  expect(named.size).toBeGreaterThan(50);
  expect(patterns).toEqual([]);
});

it('E1: an answer lists at most twenty errors of a body', async () => {
  const headers = { ['a'.repeat(50_000)]: Array(10_000).fill(0) };
  const { status, body } = await service.post('/webhook-debug/verify', {
    method: 'POST',
    url: 'http://x',
    body: '',
    headers,
  });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  const known = { method: 'POST', url: 'http://x', body: '', headers: { a: Array(50_000).fill(0) } };
  const many = await service.post('/webhook-debug/verify', known);
  expect(many.body.errors.length).toBeLessThanOrEqual(20);
  expect(many.text.length).toBeLessThan(20_000);
});

it('every schema of a resource or a body has an example', () => {
  // A separate check validates the examples against their schemas.
  const used = [...JSON.stringify(description.paths).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name!,
  );
  const without = [...new Set(used)].filter(
    (name) => (description.components.schemas[name]!.examples ?? []).length === 0,
  );
  expect(without).toEqual([]);
});

it('the example of a body has no `expires_at` that passes within years: who sends it later gets no error, and ends nothing', () => {
  const bodies = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ requestBody }) => JSON.stringify(requestBody ?? ''))
    .flatMap((body) => [...body.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!));
  const ends = [...new Set(bodies)].flatMap((name) =>
    (description.components.schemas[name]!.examples ?? []).flatMap((example) =>
      'expires_at' in example ? { name, expires_at: example.expires_at } : [],
    ),
  );
  expect(ends.length).toBeGreaterThan(3);
  expect(ends.filter(({ expires_at }) => expires_at !== null && String(expires_at) < '2036')).toEqual([]);
});

it('F9: the description names the base URL, one media type for a body, and what each operation and tag is for', async () => {
  const other = await openService({ CONCORD_BASE_URL: 'https://concord.example.com' });
  const { servers, tags } = (await other.request('GET', '/openapi.json')).body;
  expect(servers).toEqual([expect.objectContaining({ url: 'https://concord.example.com' })]);
  expect(tags.every(({ description: about }: { description: string }) => about.length > 10)).toBe(true);
  const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods));
  expect(
    operations.filter((operation) => !operation.description).map(({ operationId }) => operationId),
  ).toEqual([]);
  const isForm = (path: string) => path.startsWith('/oauth/') || path.endsWith('/backchannel-logout');
  for (const [path, methods] of Object.entries(description.paths))
    for (const { requestBody } of Object.values(methods)) {
      const type = isForm(path) ? 'application/x-www-form-urlencoded' : 'application/json';
      if (requestBody) expect(Object.keys(requestBody.content)).toEqual([type]);
    }
  // Both types are taken, whatever is published.
  const partner = await createCast(service).partner();
  for (const type of ['application/json', 'application/merge-patch+json']) {
    const headers = { 'content-type': type };
    await expectStatus(
      200,
      service.request('PATCH', `/partners/${partner}`, { headers, body: { website: type } }),
    );
  }
});

it('F9: no enum has booleans, which generators for Java do not compile', async () => {
  for (const path of ['/openapi.json', '/openapi-3.0.json'])
    expect((await service.get(path)).text.match(/"(?:enum|const)":\[?(?:true|false)/g)).toBeNull();
});

it('F10: /openapi-3.0.json has the same operations and schemas, in words of 3.0.3', async () => {
  const { status, body } = await service.get('/openapi-3.0.json', null);
  expect([status, body.openapi, body.webhooks]).toEqual([200, '3.0.3', undefined]);
  const idsOf = ({ paths }: typeof description) =>
    Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(idsOf(body)).toEqual(idsOf(description));
  expect(Object.keys(body.components.schemas)).toEqual(Object.keys(description.components.schemas));
  expect(body.components.schemas.Partner.properties.phone).toEqual({ type: 'string', nullable: true });
  expect(body.components.schemas.Jwk.properties.kty).toEqual({ type: 'string', enum: ['EC'] });
  const words =
    'const|propertyNames|patternProperties|prefixItems|contains|contentEncoding|contentMediaType|\\$comment';
  expect(JSON.stringify(body)).not.toMatch(
    new RegExp(`"type":\\[|"type":"null"|"(?:${words})":|"exclusiveM\\w+":\\d|"\\$ref":"[^"]*",`),
  );
  expect(Object.keys(body.paths['/partners/{id}'].get.responses)).toEqual([
    '200',
    '304',
    '404',
    '4XX',
    '5XX',
  ]);
  // Some generators read one schema for all errors.
  expect(Object.keys(body.paths['/oauth/token'].post.responses)).toEqual(['200', '400']);
});

it('E1, F11: invalid_request always has errors, also in sign-in and for headers', async () => {
  const pointersOf = async (method: string, path: string, options: object) => {
    const { status, body } = await service.request(method, path, options);
    return [status, body.code, body.errors && pluck(body.errors, 'pointer')];
  };
  const long = { 'idempotency-key': 'x'.repeat(300) };
  expect(await pointersOf('POST', '/partners', { headers: long, body: { name: 'x' } })).toEqual([
    400,
    'invalid_request',
    ['/idempotency-key'],
  ]);
  expect(await pointersOf('GET', '/invitations/agr_unknown', { token: null })).toEqual([
    400,
    'invalid_request',
    ['/invitation-token'],
  ]);
  for (const email of ['not an address', 'x'.repeat(200), 'a@b'])
    for (const path of [
      'sign-in/email',
      'sign-up/email',
      'request-password-reset',
      'send-verification-email',
    ]) {
      const body = {
        email,
        ...(path.startsWith('sign') && { password: 'a-long-password' }),
        ...(path.startsWith('sign-up') && { name: 'A' }),
      };
      const [status, code, pointers] = await pointersOf('POST', `/api/auth/${path}`, { token: null, body });
      if (code === 'invalid_request') expect([path, email, pointers]).toEqual([path, email, ['/email']]);
      expect(status, `${path} ${email}`).not.toBe(500);
    }
  const whole = new ServiceError('invalid_request', { detail: 'Too late.' });
  expect(whole.faults).toEqual([{ pointer: '', code: 'invalid_value', message: 'Too late.' }]);
  expect(new ServiceError('invalid_request').message).toMatch(/[^.]\.$/);
  expect(new ServiceError('not_found').faults).toEqual([]);
});

it('E5: a 403 to a member names the missing permission; a 404 to a stranger names nothing', async () => {
  const cast = createCast(service);
  const partner = await cast.partner();
  const member = await cast.member(partner, may('partner', 'get'));
  const stranger = await cast.user();
  const program = await cast.accessToken(member, [acl('events')]);
  const messageOf = async (method: string, path: string, token: string) =>
    (await service.request(method, `/partners/${partner}${path}`, { token, body: {} })).body.message;
  expect(await messageOf('PATCH', '', member.token)).toBe('You need the permission partner.patch.');
  expect(await messageOf('GET', '/deliveries', member.token)).toBe(
    'You need the permission deliveries.query.',
  );
  expect(await messageOf('GET', '/service-accounts', member.token)).toBe(
    'You need to be an owner of the partner, or an operator.',
  );
  expect(await messageOf('GET', '', program)).toBe(
    'This access token is not sufficient: you need the permission partner.get.',
  );
  expect(await messageOf('PATCH', '', stranger.token)).toBe('Not found.');
});
