// What a client never sends: a path parameter that makes the request one for another operation, a token that is none.
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

it('a token that no header can have is in no error', async () => {
  const token = 'concord_pat_a\nb';
  expect(() => createClient({ baseUrl, token })).toThrow(/^The token has a line break, or another/);
  const asked = createClient({ baseUrl, token: () => token });
  await expect(getPartner({ client: asked, path: { id: 'ptr_1' } })).rejects.toThrow(
    /^The token has a line break/,
  );
  await getPartner({ client: createClient({ baseUrl, token: 'concord_pat_a\n' }), path: { id: 'ptr_1' } });
  expect(seen.splice(0)).toEqual(['GET /partners/ptr_1']);
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
