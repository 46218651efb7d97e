// Recoveries that an older version started.
import { expect, it } from 'vitest';
import { newId, parseId, uuidAt } from '../../src/base/ids.ts';
import { createDatabase } from '../../src/base/postgres/database.ts';
import { ensurePartitions } from '../../src/webhooks/history/retention/history.ts';
import { toLoopback } from '../receiver.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('W11: a recovery of an older version keeps its progress, and a running one continues where it was', async () => {
  const old = await createOlderDatabase('0027');
  const db = createDatabase({ connection: { connectionString: old.url }, onConnectionLost: () => {} });
  await ensurePartitions(db);
  await db.close();
  const [partner, endpoint] = [newId('partner'), newId('webhook_endpoint')];
  const [partnerId, endpointId] = [parseId('partner', partner), parseId('webhook_endpoint', endpoint)];
  await old.sql(`insert into partner (id, name) values ($1, 'Acme')`, [partnerId]);
  await old.sql(
    `insert into webhook_endpoint (id, partner_id, url, environment, ordering, max_concurrency, header_names, status)
     values ($1, $2, 'http://127.0.0.1:1/', 'live', 'none', 1, '{}', 'paused')`,
    [endpointId, partnerId],
  );
  await old.sql('insert into lane (endpoint_id) values ($1)', [endpointId]);
  const now = Date.now();
  const deliveries = [1, 2, 3].map((number) => uuidAt(now - 1_000 + number));
  for (const id of deliveries) {
    await old.sql(
      `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, created_at, completed_at)
       values ($1, $1, 'inventory.updated', $2, $3, 'live', 1, 'failed', 3, now() - interval '1 second', now() - interval '1 second')`,
      [id, partnerId, endpointId],
    );
  }
  const [done = '', running = ''] = [newId('recovery'), newId('recovery')].toSorted();
  const since = '2026-01-01T00:00:00.000Z';
  const until = new Date(now).toISOString();
  await old.sql(
    `insert into recovery (id, endpoint_id, since, until, total, replayed, reached, created_at, completed_at)
     values ($1, $3, $4, $5, 7, 7, null, $5, $5), ($2, $3, $4, $5, 3, 1, $6, $5, null)`,
    [parseId('recovery', done), parseId('recovery', running), endpointId, since, until, deliveries[0]],
  );

  const service = await startTestService(toLoopback, () => old.url);
  const path = `/partners/${partner}/webhook-endpoints/${endpoint}/recover`;
  const read = async (id: string) => (await service.request('GET', `${path}/${id}`)).body;
  await expect.poll(async () => (await read(running)).status).toBe('completed');
  const common = { endpoint_id: endpoint, status: 'completed', since, until, created_at: until };
  const { completed_at: _, ...continued } = await read(running);
  expect(continued).toEqual({ id: running, ...common, total: 3, replayed: 3 });
  expect(await read(done)).toEqual({ id: done, ...common, total: 7, replayed: 7, completed_at: until });
  const { body: all } = await service.request('GET', path);
  expect(all.map(({ id }: { id: string }) => id)).toEqual([done, running]);
  const { body: after } = await service.request('GET', `/partners/${partner}/deliveries`);
  expect(after.map(({ status }: { status: string }) => status)).toEqual(['failed', 'pending', 'pending']);
  expect((await service.request('GET', `/partners/${partner}/replays`)).body).toEqual([]);
  await service.stop();
  await old.drop();
});
