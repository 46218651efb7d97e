// Checks how many of the last events of a partner a filter would let through (behaviour W69).
import type { Granted } from '../../access/index.ts';
import { holds } from '../../access/permissions/index.ts';
import { forbidden } from '../../base/errors.ts';
import { formatId } from '../../base/ids.ts';
import { createDatabaseQueue } from '../../base/limits/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import { LimitError, type Pool } from '../../base/threads/pool.ts';
import { requireFilter, requireTypes } from '../endpoints/change.ts';
import { type CheckFilter, type FilterCheck, maxShown } from './schema.ts';
import * as store from './store.ts';
import { sliced } from './write-events.ts';

const maxEvents = 1_000;
const maxBytes = 16 * 2 ** 20;
/** Per job of a thread. */
const atOnce = { items: maxEvents, bytes: 2 ** 20 };
const deadlineMs = 10_000;
const limits = {
  name: 'filter-checks',
  concurrencyPerGroup: 1,
  what: 'checks of filters of a partner',
};

export type CheckOfFilter = ReturnType<typeof createFilterCheck>;

export function createFilterCheck({ db, pool }: { db: Database; pool: Pool }) {
  const inTurn = createDatabaseQueue(db, limits);

  async function examine(granted: Granted, { filter, event_types, environment }: CheckFilter) {
    const startedAt = performance.now();
    const { partnerId, actor } = granted;
    const last = await store.selectLastEvents(db, partnerId, environment ?? 'live', maxEvents);
    const wanted = last.filter(({ type }) => event_types?.includes(type) ?? true);
    const check: FilterCheck = { examined: 0, matching: 0, complete: true, filtered_event_ids: [] };
    let bytes = 0;
    for (const some of sliced(wanted, (event) => event.bytes, atOnce)) {
      if (bytes >= maxBytes || performance.now() - startedAt > deadlineMs)
        return { ...check, complete: false };
      const ids = some.map(({ id }) => id);
      const rows = await store.selectBodies(db, ids);
      const input = { filter: JSON.stringify(filter), bodies: rows.map(({ body }) => body) };
      const options = { caller: actor.userId, deadlineMs };
      const verdicts = (await pool.run('findMatching', input, options).catch(ifLate)) as boolean[] | null;
      if (verdicts === null) return { ...check, complete: false };
      check.examined += rows.length;
      check.matching += verdicts.filter(Boolean).length;
      const filtered = rows.filter((_, index) => verdicts[index] === false);
      check.filtered_event_ids.push(...filtered.map(({ id }) => formatId('event', id)));
      bytes += rows.reduce((sum, { body }) => sum + body.length, 0);
    }
    return check;
  }

  /** @throws ServiceError forbidden, invalid_request, rate_limited */
  return async (granted: Granted, body: CheckFilter): Promise<FilterCheck> => {
    const { principal, membership, partnerId } = granted;
    // The counts tell what is in the events.
    if (!holds(principal, membership, [{ resource: 'events', method: 'query' }]))
      throw forbidden('Checking a filter also requires the permission events.query.');
    await requireTypes(db, partnerId, body.event_types ?? [], { mayBeArchived: true });
    await requireFilter(db, partnerId, body.filter, body.event_types ?? null);
    const check = await inTurn(partnerId, () => examine(granted, body));
    return { ...check, filtered_event_ids: check.filtered_event_ids.slice(0, maxShown) };
  };
}

function ifLate(error: unknown): null {
  if (error instanceof LimitError) return null;
  throw error;
}
