// Idempotency-Key: rule C2, with real concurrency.

import { expect, it } from 'vitest';
import { deleteExpiredAnswers } from '../../src/base/idempotency/store.ts';
import { atOnce, createCast, expectStatus } from '../stage/cast.ts';
import { commit, hold, untilWaiting } from '../stage/locks.ts';
import { openDatabase } from '../stage/new-database.ts';
import { newEmail, useService } from '../stage/start-service.ts';

const service = useService();

const create = (key: string, body: object = { name: 'Acme' }, token = service.operatorToken) =>
  service.request('POST', '/partners', { token, body, headers: { 'idempotency-key': key } });
const countPartners = async () => (await service.sql('select from partner')).length;

it('C2: a repeated request gets the first answer and has no second effect', async () => {
  const first = await create('a', { name: 'x', billing_address: { nonsense: 1 } });
  const before = await countPartners();
  const again = await create('a', { name: 'x', billing_address: { nonsense: 1 } });
  expect([again.status, again.body]).toEqual([201, first.body]);
  for (const header of ['location', 'etag', 'ignored-members'])
    expect(again.headers[header]).toBe(first.headers[header]);
  expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
    undefined,
    'true',
  ]);
  expect(await countPartners()).toBe(before);
  const cast = createCast(service);
  const other = await cast.appoint(await cast.user());
  const ofOther = await create('a', { name: 'x', billing_address: { nonsense: 1 } }, other);
  expect([ofOther.status, ofOther.body.id === first.body.id]).toEqual([201, false]);
});

it('C2: the same key with another body is 422', async () => {
  await create('b');
  await expectStatus(422, create('b', { name: 'Other' }));
});

