// Bodies that are made to cost much work.
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { expectStatus, may, times, useCast } from '../stage/cast.ts';

const { service, cast } = useCast();

const post = (path: string, body: unknown, options = {}) =>
  service.request('POST', path, { body, ...options });
const fill = (bytes: number, item: (index: number) => string) =>
  times(Math.floor(bytes / (item(10_000).length + 1)), (index) => item(index)).join(',');

it('F6: a body of more than 16 KiB is answered with its first fault, a smaller one with up to 20', async () => {
  const unknown = (bytes: number) => `{${fill(bytes, (index) => `"m${index}":0`)}}`;
  for (const path of ['/api/auth/sign-in/email', '/partners', '/me/access-tokens']) {
    expect((await post(path, unknown(15_000))).body.errors).toHaveLength(20);
    const answer = await post(path, unknown(60_000));
    expect([answer.status, answer.body.errors.length]).toEqual([400, 1]);
  }
});

it('F6: the length of a list is checked before its items', async () => {
  const scopes = `{"name":"x","expires_at":null,"scopes":[${fill(60_000, () => '{}')}]}`;
  const answer = await post('/me/access-tokens', scopes);
  expect(answer.body.errors).toEqual([{ pointer: '/scopes', code: 'too_long', message: expect.any(String) }]);
});

it('F5: a captured webhook has at most 20,000 values, and 100 values of 16 KiB for each header', async () => {
  const captured = (headers: string) =>
    `{"method":"POST","url":"https://a.example/","body":"","headers":${headers}}`;
  const verify = (headers: string) => post('/webhook-debug/verify', captured(headers));
  await expectStatus(413, verify(`{"a":[${fill(1_000_000, () => '""')}]}`));
  await expectStatus(200, verify(`{"a":[${Array(100).fill('"x"').join(',')}]}`));
  expect((await verify(`{"a":[${Array(101).fill('"x"').join(',')}]}`)).body.errors[0].code).toBe('too_long');
  await expectStatus(200, verify(`{"a":"${'x'.repeat(16_384)}"}`));
  for (const value of [`"${'x'.repeat(16_385)}"`, `["${'x'.repeat(16_385)}"]`])
    expect((await verify(`{"a":${value}}`)).body.errors[0].code).toBe('too_long');
});

it('F6: a batch of 4 MiB is read beside other requests, and refused like a small one', async () => {
  const { id } = (await post('/partners', { name: 'Acme' })).body;
  const batch = (body: string) => post(`/partners/${id}/events/batch`, body);
  const event = (data: string) => `{"type":"inventory.updated","data":${data}}`;
  const valid = event('{"sku":"a","quantity":1}');
  for (const [body, code] of [
    [`[${fill(4_000_000, () => '{"a":[[],[[]]]}')}]`, 'too_long'],
    [`[${valid},${fill(4_000_000, () => event(`[${fill(250_000, () => '[],{}')}]`))}]`, 'wrong_type'],
  ] as const) {
    let answered = false;
    const hostile = batch(body).finally(() => {
      answered = true;
    });
    let others = 0;
    for (; !answered && others < 100; others++) await service.get('/health/live', null);
    const answer = await hostile;
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, code]);
    // While the body arrives, a few are answered.
    expect(others).toBeGreaterThan(50);
  }
  expect((await batch(`[${'['.repeat(40)}${' '.repeat(70_000)}`)).body.code).toBe('invalid_json');
  expect((await batch('')).body.code).toBe('invalid_json');
});

it('F6: a user has bodies of 24 MiB in work, 16 requests wait, and the next gets 429; others go on, and who leaves frees its bytes', async () => {
  const { id } = (await post('/partners', { name: 'Acme' })).body;
  const head = [
    `POST /partners/${id}/events/batch HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${service.operatorToken}`,
    'Content-Type: application/json',
    `Content-Length: ${4 * 1024 * 1024}`,
  ].join('\r\n');
  let refused = 0;
  // Six are in work, and wait for their bodies.
  const sockets = times(6 + 16 + 8, () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
      socket.write(`${head}\r\n\r\n[`),
    );
    socket.on('data', (answer: Buffer) => {
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 5\r\n/i);
      refused++;
    });
    socket.on('error', () => {});
    return socket;
  });
  await expect.poll(() => refused).toBeGreaterThanOrEqual(8);
  await expectStatus(200, service.get(`/partners/${id}`));
  const { token } = await cast.member(id, may('events'));
  const event = { type: 'inventory.updated', data: { sku: 'x'.repeat(200_000), quantity: 1 } };
  await expectStatus(202, post(`/partners/${id}/events/batch`, Array(20).fill(event), { token }));
  for (const socket of sockets) socket.destroy();
  await expectStatus(202, post(`/partners/${id}/events/batch`, Array(20).fill(event)));
});
