// Rules for every path: the error form, the order of checks, and versions.
import { beforeAll, describe, expect, it } from 'vitest';
import { expectCode, expectStatus } from '../stage/cast.ts';
import { postForm } from '../stage/post-form.ts';
import { useService } from '../stage/start-service.ts';

let partnerId: string;
const service = useService();
beforeAll(async () => {
  partnerId = (await service.post('/partners', { name: 'Acme' })).body.id;
});

describe('errors', () => {
  it('E2: a method that a known path does not support is 405 with Allow', async () => {
    for (const [method, path, allow] of [
      ['PUT', `/partners/${partnerId}`, 'DELETE, GET, HEAD, PATCH'],
      ['DELETE', '/partners', 'GET, HEAD, POST'],
      ['OPTIONS', '/partners', 'GET, HEAD, POST'],
      ['TRACE', '/health/live', 'GET, HEAD'],
      ['PROPFIND', '/partners', 'GET, HEAD, POST'],
      ['GET', '/api/auth/sign-in/email', 'POST'],
      ['POST', '/openapi.json', 'GET, HEAD'],
      ['POST', '/openapi-3.0.json', 'GET, HEAD'],
      ['GET', '/users/x', 'DELETE'],
      ['POST', '/docs/static/', 'GET, HEAD'],
    ] as const) {
      const { status, headers } = await service.request(method, path, { token: null });
      expect([status, headers.allow]).toEqual([405, allow]);
    }
  });

  it('E3: an unknown path is 404 with or without a token', async () => {
    for (const token of [null, 'garbled', service.operatorToken]) {
      for (const path of [
        '/',
        '/nowhere',
        `/partners/${partnerId}/x`,
        '/api/auth/admin/list-users',
        '/api/auth/get-session',
        '/users/',
        '//partners',
        '/%',
        '/partners/a/b%2Fc',
      ]) {
        for (const method of ['GET', 'POST', 'PURGE'])
          await expectStatus(404, service.request(method, path, { token }));
      }
    }
  });

  it('E3: an unknown path is 404 even if the request has other errors', async () => {
    for (const body of ['{', 'x'.repeat(70_000)]) {
      await expectStatus(
        404,
        service.request('POST', '/nowhere', { token: null, body, headers: { 'accept-version': '1' } }),
      );
    }
  });

  it('E3: 401 comes before everything else', async () => {
    for (const token of [
      null,
      '',
      'garbled',
      'x'.repeat(32),
      'a b',
      'ü',
      service.operatorToken.slice(1),
      `${service.operatorToken}x`,
      `${service.operatorToken} x`,
    ]) {
      const sent = token === null ? {} : { authorization: `Bearer ${Buffer.from(token).toString('latin1')}` };
      for (const [method, path] of [
        ['GET', '/partners/x'],
        ['GET', '/partners?page_size=0'],
        ['PATCH', '/partners/x'],
        ['POST', '/partners'],
        ['DELETE', `/partners/${partnerId}`],
      ] as const) {
        const headers = { ...sent, 'content-type': 'text/plain', 'accept-version': '9', 'if-match': '"x"' };
        await expectCode(
          'unauthenticated',
          service.request(method, path, { token: null, body: '{', headers }),
        );
      }
    }
  });

  it('E3: 404 and 403 come before 415, 413 and 400, which come before 412', async () => {
    const { token: stranger } = await service.signInStranger();
    const large = 'x'.repeat(70_000);
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'application/json' }]) {
      await expectStatus(404, service.request('PATCH', '/partners/x', { body: large, headers }));
      await expectStatus(
        404,
        service.request('PATCH', `/partners/${partnerId}`, { token: stranger, body: large, headers }),
      );
      await expectStatus(
        403,
        service.request('POST', '/partners', { token: stranger, body: large, headers }),
      );
    }
    const mismatch = { 'if-match': '"x"' };
    await expectStatus(
      400,
      service.request('PATCH', `/partners/${partnerId}`, { body: '{', headers: mismatch }),
    );
    await expectStatus(
      400,
      service.request('PATCH', `/partners/${partnerId}`, { body: { unknown: 1 }, headers: mismatch }),
    );
    await expectStatus(
      412,
      service.request('PATCH', `/partners/${partnerId}`, { body: {}, headers: mismatch }),
    );
  });

  it('E4: the Bearer scheme is case-insensitive; other schemes and cookies do not authenticate', async () => {
    const get = (headers: Record<string, string>) =>
      service.request('GET', `/partners/${partnerId}`, { token: null, headers });
    const token = service.operatorToken;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      await expectStatus(200, get({ authorization: `${scheme} ${token}` }));
    for (const headers of [
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      { authorization: `Bearer${token}` },
      { cookie: `better-auth.session_token=${token}` },
      { 'x-api-key': token },
    ]) {
      await expectStatus(401, get(headers as Record<string, string>));
    }
  });

  it('E7: a body with a content coding is 415; an operation without a body accepts an empty one', async () => {
    for (const coding of ['gzip', 'br', 'GZIP']) {
      const { status } = await service.request('PATCH', `/partners/${partnerId}`, {
        body: {},
        headers: { 'content-encoding': coding },
      });
      expect(status).toBe(415);
    }
    const empty = { body: '', headers: { 'content-type': 'application/json' } };
    await expectStatus(200, service.request('POST', `/partners/${partnerId}/restore`, empty));
  });

  it('E6: unknown query parameters are ignored; an invalid value of a known parameter is 400', async () => {
    await expectStatus(200, service.get('/partners?nonsense=1&%FF=%zz&__proto__=1'));
    for (const query of [
      'page_size=0',
      'page_size=1001',
      'page_size=1.5',
      'page_size=',
      'page_size=1&page_size=2',
      'sort_by=phone',
      'sort_dir=up',
      'filter[name]=%00',
      'page_from=nonsense',
      'page_from=W10',
      `filter[name]=${'x'.repeat(256)}`,
    ]) {
      await expectStatus(400, service.get(`/partners?${query}`));
    }
  });

  it('E1: the message about a parameter that comes twice says so', async () => {
    for (const [name, value] of [
      ['page_size', '2'],
      ['sort_dir', 'asc'],
      ['filter[name]', 'a'],
    ]) {
      const { status, body } = await service.get(`/partners?${name}=${value}&${name}=${value}`);
      const message = `${name} must be sent once`;
      expect([status, body.message]).toEqual([400, `${message}.`]);
      expect(body.errors).toEqual([{ pointer: `/${name}`, code: 'invalid_value', message }]);
    }
    const token = await postForm(service, '/oauth/revoke', [
      ['token', 'a'],
      ['token', 'b'],
    ]);
    expect(token.body.message).toBe('token must be sent once.');
  });
});

