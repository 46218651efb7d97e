// The typed client against the service: operations, lists, errors and repeated requests.

import {
  type Concord,
  ConcordError,
  createClient,
  createPartner,
  getPartner,
  items,
  listPartners,
  pages,
  publishEvent,
  signIn,
  updatePartner,
} from '@concord/client';
import { beforeAll, expect, it } from 'vitest';
import { stock, times } from '../stage/cast.ts';
import { operator, useService } from '../stage/start-service.ts';

let client: Concord;
const service = useService();
beforeAll(() => {
  client = createClient({ baseUrl: service.url, token: service.operatorToken });
});

it('signs in, creates, reads and changes with types', async () => {
  const anyone = createClient({ baseUrl: service.url });
  const session = await signIn({
    client: anyone,
    body: { email: operator.email, password: operator.password },
  });
  if (!('token' in session)) throw new Error('The operator of the tests has no second factor');
  const own = createClient({ baseUrl: service.url, token: () => session.token });
  const { id } = await createPartner({ client: own, body: { name: 'Nordlys AS' } });
  const changed = await updatePartner({ client: own, path: { id }, body: { name: 'Nordlys' } });
  expect(changed.name).toBe('Nordlys');
  expect(await getPartner({ client, path: { id } })).toEqual(changed);
  const event = await publishEvent({
    client,
    path: { id },
    body: stock(),
  });
  expect(event.id).toMatch(/^evt_/);
});

it('Q1: lists are read page by page', async () => {
  const names = times(7, (n) => `List ${n}`);
  for (const name of names) await createPartner({ client, body: { name } });
  const query = { 'filter[name]': 'List', page_size: 3 };
  const sizes: number[] = [];
  for await (const page of pages(listPartners, { client, query })) sizes.push(page.length);
  expect(sizes).toEqual([3, 3, 1]);
  const found: string[] = [];
  for await (const partner of items(listPartners, { client, query })) found.push(partner.name);
  expect(found).toEqual(names);
});

it('E1: an error has the code, the status, the request and its faults', async () => {
  const error = await createPartner({ client, body: { name: 'a'.repeat(300) } }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConcordError);
  expect(error).toMatchObject({
    code: 'invalid_request',
    status: 400,
    requestId: expect.stringMatching(/./),
    faults: [{ pointer: '/name' }],
  });
  await expect(getPartner({ client, path: { id: 'ptr_1' } })).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
    faults: [],
  });
});

it('C2: a POST that is cut off and repeated makes one partner', async () => {
  let cuts = 0;
  const unlucky = createClient({
    baseUrl: service.url,
    token: service.operatorToken,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (cuts++ > 0) return response;
      throw new TypeError('the connection was cut after the answer was written');
    },
  });
  const { id } = await createPartner({ client: unlucky, body: { name: 'Made once' } });
  const made: string[] = [];
  for await (const partner of items(listPartners, { client, query: { 'filter[name]': 'Made once' } }))
    made.push(partner.id);
  expect([cuts, made]).toEqual([2, [id]]);
});
