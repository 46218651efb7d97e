// What a phase of a simulation shows, as numbers and as a row of a Markdown table.
import { percentile } from '../statistics.ts';
import type { Clock } from './clock.ts';
import type { Shard } from './shard.ts';

export type Phase = {
  readonly name: string;
  readonly seconds: number;
  readonly deliveredPerSecond: number;
  /** From the first request to the acknowledgement, refused tries included. */
  readonly publishMs: { readonly p50: number; readonly p99: number };
  /** From the first request to the first byte at the receiver. */
  readonly deliveryMs: { readonly p50: number; readonly p99: number };
  /** Of the busiest database, API process and worker process; the shares are between 0 and 1. */
  readonly busiest: {
    readonly postgres: number;
    readonly api: number;
    readonly worker: number;
    readonly fsyncsPerSecond: number;
  };
  readonly groupSize: number;
  readonly refused: number;
  /** Events that a producer has sent and no receiver has got, at the end. */
  readonly backlog: number;
};

const heading = [
  'phase',
  'seconds',
  'delivered/s',
  'publish p50 / p99, ms',
  'delivery p50 / p99, ms',
  'busiest PostgreSQL',
  'busiest API',
  'busiest worker',
  'fsyncs/s there',
  'events in a group',
  'refused',
  'backlog at the end',
];

export type Probe = {
  acknowledged(latencyMs: number): void;
  arrived(latencyMs: number): void;
  sent(): void;
  refused(): void;
  grouped(): void;
  /** Ends the phase, and begins another one. */
  next(name: string): void;
  end(): Phase[];
};

export function createProbe(clock: Clock, shards: readonly Shard[], first: string): Probe {
  const phases: Phase[] = [];
  let backlog = 0;
  let current = begin(first);

  function begin(name: string) {
    return {
      name,
      fromMs: clock.nowMs,
      busy: shards.map(readBusy),
      publishMs: [] as number[],
      deliveryMs: [] as number[],
      groups: 0,
      refused: 0,
    };
  }

  function close(): void {
    const { name, fromMs, busy, publishMs, deliveryMs, groups, refused } = current;
    const lengthMs = clock.nowMs - fromMs;
    if (lengthMs === 0) return;
    const shares = shards.map((shard, index) => {
      const now = readBusy(shard);
      const before = busy[index] ?? now;
      const share = (after: readonly number[], from: readonly number[]) =>
        Math.max(...after.map((each, process) => (each - (from[process] ?? each)) / lengthMs));
      return {
        postgres: (now.postgres - before.postgres) / lengthMs / shard.database.host.cores,
        api: share(now.apis, before.apis),
        worker: share(now.workers, before.workers),
        fsyncsPerSecond: ((now.fsyncs - before.fsyncs) * 1_000) / lengthMs,
      };
    });
    const most = (key: 'postgres' | 'api' | 'worker' | 'fsyncsPerSecond') =>
      Math.max(...shares.map((each) => each[key]));
    const both = (values: number[]) => ({ p50: percentile(values, 0.5), p99: percentile(values, 0.99) });
    phases.push({
      name,
      seconds: lengthMs / 1_000,
      deliveredPerSecond: (deliveryMs.length * 1_000) / lengthMs,
      publishMs: both(publishMs),
      deliveryMs: both(deliveryMs),
      busiest: {
        postgres: most('postgres'),
        api: most('api'),
        worker: most('worker'),
        fsyncsPerSecond: most('fsyncsPerSecond'),
      },
      groupSize: publishMs.length / groups,
      refused,
      backlog,
    });
  }

  return {
    sent: () => void backlog++,
    acknowledged: (latencyMs) => void current.publishMs.push(latencyMs),
    arrived(latencyMs) {
      backlog--;
      current.deliveryMs.push(latencyMs);
    },
    refused: () => void current.refused++,
    grouped: () => void current.groups++,
    next(name) {
      close();
      current = begin(name);
    },
    end() {
      close();
      return phases;
    },
  };
}

const readBusy = ({ database, apis, workers }: Shard) => ({
  postgres: database.host.busyMs,
  fsyncs: database.fsyncs,
  apis: apis.map(({ busyMs }) => busyMs),
  workers: workers.map(({ busyMs }) => busyMs),
});

const round = (value: number) => (Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-');
const percent = (share: number) => `${Math.round(share * 100)} %`;

const cellsOf = ({
  name,
  seconds,
  deliveredPerSecond,
  publishMs,
  deliveryMs,
  busiest,
  groupSize,
  refused,
  backlog,
}: Phase) => [
  name,
  seconds.toFixed(1),
  round(deliveredPerSecond),
  `${round(publishMs.p50)} / ${round(publishMs.p99)}`,
  `${round(deliveryMs.p50)} / ${round(deliveryMs.p99)}`,
  percent(busiest.postgres),
  percent(busiest.api),
  percent(busiest.worker),
  round(busiest.fsyncsPerSecond),
  round(groupSize),
  round(refused),
  round(backlog),
];

export const toTable = (phases: readonly Phase[]): string =>
  [heading, heading.map(() => '---'), ...phases.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