describe('versions', () => {
  it('V1: version 2.0 is accepted, and any other version is 406', async () => {
    await expectStatus(200, service.request('GET', '/partners', { headers: { 'accept-version': '2.0' } }));
    for (const version of ['1.0', '2', '2.0.0', '']) {
      await expectStatus(
        406,
        service.request('GET', '/partners', { headers: { 'accept-version': version } }),
      );
    }
    await expectStatus(404, service.request('GET', '/partners/x', { headers: { 'accept-version': '3' } }));
  });
});

describe('the description of the interface', () => {
  it('is an OpenAPI 3.1 document for version 2.0 that anyone can read', async () => {
    const { status, body } = await service.get('/openapi.json', null);
    expect([status, body.openapi, body.info.version]).toEqual([200, '3.1.0', '2.0']);
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/partners', '/partners/{id}', '/api/auth/sign-in/email']),
    );
  });

  it('has a page that loads nothing from other hosts', async () => {
    const page = await service.get('/docs', null);
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) await expectStatus(200, service.get(path, null));
  });
});

describe('the pages of the description', () => {
  it('E9: every answer below /docs has the policy of the page, also an error', async () => {
    const policyOf = async (path: string, method = 'GET') => {
      const { headers } = await service.request(method, path, { token: null });
      return [
        'content-security-policy',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
      ].map((name) => headers[name]);
    };
    const policy = await policyOf('/docs');
    expect(policy).toEqual([
      expect.stringContaining("frame-ancestors 'none'"),
      'no-referrer',
      'same-origin',
      'same-origin',
    ]);
    for (const path of [
      '/docs/',
      '/docs?x',
      '/docs/static/absent',
      '/docs/absent',
      '/docs/static/swagger-ui.css',
      '/%64ocs',
      '/docs/%zz',
    ])
      expect(await policyOf(path), path).toEqual(policy);
    expect(await policyOf('/docs', 'POST')).toEqual(policy);
    expect(await policyOf('/docsx')).toEqual(Array(4).fill(undefined));
  });

  it('E1, E2: the pages use our statuses and error form for every request', async () => {
    const get = (path: string, headers = {}) =>
      service.request('GET', `/docs/static/${path}`, { token: null, headers });
    await expectStatus(200, get('swagger-ui.css', { range: 'bytes=99999999-' }));
    await expectStatus(200, get('swagger-ui.css', { range: 'bytes=0-9' }));
    await expectStatus(412, get('swagger-ui.css', { 'if-match': '"x"' }));
    for (const path of [
      'a%00b',
      '%2e%2e/%2e%2e/package.json',
      '%5c..%5cpackage.json',
      'x'.repeat(5_000),
      'absent',
    ]) {
      await expectStatus(404, get(path));
    }
  });
});

it('F7: JSON has the type application/json, without a charset', async () => {
  for (const path of [
    '/health/live',
    '/openapi.json',
    '/openapi-3.0.json',
    '/partners',
    '/api/auth/list-accounts',
    '/.well-known/jwks.json',
    '/nowhere',
  ])
    expect((await service.get(path)).headers['content-type'], path).toBe('application/json');
});

it('E7: no cache may keep an error in place of a public document', async () => {
  for (const path of ['/.well-known/jwks.json', '/.well-known/authzen-configuration']) {
    expect((await service.get(path)).headers['cache-control'], path).toMatch(/^public, /);
    const headers = { 'if-match': '"other"' };
    const refused = await service.request('GET', path, { token: null, headers });
    expect([refused.status, refused.headers['cache-control']], path).toEqual([412, 'no-store']);
  }
});

describe('health', () => {
  it('is open to anyone, and is ready when the database answers', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect(await service.get(path, null)).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
    }
  });
});

describe('logs', () => {
  it('have one line for each request, with its id and without secrets', async () => {
    const { headers } = await service.get(`/partners/${partnerId}?filter[name]=whisper`);
    const line = service.logs.find((each) => each.includes(String(headers['x-request-id'])));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ method: 'GET', route: '/partners/:id', status: 200 });
    await service.post('/api/auth/sign-in/email', {
      email: 'nobody@concord.test',
      password: 'a wrong password',
    });
    const all = service.logs.join('');
    for (const secret of [
      service.operatorToken,
      'a password for the tests',
      'a wrong password',
      'whisper',
      'Acme',
    ])
      expect(all).not.toContain(secret);
  });
});
