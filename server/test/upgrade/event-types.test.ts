// Event types that an earlier version accepted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCast } from '../cast.ts';
import { startTestService, type TestService } from '../start-service.ts';

let service: TestService;
let partner: string;
beforeAll(async () => {
  service = await startTestService();
  partner = await createCast(service).partner();
});
afterAll(() => service.stop());

const store = (name: string, schema: object, example: unknown) =>
  service.database.sql(
    'insert into event_type (name, description, schema, example) values ($1, $2, $3, $4)',
    [name, 'd', JSON.stringify(schema), JSON.stringify(example)],
  );
const publish = (type: string, data: unknown) =>
  service.request('POST', `/partners/${partner}/events`, { body: { type, data } });

it('W12: a stored type with a look-ahead or a back-reference still decides as before, and the log names it', async () => {
  const schema = { properties: { word: { pattern: '^(?!bad)\\w+$' }, twice: { pattern: '^(.)\\1$' } } };
  await store('old.patterns', schema, { word: 'good' });
  expect((await publish('old.patterns', { word: 'good', twice: 'aa' })).status).toBe(202);
  for (const [data, pointer] of [
    [{ word: 'bad' }, '/data/word'],
    [{ twice: 'ab' }, '/data/twice'],
  ] as const) {
    const answer = await publish('old.patterns', data);
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, pointer]);
  }
  const warnings = service.logs.filter(
    (line) => line.includes('old.patterns') && line.includes('"level":40'),
  );
  expect(warnings).toHaveLength(1);
  // It is refused when it is put again.
  const again = await service.request('PUT', '/event-types/old.patterns', {
    body: { description: 'd', schema, example: {} },
  });
  expect(again.body.errors[0].pointer).toBe('/schema/properties/word/pattern');
});

it('W12: a stored pattern that backtracks without end gets 400 at its deadline, and blocks no other request', async () => {
  await store('old.backtracking', { pattern: '^(?=a)(a+)+$' }, 'a');
  const order: string[] = [];
  const hostile = publish('old.backtracking', `${'a'.repeat(60)}!`).then((answer) => {
    order.push('hostile');
    return answer;
  });
  for (let requests = 0; requests < 5; requests++) {
    expect((await service.request('GET', `/partners/${partner}`)).status).toBe(200);
    order.push('other');
  }
  const answer = await hostile;
  expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/data']);
  expect(order.indexOf('hostile')).toBe(5);
  expect((await publish('old.backtracking', 'aaa')).status).toBe(202);
});

it('W12: a stored schema that recurses without end gets 400', async () => {
  await store('old.recursion', { $ref: '#' }, {});
  expect((await publish('old.recursion', {})).status).toBe(400);
});
