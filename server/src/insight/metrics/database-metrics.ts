// Counts statements, their time and their errors, and reads the state of each pool at a scrape.
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { DatabaseObserver } from '../../base/postgres/database.ts';
import type { Tracing } from '../../base/tracing/index.ts';
import { latencyBuckets } from './http-metrics.ts';

type Pool = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max: number };
};

const poolGauges: readonly (readonly [name: string, help: string, read: (pool: Pool) => number])[] = [
  ['connections', 'Open connections, by pool', ({ totalCount }) => totalCount],
  ['idle', 'Idle connections, by pool', ({ idleCount }) => idleCount],
  ['waiting', 'Requests for a connection that wait, by pool', ({ waitingCount }) => waitingCount],
  ['max', 'The most connections, by pool', ({ options }) => options.max],
];

/** Shared by access reads. No pool. */
const shared = 'access';

export function createDatabaseMetrics(registry: Registry) {
  const registers = [registry];
  const pools = new Map<string, Pool>();
  /** Names are written in the code, so their number is bounded. */
  const statements = new Map<string, { count: number; ms: number }>();

  const durations = new Histogram({
    name: 'concord_database_statement_duration_seconds',
    help: 'Time of statements as Concord waits for them, by pool',
    labelNames: ['pool'],
    buckets: latencyBuckets,
    registers,
  });
  const waits = new Histogram({
    name: 'concord_database_pool_wait_seconds',
    help: 'Time that transactions waited for a connection, by pool',
    labelNames: ['pool'],
    buckets: latencyBuckets,
    registers,
  });
  const errors = new Counter({
    name: 'concord_database_errors_total',
    help: 'Failed statements, by class: the first two characters of the SQLSTATE, connection, pool_timeout or query_timeout',
    labelNames: ['class'],
    registers,
  });
  for (const each of ['connection', 'pool_timeout', 'query_timeout', '53', '57', '58', 'XX'])
    errors.inc({ class: each }, 0);
  const total = (name: string, help: string, read: (tally: { count: number; ms: number }) => number) =>
    new Counter({
      name,
      help,
      labelNames: ['statement'],
      registers,
      collect() {
        this.reset();
        for (const [statement, tally] of statements) this.inc({ statement }, read(tally));
      },
    });
  total('concord_database_statements_total', 'Statements, by name', ({ count }) => count);
  total('concord_database_statement_seconds_total', 'Time of statements, by name', ({ ms }) => ms / 1_000);

  for (const [name, help, read] of poolGauges)
    new Gauge({
      name: `concord_database_pool_${name}`,
      help,
      labelNames: ['pool'],
      registers,
      collect() {
        for (const [pool, counts] of pools) this.set({ pool }, read(counts));
      },
    });

  return {
    watchPool: (pool: string, counts: Pool): void => void pools.set(pool, counts),

    observerOf: (pool: string, tracing: Tracing): DatabaseObserver => ({
      statement(name, startedAt, error, isShared) {
        const ms = performance.now() - startedAt;
        durations.observe({ pool: isShared ? shared : pool }, ms / 1_000);
        const tally = statements.get(name);
        if (tally) {
          tally.count++;
          tally.ms += ms;
        } else statements.set(name, { count: 1, ms });
        if (error !== undefined) errors.inc({ class: classOf(error) });
        tracing.statement(name, startedAt, error);
      },
      connected(startedAt, error) {
        waits.observe({ pool }, (performance.now() - startedAt) / 1_000);
        if (error !== undefined) errors.inc({ class: classOf(error) });
      },
    }),
  };
}

/** An error with a severity comes from PostgreSQL, and has a SQLSTATE. The driver's have only a message. */
function classOf(error: unknown): string {
  const { severity, code, message } = error as { severity?: unknown; code?: unknown; message?: unknown };
  if (severity !== undefined) return String(code).slice(0, 2);
  if (message === 'timeout exceeded when trying to connect') return 'pool_timeout';
  return message === 'Query read timeout' ? 'query_timeout' : 'connection';
}
