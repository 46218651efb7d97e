// Rules for every path: the error form, the order of checks, versions, and bytes that are not HTTP.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from './start-service.ts';

let service: TestService;
let partnerId: string;
beforeAll(async () => {
  service = await startTestService();
  partnerId = (await service.request('POST', '/partners', { body: { name: 'Acme' } })).body.id;
});
afterAll(() => service.stop());

/** Writes bytes to a fresh connection and reads until the server closes it. */
function exchangeBytes(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

function errorOf(answer: string) {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/content-type: application\/json/i);
  const requestId = /x-request-id: (\S+)/i.exec(head)?.[1];
  const error = JSON.parse(body);
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'request_id']);
  expect(error.request_id).toBe(requestId);
  return { status: Number(head.split(' ')[1]), code: error.code };
}

describe('errors', () => {
  it('E1: a request that Node itself refuses also gets the error form', async () => {
    const cases = [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n',
      'FROBNICATE / HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      'GET /partners HTTP/1.1\r\nConnection: close\r\n\r\n',
    ];
    for (const bytes of cases) expect(errorOf(await exchangeBytes(bytes))).toEqual({ status: 400, code: 'malformed_http' });
    expect(errorOf(await exchangeBytes('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).status).toBe(405);
  });

  it('E8: a request without exactly one Host is 400, and HTTP/1.0 needs none', async () => {
    for (const path of ['/health/live', '/partners', '/nowhere']) {
      for (const head of [
        'HTTP/1.1',
        'HTTP/1.1\r\nHost: a\r\nHost: a',
        'HTTP/1.1\r\nhost: a\r\nHOST: b',
        'HTTP/1.0\r\nHost: a\r\nHost: b',
      ]) {
        const answer = await exchangeBytes(`GET ${path} ${head}\r\nConnection: close\r\n\r\n`);
        expect([path, head, errorOf(answer)]).toEqual([path, head, { status: 400, code: 'malformed_http' }]);
      }
    }
    expect(await exchangeBytes('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('E8: a request with two Authorization headers is 401, even if both are valid', async () => {
    const valid = `Authorization: Bearer ${service.operatorToken}\r\n`;
    const get = (headers: string) =>
      exchangeBytes(`GET /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
    expect(await get(valid)).toMatch(/^HTTP\/1\.1 200 /);
    for (const headers of [valid + valid, `${valid}authorization: Basic eDp5\r\n`, `Authorization: x\r\n${valid}`])
      expect(errorOf(await get(headers))).toEqual({ status: 401, code: 'unauthenticated' });
    // Some operations under /api/auth take a session or no token.
    const body = '{"code":"123456","twoFactorToken":"x"}';
    const verify = `POST /api/auth/two-factor/verify-totp HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${valid}${valid}`;
    const answer = await exchangeBytes(
      `${verify}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(errorOf(answer).status).toBe(401);
  });

  it('C1: HEAD answers like GET without the body; a 304 has no Content-Length', async () => {
    const send = async (method: string, path: string, headers = '') => {
      const answer = await exchangeBytes(
        `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${service.operatorToken}\r\n${headers}\r\n`,
      );
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      const lines = head
        .toLowerCase()
        .split('\r\n')
        .filter((line) => !/^(x-request-id|date|transfer-encoding):/.test(line));
      return { lines: lines.toSorted(), body, etag: /etag: (\S+)/i.exec(head)?.[1] };
    };
    for (const path of [
      `/partners/${partnerId}`,
      '/.well-known/jwks.json',
      '/partners',
      '/partners/x',
      '/nowhere',
      '/health/live',
    ]) {
      const [get, head] = [await send('GET', path), await send('HEAD', path)];
      expect([head.lines, head.body]).toEqual([get.lines, '']);
      if (get.etag === undefined) continue;
      for (const method of ['GET', 'HEAD']) {
        const { lines, body } = await send(method, path, `If-None-Match: ${get.etag}\r\n`);
        expect([lines, body]).toEqual([expect.arrayContaining(['http/1.1 304 not modified']), '']);
        expect(lines.filter((line) => line.startsWith('content-'))).toEqual([]);
      }
    }
  });

  it('E1: a connection reset does not affect other clients, and the server closes a connection that stays open', async () => {
    for (const bytes of ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'GARBAGE\r\n\r\n']) {
      const rude = connect(Number(new URL(service.url).port), '127.0.0.1');
      rude.write(bytes);
      await new Promise((resolve) => rude.once('data', resolve));
      rude.resetAndDestroy();
      // This client never closes its half; the server does not wait for it.
      const silent = connect({
        port: Number(new URL(service.url).port),
        host: '127.0.0.1',
        allowHalfOpen: true,
      });
      silent.on('error', () => {});
      silent.write(bytes);
      await new Promise((resolve) => silent.resume().once('end', resolve));
      await expect.poll(() => new Promise((resolve) => silent.write('x', (error) => resolve(Boolean(error))))).toBe(true);
      silent.destroy();
    }
    expect((await service.request('GET', '/health/ready', { token: null })).status).toBe(200);
  });

  it('E1: bytes that are not HTTP do not corrupt an answer in progress', async () => {
    const body = '{"phone":"4711"}';
    const head = `Host: a\r\nAuthorization: Bearer ${service.operatorToken}\r\n`;
    const answer = await exchangeBytes(
      `PATCH /partners/${partnerId} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"phone":"4711"/);
    expect(answer).not.toContain('malformed_http');
    const list = await exchangeBytes(`GET /partners HTTP/1.1\r\n${head}\r\nGARBAGE\r\n\r\n`);
    expect(list).toMatch(/^HTTP\/1\.1 200 /);
    expect(list).not.toContain('malformed_http');
  });

  it('E1: the server ignores the host of an absolute request target; any other form is 404', async () => {
    for (const [target, status] of [
      ['http://evil.example/health/live', 200],
      ['http://evil.example/health/live#x', 200],
      ['HTTP://x', 404],
      ['http://[/partners', 404],
      ['http:///partners', 404],
      ['http://x:99999/partners', 404],
      ['*', 404],
    ] as const) {
      const answer = await exchangeBytes(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect([target, Number(answer.split(' ')[1])]).toEqual([target, status]);
      expect(answer).toMatch(/x-request-id: /i);
    }
  });

  it('E2: a client that closes its half of the connection after the request still gets its answer', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.end(`GET /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.operatorToken}\r\n\r\n`);
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('E1: an unknown Expect header causes no error of its own', async () => {
    const answer = await exchangeBytes('GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\n\r\n');
    expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' });
  });

  it('E1: the server closes the connection when a body ends early, and other clients are not affected', async () => {
    const head = `PATCH /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.operatorToken}\r\nContent-Type: application/json\r\n`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(`${head}Content-Length: 50\r\n\r\n{"name":"half`);
    socket.end();
    await new Promise((resolve) => socket.on('close', resolve).resume());
    expect((await service.request('GET', `/partners/${partnerId}`)).body.name).toBe('Acme');
  });

  it('E2: a method that a known path does not support is 405 with Allow', async () => {
    for (const [method, path, allow] of [
      ['PUT', `/partners/${partnerId}`, 'DELETE, GET, HEAD, PATCH'],
      ['DELETE', '/partners', 'GET, HEAD, POST'],
      ['OPTIONS', '/partners', 'GET, HEAD, POST'],
      ['TRACE', '/health/live', 'GET, HEAD'],
      ['PROPFIND', '/partners', 'GET, HEAD, POST'],
      ['GET', '/api/auth/sign-in/email', 'POST'],
      ['POST', '/openapi.json', 'GET, HEAD'],
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
        '//partners',
        '/%',
        '/partners/a/b%2Fc',
      ]) {
        for (const method of ['GET', 'POST', 'PURGE']) expect((await service.request(method, path, { token })).status).toBe(404);
      }
    }
  });

  it('E3: an unknown path is 404 even if the request has other errors', async () => {
    for (const body of ['{', 'x'.repeat(70_000)]) {
      expect((await service.request('POST', '/nowhere', { token: null, body, headers: { 'accept-version': '1' } })).status).toBe(
        404,
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
        const { status, body } = await service.request(method, path, { token: null, body: '{', headers });
        expect([status, body.code]).toEqual([401, 'unauthenticated']);
      }
    }
  });

  it('E3: 404 and 403 come before 415, 413 and 400, which come before 412', async () => {
    const stranger = await service.signInStranger();
    const large = 'x'.repeat(70_000);
    for (const headers of [{ 'content-type': 'text/plain' }, { 'content-type': 'application/json' }]) {
      expect((await service.request('PATCH', '/partners/x', { body: large, headers })).status).toBe(404);
      expect((await service.request('PATCH', `/partners/${partnerId}`, { token: stranger, body: large, headers })).status).toBe(
        404,
      );
      expect((await service.request('POST', '/partners', { token: stranger, body: large, headers })).status).toBe(403);
    }
    const mismatch = { 'if-match': '"x"' };
    expect((await service.request('PATCH', `/partners/${partnerId}`, { body: '{', headers: mismatch })).status).toBe(400);
    expect((await service.request('PATCH', `/partners/${partnerId}`, { body: { unknown: 1 }, headers: mismatch })).status).toBe(
      400,
    );
    expect((await service.request('PATCH', `/partners/${partnerId}`, { body: {}, headers: mismatch })).status).toBe(412);
  });

  it('E4: the Bearer scheme is case-insensitive; other schemes and cookies do not authenticate', async () => {
    const get = (headers: Record<string, string>) => service.request('GET', `/partners/${partnerId}`, { token: null, headers });
    const token = service.operatorToken;
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      expect((await get({ authorization: `${scheme} ${token}` })).status).toBe(200);
    for (const headers of [
      { authorization: token },
      { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      { authorization: `Bearer${token}` },
      { cookie: `better-auth.session_token=${token}` },
      { 'x-api-key': token },
    ]) {
      expect((await get(headers as Record<string, string>)).status).toBe(401);
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
    expect((await service.request('POST', `/partners/${partnerId}/restore`, empty)).status).toBe(200);
  });

  it('E6: unknown query parameters are ignored; an invalid value of a known parameter is 400', async () => {
    expect((await service.request('GET', '/partners?nonsense=1&%FF=%zz&__proto__=1')).status).toBe(200);
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
      expect((await service.request('GET', `/partners?${query}`)).status).toBe(400);
    }
  });
});

describe('versions', () => {
  it('V1: version 2.0 is accepted, and any other version is 406', async () => {
    expect((await service.request('GET', '/partners', { headers: { 'accept-version': '2.0' } })).status).toBe(200);
    for (const version of ['1.0', '2', '2.0.0', '']) {
      expect((await service.request('GET', '/partners', { headers: { 'accept-version': version } })).status).toBe(406);
    }
    expect((await service.request('GET', '/partners/x', { headers: { 'accept-version': '3' } })).status).toBe(404);
  });
});

describe('the description of the interface', () => {
  it('is an OpenAPI 3.1 document for version 2.0 that anyone can read', async () => {
    const { status, body } = await service.request('GET', '/openapi.json', { token: null });
    expect([status, body.openapi, body.info.version]).toEqual([200, '3.1.0', '2.0']);
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/partners', '/partners/{id}', '/api/auth/sign-in/email']));
  });

  it('has a page that loads nothing from other hosts', async () => {
    const page = await service.request('GET', '/docs', { token: null });
    expect(page.status).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe/);
    expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) expect((await service.request('GET', path, { token: null })).status).toBe(200);
  });
});

describe('the pages of the description', () => {
  it('E9: every answer below /docs has the policy of the page, also an error', async () => {
    const policyOf = async (path: string, method = 'GET') => {
      const { headers } = await service.request(method, path, { token: null });
      return ['content-security-policy', 'referrer-policy', 'cross-origin-opener-policy', 'cross-origin-resource-policy'].map(
        (name) => headers[name],
      );
    };
    const policy = await policyOf('/docs');
    expect(policy).toEqual([expect.stringContaining("frame-ancestors 'none'"), 'no-referrer', 'same-origin', 'same-origin']);
    for (const path of [
      '/docs/',
      '/docs?x',
      '/docs/static/absent',
      '/docs/absent',
      '/docs/static/swagger-ui.css',
      '/%64ocs',
      '/docs/%zz',
    ])
      expect([path, await policyOf(path)]).toEqual([path, policy]);
    expect(await policyOf('/docs', 'POST')).toEqual(policy);
    expect(await policyOf('/docsx')).toEqual(Array(4).fill(undefined));
  });

  it('E1, E2: the pages use our statuses and error form for every request', async () => {
    const get = (path: string, headers = {}) => service.request('GET', `/docs/static/${path}`, { token: null, headers });
    expect((await get('swagger-ui.css', { range: 'bytes=99999999-' })).status).toBe(200);
    expect((await get('swagger-ui.css', { range: 'bytes=0-9' })).status).toBe(200);
    expect((await get('swagger-ui.css', { 'if-match': '"x"' })).status).toBe(412);
    for (const path of ['a%00b', '%2e%2e/%2e%2e/package.json', '%5c..%5cpackage.json', 'x'.repeat(5_000), 'absent']) {
      expect((await get(path)).status).toBe(404);
    }
  });
});

it('F7: JSON has the type application/json, without a charset', async () => {
  for (const path of [
    '/health/live',
    '/openapi.json',
    '/partners',
    '/api/auth/list-accounts',
    '/.well-known/jwks.json',
    '/nowhere',
  ])
    expect([path, (await service.request('GET', path)).headers['content-type']]).toEqual([path, 'application/json']);
});

describe('health', () => {
  it('is open to anyone, and is ready when the database answers', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      expect(await service.request('GET', path, { token: null })).toMatchObject({
        status: 200,
        body: { status: 'ok' },
      });
    }
  });
});

describe('logs', () => {
  it('have one line for each request, with its id and without secrets', async () => {
    const { headers } = await service.request('GET', `/partners/${partnerId}?filter[name]=whisper`);
    const line = service.logs.find((each) => each.includes(String(headers['x-request-id'])));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ method: 'GET', route: '/partners/:id', status: 200 });
    await service.request('POST', '/api/auth/sign-in/email', {
      body: { email: 'nobody@concord.test', password: 'a wrong password' },
    });
    const all = service.logs.join('');
    for (const secret of [service.operatorToken, 'a password for the tests', 'a wrong password', 'whisper', 'Acme'])
      expect(all).not.toContain(secret);
  });
});
