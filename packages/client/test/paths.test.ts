// Path parameters: each is one segment of the path, so that no value makes the request one for another
// operation.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, deletePartnerAgreement, getPartner } from '../src/index.ts';

const seen: string[] = [];
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
let baseUrl: string;
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

it('F8: the client refuses a path parameter that is empty, "." or "..", and sends nothing', async () => {
  const client = createClient({ baseUrl });
  for (const bad of ['', '.', '..', undefined, null, [], {}, ['..']]) {
    const path = { id: 'ptr_1', agreement_id: bad as string };
    await expect(deletePartnerAgreement({ client, path }), JSON.stringify(bad)).rejects.toThrow(
      'path.agreement_id must be a text other than "", "." and ".."',
    );
  }
  // As a program without types can call it.
  await expect(deletePartnerAgreement({ client, path: { id: 'ptr_1' } as never })).rejects.toThrow(
    'path.agreement_id',
  );
  await expect(getPartner({ client } as never)).rejects.toThrow('path.id');
  await expect(getPartner({ client, path: { id: '..' }, requestValidator: async () => {} })).rejects.toThrow(
    'path.id',
  );
  expect(seen).toEqual([]);
});

it('F8: the client encodes every other path parameter as one segment', async () => {
  const client = createClient({ baseUrl });
  for (const id of ['../users', 'a/b', '%2e%2e', '...', 'x?y#z', '\\..', '{id}', '$&'])
    await getPartner({ client, path: { id } });
  expect(seen).toEqual(
    ['..%2Fusers', 'a%2Fb', '%252e%252e', '...', 'x%3Fy%23z', '%5C..', '%7Bid%7D', '%24%26'].map(
      (id) => `GET /partners/${id}`,
    ),
  );
});
