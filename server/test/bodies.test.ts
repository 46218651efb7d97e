// The bodies that the service accepts and refuses, with the update of a partner as the example.
import { describe, expect, it } from 'vitest';
import { useService } from './start-service.ts';

const service = useService();

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
      expect((await patch(id, body)).status).toBe(400);
    }
    expect((await get(id)).body.name).toBe('Acme');
  });

  it('F5: of 64 KiB is accepted, and one more byte gets 413', async () => {
    const { id } = await createPartner();
    const sized = (bytes: number) =>
      JSON.stringify({ billing_address: 'x'.repeat(bytes - JSON.stringify({ billing_address: '' }).length) });
    expect((await patch(id, sized(64 * 1024))).status).toBe(200);
    expect((await patch(id, sized(64 * 1024 + 1))).status).toBe(413);
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
      expect((await patch(partner.id, bad)).status).toBe(400);
    }
    expect((await service.patch(`/partners/${partner.id}`)).status).toBe(400);
  });

  it('F5: with a duplicate member at any depth, or with depth 33, gets 400', async () => {
    const { id } = await createPartner();
    for (const body of [
      '{"name":"a","name":"b"}',
      '{"name":"a","n\\u0061me":"b"}',
      '{"billing_address":{"x":[{"y":1,"y":1}]}}',
    ]) {
      expect((await patch(id, body)).body.code).toBe('invalid_json');
    }
    const nested = (depth: number) => `{"billing_address":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    expect((await patch(id, nested(32))).status).toBe(200);
    expect((await patch(id, nested(33))).status).toBe(400);
    expect((await patch(id, nested(30_000))).status).toBe(400);
  });

  it('E7: is JSON or merge-patch; other content types get 415', async () => {
    const { id } = await createPartner();
    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'application/merge-patch+json',
      'Application/JSON',
    ]) {
      expect((await patch(id, { phone: type.slice(0, 32) }, { 'content-type': type })).status).toBe(200);
    }
    for (const type of [
      'text/plain',
      'application/json-patch+json',
      'multipart/form-data',
      'application/jsonx',
      'nonsense',
      '',
    ]) {
      expect((await patch(id, { phone: 'x' }, { 'content-type': type })).status).toBe(415);
    }
    const post = await service.request('POST', '/partners', {
      body: { name: 'x' },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(post.status).toBe(415);
  });
});
