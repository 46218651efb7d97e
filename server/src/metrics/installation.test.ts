// What a scrape says about a database that answers late, or never.
import { afterAll, expect, it } from 'vitest';
import { createDatabase } from '../postgres/database.ts';
import { createInstallation, type Readers } from './installation.ts';

// No reader of these tests asks it.
const db = createDatabase({ connection: {}, onConnectionLost: () => {} });
afterAll(() => db.close());

const readersWith = (backlog: Readers['backlog']): Readers => ({
  backlog,
  lanes: async () => ({ states: { due: 2 }, oldestDueAge: 5 }),
  keys: async () => [{ environment: 'live', state: 'active', count: 1, ageSeconds: 60 }],
  mail: async () => ({ waiting: 0, failing: 0, oldest_age_seconds: null }),
  sealDelay: async () => null,
  database: async () => ({ size_bytes: 1, connections: 1, max_connections: 2, writable: true }),
});

it('O6: a scrape does not wait for a database that hangs, and shows its answer later', { timeout: 10_000 }, async () => {
  const answer = Promise.withResolvers<Awaited<ReturnType<Readers['backlog']>>>();
  let asked = 0;
  const readers = readersWith(() => {
    asked++;
    return answer.promise;
  });
  const failures: unknown[] = [];
  const { read } = createInstallation({ db, readers, patienceMs: 20, onFailure: (error) => failures.push(error) });
  const valuesOf = async (name: string) => (await read()).find((metric) => metric.name === name)?.values;
  expect(await valuesOf('concord_database_up')).toEqual([{ value: 0, labels: {} }]);
  expect(await valuesOf('concord_deliveries_pending')).toEqual([]);
  answer.resolve({ pending: 7, oldest_pending_age_seconds: null });
  await expect.poll(() => valuesOf('concord_deliveries_pending')).toEqual([{ value: 7, labels: {} }]);
  expect(await valuesOf('concord_database_up')).toEqual([{ value: 1, labels: {} }]);
  expect(await valuesOf('concord_lanes')).toEqual([{ value: 2, labels: { state: 'due' } }]);
  // An age of nothing is 0, so that an alert about it ends.
  expect(await valuesOf('concord_deliveries_oldest_pending_age_seconds')).toEqual([{ value: 0, labels: {} }]);
  expect(asked).toBe(1);
  expect(failures).toEqual([]);
});
