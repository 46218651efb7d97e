// Rules for bytes on a connection: what a client that speaks bad HTTP, or stops speaking, gets.
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { expectStatus } from '../stage/cast.ts';
import { useService } from '../stage/start-service.ts';

let partnerId: string;
const service = useService();
beforeAll(async () => {
  partnerId = (await service.post('/partners', { name: 'Acme' })).body.id;
});

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
  for (const bytes of cases)
    expect(errorOf(await exchangeBytes(bytes))).toEqual({ status: 400, code: 'malformed_http' });
  expect(errorOf(await exchangeBytes('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).status).toBe(405);
});

it('E1, E8: a request without exactly one Host is 400, and HTTP/1.0 needs none', async () => {
  for (const path of ['/health/live', '/partners', '/nowhere']) {
    for (const head of [
      'HTTP/1.1',
      'HTTP/1.1\r\nHost: a\r\nHost: a',
      'HTTP/1.1\r\nhost: a\r\nHOST: b',
      'HTTP/1.0\r\nHost: a\r\nHost: b',
    ]) {
      const answer = await exchangeBytes(`GET ${path} ${head}\r\nConnection: close\r\n\r\n`);
      expect([head, errorOf(answer)], path).toEqual([head, { status: 400, code: 'malformed_http' }]);
    }
  }
  expect(await exchangeBytes('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  // An OAuth client reads this member of each 400 (RFC 6749, section 5.2).
  const ofForm = await exchangeBytes('POST /oauth/token HTTP/1.1\r\nConnection: close\r\n\r\n');
  const error = JSON.parse(ofForm.split('\r\n\r\n')[1] ?? '');
  expect(error).toMatchObject({ error: 'invalid_request', code: 'malformed_http' });
});

it('E8: a transfer coding other than chunked is 400 and closes the connection, and so is any of HTTP/1.0', async () => {
  const next = 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const body = '2\r\n{}\r\n0\r\n\r\n';
  for (const path of ['/partners', '/nowhere'])
    for (const head of [
      'HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked',
      'HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked',
    ]) {
      const answer = await exchangeBytes(`POST ${path} ${head}\r\n\r\n${body}${next}`);
      expect([head, errorOf(answer)], path).toEqual([head, { status: 400, code: 'malformed_http' }]);
    }
  const chunked = `POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n${body}`;
  expect(errorOf(await exchangeBytes(chunked)).status).toBe(404);
});

it('E7: a body with two Content-Type headers is 415', async () => {
  const body = '{"name":"Acme"}';
  const json = 'Content-Type: application/json\r\n';
  const post = (headers: string) =>
    exchangeBytes(
      `POST /partners HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${service.operatorToken}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  expect(await post(json)).toMatch(/^HTTP\/1\.1 201 /);
  for (const twice of [json + json, `${json}content-type: text/plain\r\n`])
    expect(errorOf(await post(twice))).toEqual({ status: 415, code: 'unsupported_media_type' });
});

it('F5: a client that reads only after it has sent a large body gets its 413, and can go on', async () => {
  const size = 32 * 1024 * 1024;
  const head = `POST /partners HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.operatorToken}\r\nContent-Type: application/json\r\n`;
  const body = ' '.repeat(size);
  for (const request of [
    `${head}Content-Length: ${size}\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.write(request, (error) => (error ? reject(error) : resolve()));
    });
    socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let answers = '';
    for await (const chunk of socket) answers += chunk;
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  }
});

it('E7, F5: the answer to a refused body says whether the connection stays', async () => {
  const head = `Authorization: Bearer ${service.operatorToken}\r\nContent-Type: application/json\r\n`;
  for (const [size, status] of [
    [1, 400],
    [100_000, 413],
  ] as const) {
    const post = (first: string) => `POST /partners ${first}\r\n${head}Content-Length: ${size}\r\n\r\n`;
    const body = 'x'.repeat(size);
    const answers = await exchangeBytes(
      post('HTTP/1.0\r\nConnection: keep-alive') +
        body +
        post('HTTP/1.1\r\nHost: a\r\nConnection: close') +
        body,
    );
    const said = answers.match(/HTTP\/1\.1 \d+|^connection: .*$/gim);
    expect(said?.map((line) => line.toLowerCase())).toEqual([
      `http/1.1 ${status}`,
      'connection: keep-alive',
      `http/1.1 ${status}`,
      'connection: close',
    ]);
  }
});

it('E8: a request with two Authorization headers is 401, even if both are valid', async () => {
  const valid = `Authorization: Bearer ${service.operatorToken}\r\n`;
  const get = (headers: string) =>
    exchangeBytes(`GET /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers}\r\n`);
  expect(await get(valid)).toMatch(/^HTTP\/1\.1 200 /);
  for (const headers of [
    valid + valid,
    `${valid}authorization: Basic eDp5\r\n`,
    `Authorization: x\r\n${valid}`,
  ])
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
    await expect
      .poll(() => new Promise((resolve) => silent.write('x', (error) => resolve(Boolean(error)))))
      .toBe(true);
    silent.destroy();
  }
  await expectStatus(200, service.get('/health/ready', null));
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
    expect(Number(answer.split(' ')[1]), target).toEqual(status);
    expect(answer).toMatch(/x-request-id: /i);
  }
});

it('E2: a client that closes its half of the connection after the request still gets its answer', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  socket.end(
    `GET /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.operatorToken}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once('close', resolve));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

it('E1: an unknown Expect header causes no error of its own', async () => {
  const answer = await exchangeBytes(
    'GET /nowhere HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\nConnection: close\r\n\r\n',
  );
  expect(errorOf(answer)).toEqual({ status: 404, code: 'not_found' });
});

it('E1: the server closes the connection when a body ends early, and other clients are not affected', async () => {
  const head = `PATCH /partners/${partnerId} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.operatorToken}\r\nContent-Type: application/json\r\n`;
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`${head}Content-Length: 50\r\n\r\n{"name":"half`);
  socket.end();
  await new Promise((resolve) => socket.on('close', resolve).resume());
  expect((await service.get(`/partners/${partnerId}`)).body.name).toBe('Acme');
});
