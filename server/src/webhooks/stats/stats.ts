// What can be asked about deliveries in a period: of endpoints, of a partner, and of the platform.
import type { Granted } from '../../access/index.ts';
import { invalidRequest } from '../../errors.ts';
import { formatId, parseId } from '../../ids.ts';
import type { Database, Queryable } from '../../postgres/database.ts';
import { readClock } from '../../postgres/sql/clock.ts';
import {
  nothing,
  type Period,
  type PeriodQuery,
  readPeriod,
  readStatistics,
  type Statistics,
  selectRecent,
} from '../../statistics/index.ts';
import type { EndpointRow } from '../endpoints/store.ts';
import type { EndpointStats, Stats } from './schema.ts';
import * as store from './store.ts';

/** The most steps of several endpoints together: a bound of the answer. */
const maxStepsTogether = 3_000;
/** Minutes have no sums for the whole platform. */
const finePlatformMs = 6 * 3_600_000;

export type StatsOperations = ReturnType<typeof createStats>;

export function createStats({ db }: { db: Database }) {
  async function ofEndpoints(partnerId: string, endpointIds: readonly string[], period: Period): Promise<EndpointStats[]> {
    const [statistics, pending] = await Promise.all([
      readStatistics(db, { partnerId, endpointIds }, period),
      store.selectPendingOf(db, endpointIds),
    ]);
    const recent = await selectRecent(
      db,
      endpointIds.map((endpoint_id) => ({ partner_id: partnerId, endpoint_id })),
    );
    return endpointIds.map((id) => ({
      endpoint_id: formatId('webhook_endpoint', id),
      ...toStats(period, statistics.get(id), pending.get(id) ?? { pending: 0, age: null }),
      recent: recent.get(id) ?? { attempts: 0, delivered: 0 },
    }));
  }

  async function ofAll(partnerId: string | null, period: Period): Promise<Stats> {
    const [statistics, pending] = await Promise.all([
      readStatistics(db, partnerId === null ? 'platform' : { partnerId }, period),
      store.selectPending(db, partnerId),
    ]);
    return toStats(period, statistics.get(null), pending);
  }

  return {
    async endpoint({ partnerId, row }: Granted<EndpointRow>, query: PeriodQuery): Promise<EndpointStats> {
      const [stats] = await ofEndpoints(partnerId, [row.endpoint_id], readPeriod(query, await readClock(db)));
      if (stats === undefined) throw new Error('one endpoint has one answer');
      return stats;
    },

    /** Ids that are not of an endpoint of the partner are left out. @throws ServiceError invalid_request */
    async endpoints({ partnerId }: Granted, ids: string | undefined, query: PeriodQuery): Promise<EndpointStats[]> {
      const period = readPeriod(query, await readClock(db));
      const asked = ids?.split(',').flatMap((id) => parseId('webhook_endpoint', id) ?? []) ?? null;
      const endpointIds = await store.selectEndpointIds(db, partnerId, asked);
      const count = endpointIds.length * ((period.to.getTime() - period.from.getTime()) / period.stepMs);
      if (count > maxStepsTogether) {
        throw invalidRequest(
          '/step',
          `must be longer: ${count} steps of all endpoints, and at most ${maxStepsTogether} are allowed`,
        );
      }
      return ofEndpoints(partnerId, endpointIds, period);
    },

    partner: async ({ partnerId }: Granted, query: PeriodQuery): Promise<Stats> =>
      ofAll(partnerId, readPeriod(query, await readClock(db))),

    async backlog(on: Queryable = db): Promise<Pick<Stats, 'pending' | 'oldest_pending_age_seconds'>> {
      const { pending, age } = await store.selectPending(on, null);
      return { pending, oldest_pending_age_seconds: age };
    },

    platform: async (query: PeriodQuery): Promise<Stats> => ofAll(null, readPeriod(query, await readClock(db), finePlatformMs)),
  };
}

const toStats = ({ from, to, step }: Period, statistics: Statistics = nothing, { pending, age }: store.Pending): Stats => ({
  ...{ from: from.toISOString(), to: to.toISOString(), step },
  ...statistics,
  pending,
  oldest_pending_age_seconds: age,
});
