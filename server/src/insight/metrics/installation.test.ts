// What a scrape says about a database that answers late, or never.
import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../../base/postgres/database.ts';
import { createInstallation, type Readers } from './installation.ts';

// No reader of these tests asks it.
const db = createDatabase({ connection: {}, onConnectionLost: () => {} });
afterAll(() => db.close());

const healthy: Readers = {
  backlog: async () => ({ pending: 7, oldest_pending_age_seconds: null }),
  lanes: async () => ({ states: { due: 2 }, oldestDueAge: 5 }),
  keys: async () => [{ environment: 'live', state: 'active', count: 1, ageSeconds: 60 }],
  mail: async () => ({
    waiting: 0,
    failing: 0,
    refusing_domains: 0,
    delayed_recipients: 0,
    oldest_age_seconds: null,
    oldest_unrefused_age_seconds: null,
  }),
  seals: async () => null,
  backup: async () => null,
  database: async () => ({ size_bytes: 1, connections: 1, max_connections: 2, writable: true }),
};
const one = (value: number) => [{ value, labels: {} }];

it('O6: a scrape does not wait for a database that hangs, and shows its answer later', {
  timeout: 10_000,
}, async () => {
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  const late =
    <Value>(read: () => Promise<Value>) =>
    () => {
      asked++;
      return answer.promise.then(read);
    };
  const readers = {
    ...healthy,
    database: late(() => healthy.database(db)),
    backlog: late(() => healthy.backlog(db)),
  };
  const failures: unknown[] = [];
  const { read } = createInstallation({
    db,
    readers,
    patienceMs: 20,
    onFailure: (error) => failures.push(error),
  });
  const valuesOf = async (name: string) => (await read()).find((metric) => metric.name === name)?.values;
  expect(await valuesOf('concord_database_up')).toEqual(one(0));
  expect(await valuesOf('concord_deliveries_pending')).toEqual([]);
  const read0 = (await valuesOf('concord_installation_value_read'))?.filter(({ value }) => value === 0);
  expect(read0?.map(({ labels }) => labels.value)).toEqual(['database', 'backlog']);
  expect(await valuesOf('concord_lanes')).toEqual([{ value: 2, labels: { state: 'due' } }]);
  answer.resolve();
  await expect.poll(() => valuesOf('concord_deliveries_pending')).toEqual(one(7));
  expect(await valuesOf('concord_database_up')).toEqual(one(1));
  // An age of nothing is 0, so that an alert about it ends.
  expect(await valuesOf('concord_deliveries_oldest_pending_age_seconds')).toEqual(one(0));
  expect(asked).toBe(2);
  expect(failures).toEqual([]);
});
