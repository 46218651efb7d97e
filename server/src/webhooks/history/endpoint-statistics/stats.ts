// What can be asked about deliveries in a period: of endpoints, of a partner, and of the platform.
import type { Caller, Granted } from '../../../access/index.ts';
import { invalidRequest } from '../../../base/errors.ts';
import { formatId, parseId } from '../../../base/ids.ts';
import { createDatabaseQueue } from '../../../base/limits/index.ts';
import type { Database, Queryable } from '../../../base/postgres/database.ts';
import { readClock } from '../../../base/postgres/sql/clock.ts';
import { requireRow } from '../../../base/postgres/sql/rows.ts';
import type { EndpointRow } from '../../endpoints/store.ts';
import {
  nothing,
  type Period,
  type PeriodQuery,
  readPeriod,
  readStatistics,
  type Statistics,
  selectRecent,
} from '../../statistics/index.ts';
import { createKeptCounts } from './kept-counts.ts';
import type { EndpointStats, Stats } from './schema.ts';
import * as store from './store.ts';

/** Bounds the answer for several endpoints. */
const maxStepsTogether = 3_000;
/** Minutes have no sums for the whole platform. */
const finePlatformMs = 6 * 3_600_000;
/** Each open tab of the console asks all the time. Few reads run at once, so some connections stay free. */
const readLimits = { name: 'statistics', what: 'requests for statistics of a user' };

export type StatsOperations = ReturnType<typeof createStats>;

export function createStats({ db }: { db: Database }) {
  const inTurn = createDatabaseQueue(db, readLimits);
  const countsOf = createKeptCounts<readonly store.PendingOf[]>();
  const countsOfAll = createKeptCounts<readonly store.Pending[]>();

  async function ofEndpoints(
    { partnerId, actor }: Granted,
    endpointIds: readonly string[],
    period: Period,
  ): Promise<EndpointStats[]> {
    const asked = endpointIds.map((endpoint_id) => ({ partner_id: partnerId, endpoint_id }));
    const { statistics, counts, recent } = await inTurn(actor.userId, async () => ({
      statistics: await readStatistics(db, { partnerId, endpointIds }, period),
      counts: await countsOf(endpointIds.join(' '), () => store.selectPendingOf(db, endpointIds)),
      recent: await selectRecent(db, asked),
    }));
    const pending = new Map(counts.map((count) => [count.endpoint_id, count]));
    return endpointIds.map((id) => ({
      endpoint_id: formatId('webhook_endpoint', id),
      ...toStats(period, statistics.get(id), pending.get(id)),
      recent: recent.get(id) ?? { attempts: 0, delivered: 0 },
    }));
  }

  async function ofAll(userId: string, partnerId: string | null, period: Period): Promise<Stats> {
    const count = async () => [await store.selectPending(db, partnerId)];
    const { statistics, counts } = await inTurn(userId, async () => ({
      statistics: await readStatistics(db, { partnerId }, period),
      counts: await countsOfAll(partnerId ?? 'platform', count),
    }));
    return toStats(period, statistics.get(null), counts[0]);
  }

  return {
    async endpoint(granted: Granted<EndpointRow>, query: PeriodQuery): Promise<EndpointStats> {
      const period = readPeriod(query, await readClock(db));
      return requireRow(await ofEndpoints(granted, [granted.row.endpoint_id], period), 'endpoint');
    },

    /** Ids that are not of an endpoint of the partner are left out. @throws ServiceError invalid_request */
    async endpoints(granted: Granted, ids: string | undefined, query: PeriodQuery): Promise<EndpointStats[]> {
      const period = readPeriod(query, await readClock(db));
      const asked = ids?.split(',').flatMap((id) => parseId('webhook_endpoint', id) ?? []);
      const endpointIds = await store.selectEndpointIds(db, granted.partnerId, asked);
      const count = endpointIds.length * ((period.to.getTime() - period.from.getTime()) / period.stepMs);
      const problem = `must be longer: ${count} steps of all endpoints, and at most ${maxStepsTogether} are allowed`;
      if (count > maxStepsTogether) throw invalidRequest('/step', problem);
      return ofEndpoints(granted, endpointIds, period);
    },

    partner: async ({ partnerId, actor }: Granted, query: PeriodQuery) =>
      ofAll(actor.userId, partnerId, readPeriod(query, await readClock(db))),

    async backlog(on: Queryable = db): Promise<Pick<Stats, 'pending' | 'oldest_pending_age_seconds'>> {
      const { pending, age } = await store.selectPending(on, null);
      return { pending, oldest_pending_age_seconds: age };
    },

    platform: async ({ actor }: Caller, query: PeriodQuery) =>
      ofAll(actor.userId, null, readPeriod(query, await readClock(db), finePlatformMs)),
  };
}

const toStats = (
  { from, to, step }: Period,
  statistics: Statistics = nothing,
  { pending, age }: store.Pending = { pending: 0, age: null },
): Stats => ({
  from: from.toISOString(),
  to: to.toISOString(),
  step,
  ...statistics,
  pending,
  oldest_pending_age_seconds: age,
});
