// The status of the installation, and the heartbeat of each instance.
import { type Access, createRoutes } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import { selectQueue } from '../../base/mail/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { withTextTimes } from '../../base/postgres/sql/rows.ts';
import { version } from '../../base/version.ts';
import { type PeriodQuery, readPeriod } from '../../webhooks/statistics/index.ts';
import { createHeartbeat } from './heartbeat.ts';
import * as wire from './schema.ts';
import {
  deleteDead,
  deleteOldTraffic,
  foldTraffic,
  selectDatabaseState,
  selectInstances,
  selectTraffic,
} from './store.ts';
import { add, type Counts, noCounts } from './traffic.ts';

export { type InstanceRow, selectDatabaseState, selectInstances } from './store.ts';
export { createTraffic } from './traffic.ts';

type Options = StatusOptions &
  Parameters<typeof createHeartbeat>[0] & { access: Access; retentionMs: number };

export function createPlatform({ access, retentionMs, ...options }: Options): Feature {
  const readStatus = createReadStatus(options);
  async function readTraffic(query: PeriodQuery): Promise<wire.Traffic> {
    const { from, to, step, stepMs } = readPeriod(query, await readClock(options.db));
    const steps = await selectTraffic(options.db, { from, to, step, stepMs });
    return {
      from: from.toISOString(),
      to: to.toISOString(),
      step,
      ...steps.reduce<Counts>(add, noCounts),
      steps: steps.map(withTextTimes),
    };
  }
  const { start, stop } = createHeartbeat(options);
  return {
    routes(server) {
      const routes = createRoutes(server, 'Platform');
      const operators = access.onPlatform({ resource: 'deliveries', method: 'query' });

      routes.plain('GET', '/platform/status', {
        operationId: 'getPlatformStatus',
        summary: 'Get the status of the installation (operators)',
        description:
          'The version, the database, the running instances, the mail queue, the clocks, and the pending deliveries.',
        access: operators,
        answer: wire.PlatformStatus,
        run: readStatus,
      });

      routes.plain('GET', '/platform/traffic', {
        operationId: 'getPlatformTraffic',
        summary: 'Get how many requests and events there were (operators)',
        description:
          'Of all instances together: the answered requests of operations, without health checks and metrics, and the events that were published. An instance adds its counts every 5 seconds, so the last seconds of one that crashes are missing.',
        access: operators,
        query: wire.TrafficQuery,
        answer: wire.Traffic,
        run: ({ query }) => readTraffic(query),
      });

      server.addHook('onResponse', ({ routeOptions }, { statusCode }, done) => {
        if (isCounted(routeOptions.schema)) options.traffic.answered(statusCode);
        done();
      });
    },
    tasks: [
      { name: 'forget dead instances', intervalMs: 10 * 60_000, run: deleteDead },
      {
        name: 'sum up requests and events by the hour',
        intervalMs: 10 * 60_000,
        async run(tx) {
          await foldTraffic(tx);
          await deleteOldTraffic(tx, retentionMs);
        },
      },
    ],
    start,
    stop,
  };
}

/** Operations of openapi.json: probes would hide what people and programs do. */
const isCounted = (schema: { operationId?: string; tags?: readonly string[] } | undefined): boolean =>
  schema?.operationId !== undefined && schema.operationId !== 'getMetrics' && schema.tags?.[0] !== 'Health';

type StatusOptions = {
  db: Database;
  backlog: () => Promise<wire.PlatformStatus['backlog']>;
};

const createReadStatus =
  ({ db, backlog }: StatusOptions) =>
  async (): Promise<wire.PlatformStatus> => ({
    // First: a wait for a connection would look like a difference.
    clock_difference_ms: await readClockDifference(db),
    version,
    database: await selectDatabaseState(db),
    instances: (await selectInstances(db)).map(withTextTimes),
    mail: await selectQueue(db),
    backlog: await backlog(),
  });

/** Our clock minus the database's, whose time is compared with the middle of two of ours. */
export async function readClockDifference(db: Database): Promise<number> {
  const before = Date.now();
  const there = await readClock(db);
  return Math.round((before + Date.now()) / 2 - there.getTime());
}