it('C2, E1: the same key with another query is 422, whose message is true', async () => {
  const user = await createCast(service).user();
  const ban = (query: string) =>
    service.request('POST', `/users/${user.id}/ban${query}`, {
      body: {},
      headers: { 'idempotency-key': 'q' },
    });
  const first = await ban('?orphan=true');
  expect(first.status).toBe(200);
  const { status, body } = await ban('');
  expect([status, body.message]).toEqual([422, 'This Idempotency-Key was used with another request.']);
  await expectStatus(422, ban('?orphan=false'));
  const again = await ban('?orphan=true');
  expect([again.body, again.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
});

it('C2: one of twenty simultaneous requests has an effect; the others replay its answer or get 409', async () => {
  const before = await countPartners();
  const answers = await atOnce(20, () => create('c'));
  expect(await countPartners()).toBe(before + 1);
  const created = answers.filter(({ status }) => status === 201);
  expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
});

it('C2: a repetition is 409 while the first request is in flight; the lock ends with its connection', async () => {
  const [{ id: userId }] = (await service.sql(`select id from auth."user" where role = 'operator'`)) as [
    { id: string },
  ];
  const holder = await service.database.connect();
  await holder.query('select pg_advisory_lock(hashtextextended($1, 0))', [
    JSON.stringify([userId, 'POST', '["/partners",{}]', 'd']),
  ]);
  await expectStatus(409, create('d'));
  await holder.end();
  await expect.poll(async () => (await create('d')).status).toBe(201);
});

it('C2: each replay is authorised again', async () => {
  const cast = createCast(service);
  const user = await cast.user();
  await create('e', { name: 'x' }, await cast.appoint(user));
  await cast.set(user.id, { role: 'user' });
  await expectStatus(403, create('e', { name: 'x' }, await cast.session(user.id)));
  await expectStatus(201, create('e', { name: 'x' }, await cast.appoint(user)));
});

it('C2: a refused request is not stored, so its key can be used again', async () => {
  await expectStatus(400, create('f', { name: 5 }));
  await expectStatus(201, create('f'));
});

it('C2: after 24 hours the answer is removed, and its key can be used again', async () => {
  const first = await create('g');
  await service.sql(`update idempotent_answer set created_at = now() - interval '25 hours' where key = 'g'`);
  const second = await create('g');
  expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
  expect((await create('g')).body.id).toBe(second.body.id);
  await service.sql(`update idempotent_answer set created_at = now() - interval '25 hours'`);
  await service.runTask('delete expired idempotent answers');
  expect(await service.sql('select from idempotent_answer')).toEqual([]);
});

it('C2: many answers that have expired are removed in steps', async () => {
  await service.pauseTask(deleteExpiredAnswers.name);
  const db = openDatabase(service.database.url);
  await service.sql(
    `insert into idempotent_answer (principal_id, method, path, key, body_hash, status, headers, body, created_at)
     select 'p', 'POST', '', n::text, '', 201, '{}', '', now() - interval '25 hours' from generate_series(1, 5001) n`,
  );
  const left = async () =>
    (await service.sql(`select from idempotent_answer where principal_id = 'p'`)).length;
  for (const expected of [1, 0]) {
    const hasMore = await db.transaction((tx) => deleteExpiredAnswers.run(tx));
    expect([hasMore, await left()]).toEqual([expected > 0, expected]);
  }
});

it('C2: an answer that is stored again while its earlier one is removed stays', async () => {
  const name = 'delete expired idempotent answers';
  await service.pauseTask(name);
  await create('again');
  const stored = `idempotent_answer where key = 'again'`;
  const age = (to: string) => `update idempotent_answer set created_at = ${to} where key = 'again'`;
  await service.sql(age(`now() - interval '25 hours'`));
  const request = await hold(service.database, age('now()'));
  const removal = service.runTask(name);
  await untilWaiting(service.database, 1, 'delete from idempotent_answer');
  await commit(request);
  await removal;
  expect(await service.sql(`select from ${stored}`)).toHaveLength(1);
});

it('C1, C2: a repeated request with If-Match gets the first answer, although the first has changed the tag', async () => {
  const invited = await createCast(service).invite((await create('k')).body.id, newEmail());
  const headers = { 'if-match': String(invited.headers.etag), 'idempotency-key': 'l' };
  const resend = () => service.request('POST', `${invited.headers.location}/resend`, { headers });
  const first = await resend();
  const again = await resend();
  expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([200, 'true', first.body]);
  await expectStatus(
    412,
    service.request('POST', `${invited.headers.location}/resend`, {
      headers: { ...headers, 'idempotency-key': 'm' },
    }),
  );
});

it('C2: a malformed key is 400', async () => {
  for (const key of ['', 'a b', 'x'.repeat(256)]) await expectStatus(400, create(key));
  await expectStatus(201, create('x'.repeat(255)));
});

it('C2: bodies differ even if JSON would serialise them the same; two spellings of a path are the same path', async () => {
  const send = (path: string, body: string) =>
    service.request('POST', path, { body, headers: { 'idempotency-key': 'h' } });
  const first = await send('/partners', '{"name":"i","billing_address":{"latitude":1e400}}');
  await expectStatus(422, send('/partners', '{"name":"i","billing_address":{"latitude":null}}'));
  await expectStatus(422, send('/partners', '{"name":"i","billing_address":{"latitude":"Infinity"}}'));
  await expectStatus(422, send('/partners', '{"name":"i","billing_address":{"latitude":["Infinity"]}}'));
  await expectStatus(422, send('/partners', '{"name":"i","billing_address":{"toString":1}}'));
  const again = await send('/%70artners?x=1', '{ "name": "i", "billing_address": {"latitude": 1e400} }');
  expect(again.body).toEqual(first.body);
});

it('C1, C2: a repeated restore has no second effect, and a restore accepts If-Match', async () => {
  const { body: partner, headers } = await create('i');
  const path = `/partners/${partner.id}`;
  const restore = (sent: Record<string, string>) =>
    service.request('POST', `${path}/restore`, { headers: sent });
  await service.remove(path);
  await expectStatus(412, restore({ 'if-match': '"other"' }));
  await expectStatus(400, restore({ 'idempotency-key': 'a b' }));
  await expectStatus(200, restore({ 'idempotency-key': 'j', 'if-match': String(headers.etag) }));
  await service.remove(path);
  expect((await restore({ 'idempotency-key': 'j' })).headers['idempotent-replayed']).toBe('true');
  await expectStatus(404, service.get(path));
});
