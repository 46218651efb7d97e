// An installation of an earlier version, where an operator had replaced a built-in event type.
import { expect, it } from 'vitest';
import { builtInEventTypes } from '../../src/webhooks/catalogue/built-in.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('W26: a replaced built-in type has the schema of the contract again, and the replacement another name', async () => {
  const old = await createOlderDatabase('0014');
  const replacement = {
    description: 'Ours',
    schema: { type: 'object', required: ['article'] },
    example: { article: 1 },
  };
  await old.sql(
    `update event_type set description = $1, schema = $2, example = $3 where name = 'inventory.updated'`,
    [replacement.description, replacement.schema, replacement.example],
  );
  await old.sql(
    `insert into event_type (name, description, schema, example) values ('own.type', 'd', '{}', '{}')`,
  );

  const service = await startTestService({}, () => old.url);
  const { body } = await service.request('GET', '/event-types');
  const own = { name: 'own.type', description: 'd', schema: {}, example: {} };
  const [inventory, order] = builtInEventTypes;
  expect(body).toEqual([inventory, { name: 'inventory.updated.replaced', ...replacement }, order, own]);
  const put = (name: string) =>
    service.request('PUT', `/event-types/${name}`, { body: { description: 'd', schema: {}, example: {} } });
  expect((await put('inventory.updated')).body.code).toBe('event_type_built_in');
  for (const name of ['inventory.updated.replaced', 'own.type']) expect((await put(name)).status).toBe(200);
  await service.stop();
  await old.drop();
});
