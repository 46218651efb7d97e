// The bodies that the service accepts and refuses, with the update of a partner as the example.

import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectCode, expectStatus, may, times, useCast } from '../stage/cast.ts';

const { service, cast } = useCast();

async function createPartner() {
  return (await service.post('/partners', { name: 'Acme' })).body;
}
const patch = (id: string, body: unknown, headers = {}) =>
  service.request('PATCH', `/partners/${id}`, { body, headers });
const get = (id: string) => service.get(`/partners/${id}`);

describe('a body', () => {
  it('F5: with NUL, lone surrogates or __proto__ gets 400', async () => {
    const { id } = await createPartner();
    for (const body of [
      '{"name":"a\\u0000"}',
      '{"name":"\\ud800"}',
      '{"name":"\\udc00x"}',
      '{"__proto__":{"name":"x"}}',
      '{"__proto__":null}',
    ]) {
      await expectStatus(400, patch(id, body));
    }
    expect((await get(id)).body.name).toBe('Acme');
  });

  it('E1: the fault of a member with a long name, or half of a character, has whole characters', async () => {
    const { id } = await createPartner();
    for (const name of ['😀'.repeat(300), `x${'😀'.repeat(300)}`, '\ud800']) {
      const { status, body } = await patch(id, { [name]: 1 });
      const [{ pointer, message }] = body.errors;
      expect(status).toBe(400);
      expect([body.message, pointer, message].filter((text) => !text.isWellFormed())).toEqual([]);
    }
  });

  it('F5: of 64 KiB is accepted, and one more byte gets 413', async () => {
    const { id } = await createPartner();
    const sized = (bytes: number) =>
      JSON.stringify({ billing_address: 'x'.repeat(bytes - JSON.stringify({ billing_address: '' }).length) });
    await expectStatus(200, patch(id, sized(64 * 1024)));
    await expectStatus(413, patch(id, sized(64 * 1024 + 1)));
  });

  it('E1: the message of a 413 names the limit', async () => {
    const { id } = await createPartner();
    const tooLarge = { type: 'inventory.updated', data: { sku: 'x'.repeat(256 * 1024), quantity: 1 } };
    for (const [answer, limit] of [
      [await patch(id, tooLarge), 64],
      [await service.post(`/partners/${id}/events`, tooLarge), 256],
    ] as const) {
      expect(answer.status).toBe(413);
      expect(answer.body.message).toBe(`The request body must have at most ${limit} KiB.`);
    }
  });

  it('E7: of {} gets 200 and changes nothing; [], null, an empty body and bad JSON get 400', async () => {
    const partner = await createPartner();
    const { status, body } = await patch(partner.id, {});
    expect([status, body]).toEqual([200, partner]);
    for (const bad of [
      '[]',
      'null',
      '""',
      '',
      '{',
      '{"name":"a",}',
      '{"name":1e}',
      "{'name':'a'}",
      '\ufeff{}',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    ]) {
      await expectStatus(400, patch(partner.id, bad));
    }
    await expectStatus(400, service.patch(`/partners/${partner.id}`));
  });

  it('F5: with a duplicate member at any depth, or with depth 33, gets 400', async () => {
    const { id } = await createPartner();
    for (const body of [
      '{"name":"a","name":"b"}',
      '{"name":"a","n\\u0061me":"b"}',
      '{"billing_address":{"x":[{"y":1,"y":1}]}}',
    ]) {
      await expectCode('invalid_json', patch(id, body));
    }
    const nested = (depth: number) => `{"billing_address":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    await expectStatus(200, patch(id, nested(32)));
    await expectStatus(400, patch(id, nested(33)));
    await expectStatus(400, patch(id, nested(30_000)));
  });

  it('E7: is JSON or merge-patch; other content types get 415', async () => {
    const { id } = await createPartner();
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/merge-patch+json',
      'Application/JSON',
    ]) {
      await expectStatus(200, patch(id, { phone: type.slice(0, 32) }, { 'content-type': type }));
    }
    for (const type of [
      'text/plain',
      'application/json-patch+json',
      'multipart/form-data',
      'application/jsonx',
      'nonsense',
      '',
    ]) {
      await expectStatus(415, patch(id, { phone: 'x' }, { 'content-type': type }));
    }
    const post = await service.request('POST', '/partners', {
      body: { name: 'x' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(post.status).toBe(415);
  });

  it('E3, E7: a content type that other operations take is refused before the body is read', async () => {
    const { id } = await createPartner();
    const large = 'x'.repeat(70_000);
    for (const type of [
      'application/x-www-form-urlencoded',
      'application/scim+json',
      'application/merge-patch+json;charset=utf-8',
    ]) {
      const headers = { 'content-type': type };
      for (const body of ['x', large]) {
        const { status, headers: answer } = await service.request('POST', '/partners', { body, headers });
        expect([status, answer.connection], type).toEqual([415, 'keep-alive']);
      }
      // GET and DELETE ignore a body.
      await expectStatus(200, service.request('GET', `/partners/${id}`, { body: large, headers }));
    }
  });

  it('E6: GET, HEAD and DELETE ignore the content coding of a body', async () => {
    const { id } = await createPartner();
    const coded = { body: 'x', headers: { 'content-encoding': 'gzip' } };
    await expectStatus(200, service.request('GET', `/partners/${id}`, coded));
    await expectStatus(200, service.request('HEAD', `/partners/${id}`, coded));
    await expectStatus(200, service.request('GET', '/openapi.json', coded));
    await expectStatus(204, service.request('DELETE', `/partners/${id}`, coded));
  });

  it('E1: the message of a 415 names the types that the operation takes', async () => {
    const { id } = await createPartner();
    const messageOf = async (method: string, path: string, headers: Record<string, string>) => {
      const { status, body } = await service.request(method, path, { body: '{}', headers });
      return [status, body.message];
    };
    const text = { 'content-type': 'text/plain' };
    const json = { 'content-type': 'application/json' };
    expect(await messageOf('POST', '/partners', text)).toEqual([
      415,
      'The Content-Type must be application/json.',
    ]);
    expect(await messageOf('PATCH', `/partners/${id}`, text)).toEqual([
      415,
      'The Content-Type must be application/json or application/merge-patch+json.',
    ]);
    for (const headers of [text, json])
      expect(await messageOf('POST', '/oauth/token', headers)).toEqual([
        415,
        'The Content-Type must be application/x-www-form-urlencoded.',
      ]);
    expect(await messageOf('PATCH', `/partners/${id}`, { ...json, 'content-encoding': 'gzip' })).toEqual([
      415,
      'The Content-Encoding is not supported. Send the body without one.',
    ]);
  });
});

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
  await expectCode('invalid_json', batch(`[${'['.repeat(40)}${' '.repeat(70_000)}`));
  await expectCode('invalid_json', batch(''));
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
