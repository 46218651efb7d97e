// Changes whose answer was lost, before a real server.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { banUser, createAccessToken, createClient, createPartner, deletePartner } from '@concord/client';
import { expect, it, onTestFinished } from 'vitest';
import { isDoubtful, keepKeys } from './lost-answers.ts';

async function connect(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
  keepKeys(client);
  return client;
}

/** Answers with these statuses, one after the other. 0: with none. */
async function answering(answers: readonly number[]) {
  const keys: unknown[] = [];
  const client = await connect(({ headers }, response) => {
    const status = answers[keys.push(headers['idempotency-key']) - 1];
    if (!status) return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status === 204 ? undefined : JSON.stringify({ code: 'refused', message: 'No.' }));
  });
  return { client, keys };
}

it('B83, C2: a change has the same key until Concord has done it, also after a refusal before it looks at the key', async () => {
  const answers = [0, 500, 403, 429, 201, 201];
  const { client, keys } = await answering(answers);
  for (const _ of answers) await createPartner({ client, body: { name: 'Nordlys' } }).catch(() => {});
  const [first, , , , , second] = keys;
  expect(keys).toEqual([first, first, first, first, first, second]);
  expect(second).not.toBe(first);
});

it('B83: a change that another one has undone is done again', async () => {
  const { client, keys } = await answering([0, 204, 201, 0, 201, 201]);
  const create = (name: string) => createPartner({ client, body: { name } }).catch(() => {});
  await create('Nordlys');
  await deletePartner({ client, path: { id: 'prt_1' } });
  await create('Nordlys');
  expect(keys[2]).not.toBe(keys[0]);
  for (const name of ['Nordlys', 'Solvind', 'Nordlys']) await create(name);
  expect(keys[5]).toBe(keys[3]);
});

it('B83: a ban whose answer was lost can be there, and is made again, since somebody can have ended it', async () => {
  const { client, keys } = await answering([0, 200]);
  const ban = () => banUser({ client, path: { id: 'user_1' }, query: { orphan: true }, body: {} });
  expect(await ban().then(() => null, isDoubtful)).toBe(true);
  await ban();
  expect(keys[1]).not.toBe(keys[0]);
});

it('B83: another body is another change', async () => {
  const keys: unknown[] = [];
  const client = await connect(({ headers }, response) => {
    keys.push(headers['idempotency-key']);
    response.destroy();
  });
  for (const name of ['Nordlys', 'Solvind', 'Nordlys'])
    await createPartner({ client, body: { name } }).catch(() => {});
  expect(keys[2]).toBe(keys[0]);
  expect(keys[1]).not.toBe(keys[0]);
});

it('B83: a change without a key can be done when its answer is lost, and not when Concord refuses it', async () => {
  let answer = '';
  const client = await connect((_, response) => {
    if (answer === '') return void response.destroy();
    response.writeHead(503, { 'content-type': 'application/json' }).end(answer);
  });
  const create = () =>
    createAccessToken({ client, body: { name: 'CI', scopes: [], expires_at: '2030-01-01T00:00:00Z' } });
  const isDoubt = () => create().then(() => null, isDoubtful);
  expect(await isDoubt()).toBe(true);
  answer = '{"code":"provider_unavailable","message":"Later."}';
  expect(await isDoubt()).toBe(false);
  answer = '{"message":"Bad gateway"}';
  expect(await isDoubt()).toBe(true);
});
