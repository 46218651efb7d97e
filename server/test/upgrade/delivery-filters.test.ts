// Deliveries that an older version attempted.
import { expect, it } from 'vitest';
import { formatId, newId, parseId, uuidAt } from '../../src/base/ids.ts';
import { createDatabase } from '../../src/base/postgres/database.ts';
import { ensurePartitions } from '../../src/webhooks/history/retention/history.ts';
import { startTestService } from '../start-service.ts';
import { createOlderDatabase } from './older-database.ts';

it('W29, W35: deliveries of an older version are found by their last attempt', async () => {
  const old = await createOlderDatabase('0035');
  const db = createDatabase({ connection: { connectionString: old.url }, onConnectionLost: () => {} });
  await ensurePartitions(db);
  await db.close();
  const partner = newId('partner');
  await old.sql(`insert into partner (id, name) values ($1, 'Acme')`, [parseId('partner', partner)]);
  const now = Date.now();
  const attempts = [
    { status: 'delivered', code: 204, error: null },
    { status: 'failed', code: 404, error: null },
    { status: 'failed', code: null, error: 'timeout: no answer within 15 s' },
    { status: 'failed', code: 302, error: 'redirect: redirects are not followed' },
    { status: 'delivered', code: 200, error: 'internal: the answer could not be stored' },
    { status: 'cancelled', code: null, error: null },
  ];
  const ids: string[] = [];
  for (const [index, { status, code, error }] of attempts.entries()) {
    const id = uuidAt(now - 1_000 + index);
    ids.push(formatId('delivery', id));
    const count = status === 'cancelled' ? 0 : 2;
    await old.sql(
      `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, status, attempt_count, created_at, completed_at)
       values ($1, $1, 'inventory.updated', $2, $1, 'live', 1, $3, $4, now(), now())`,
      [id, parseId('partner', partner), status, count],
    );
    for (const number of [1, 2].slice(0, count)) {
      const last = number === 2;
      await old.sql(
        `insert into attempt (delivery_id, number, started_at, duration_ms, status_code, error) values ($1, $2, now(), 1, $3, $4)`,
        [id, number, last ? code : 503, last ? error : null],
      );
    }
  }

  const service = await startTestService({}, () => old.url);
  const find = async (query: string) => {
    const { body } = await service.request('GET', `/partners/${partner}/deliveries?filter[${query}`);
    return body.map(({ id }: { id: string }) => ids.indexOf(id));
  };
  expect(await find('status_code]=2xx')).toEqual([0, 4]);
  expect(await find('status_code]=204')).toEqual([0]);
  expect(await find('status_code]=404')).toEqual([1]);
  expect(await find('status_code]=3xx')).toEqual([3]);
  expect(await find('status_code]=503')).toEqual([]);
  expect(await find('reason]=timeout')).toEqual([2]);
  expect(await find('reason]=redirect')).toEqual([3]);
  expect(await find('reason]=internal')).toEqual([4]);
  expect(await find('attempt_count]=2..')).toEqual([0, 1, 2, 3, 4]);
  expect(await find('attempt_count]=0')).toEqual([5]);
  await service.stop();
  await old.drop();
});
