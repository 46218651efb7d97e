// The typed client against the service: operations, lists, errors and repeated requests.

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstLines, readExamples } from '../../../packages/client/test/readme-examples.ts';
import { stock, succeed, times } from '../stage/cast.ts';
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

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

let folder: string;

beforeAll(() => {
  // Inside the workspace, so that the package is found.
  folder = mkdtempSync(join(root, 'server/test/.readme-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('the README of the client has nine examples, and each compiles and runs', async () => {
  const examples = readExamples({ url: service.url, token: service.operatorToken });
  expect(examples).toHaveLength(8);
  const files = examples.map((example, index) => {
    const file = join(folder, `example-${index}.ts`);
    writeFileSync(file, example);
    return file;
  });
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--allowImportingTsExtensions',
  ];
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
  const compiled = run(process.execPath, [
    compiler,
    ...options,
    '--types',
    'node',
    '--ignoreConfig',
    ...files,
  ]);
  await compiled.catch(({ stdout }) => expect.fail(stdout));
  succeed(await service.post('/partners', { name: 'Nordlys' }));
  const printed = await Promise.all(files.map((file) => run(process.execPath, [file])));
  const expected = firstLines.map((line) => expect.stringMatching(line));
  expect(printed.map(({ stdout }) => stdout.trim().split('\n')[0])).toEqual(expected);
});
