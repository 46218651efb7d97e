// Large pages.
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '../ids.ts';
import { sendList } from './lists.ts';

let server: FastifyInstance;
beforeEach(() => {
  server = fastify();
});
afterEach(() => server.close());

it('Q1: a large page is written as its client reads it', async () => {
  const items = Array.from({ length: 1_000 }, () => ({ id: newId('partner') }));
  let written = 0;
  const toJson = ({ id }: { id: string }) => {
    written++;
    return JSON.stringify([id, 'x'.repeat(50_000)]);
  };
  server.get('/', (request, reply) => {
    Object.assign(request.query as object, { page_size: 1_000 });
    const source = { page: async () => items, count: async () => ({ count: 1_000, estimated: false }) };
    return sendList(request, reply, {
      definition: { kind: 'partner', sortable: {}, filters: {} },
      source,
      toJson,
    });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  const { atFirst, text } = await new Promise<{ atFirst: number; text: string }>((resolve, reject) => {
    get({ port, host: '127.0.0.1' }, (response) => {
      let [atFirst, text] = [0, ''];
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        if (text === '') atFirst = written;
        text += part;
      });
      response.once('end', () => resolve({ atFirst, text }));
    }).once('error', reject);
  });
  expect(atFirst).toBeLessThan(500);
  expect((JSON.parse(text) as [string, string][]).map(([id]) => id)).toEqual(items.map(({ id }) => id));
});

it('L5: a page of 8 MiB is sent with its length, so that it counts until its client has taken it', async () => {
  const json = JSON.stringify('x'.repeat(8_192));
  const items = Array.from({ length: 1_000 }, () => ({ id: newId('event'), json }));
  server.get('/texts', (request, reply) => {
    Object.assign(request.query as object, { page_size: 1_000 });
    return sendList(request, reply, {
      definition: { kind: 'event', sortable: {}, filters: {}, endless: true },
      source: { page: async () => items },
      toJson: (item) => item.json,
    });
  });
  const { headers, body } = await server.inject('/texts');
  expect(headers['content-length']).toBe(String(body.length));
});
