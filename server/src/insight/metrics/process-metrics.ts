// What a process says about itself.
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

/** Metrics show the last full window, however often they are scraped. */
const windowMs = 10_000;
const resolutionMs = 20;
const kinds: Readonly<Record<number, string>> = {
  1: 'minor',
  4: 'major',
  8: 'incremental',
  16: 'weak_callbacks',
};

type Read = () => number;

function createGauge(registry: Registry, name: string, help: string, read: Read): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function createCounter(registry: Registry, name: string, help: string, read: Read): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function readAtScrape(registry: Registry): void {
  const gauge = createGauge.bind(null, registry);
  const counter = createCounter.bind(null, registry);
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', () => startedAt);
  gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss);
  gauge('nodejs_heap_size_used_bytes', 'Used heap', () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_heap_size_limit_bytes',
    'The heap cannot grow beyond this size',
    () => getHeapStatistics().heap_size_limit,
  );
  counter('process_cpu_seconds_total', 'Processor time of user and system', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  counter(
    'nodejs_eventloop_busy_seconds_total',
    'Time in which the event loop did something',
    () => performance.eventLoopUtilization().active / 1_000,
  );
}

export function createProcessMetrics(registry: Registry) {
  readAtScrape(registry);
  const collections = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Pauses for garbage collection, by kind',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1],
    registers: [registry],
  });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { detail } = entry as PerformanceEntry & { detail: { kind: number } };
      collections.observe({ kind: kinds[detail.kind] ?? 'other' }, entry.duration / 1_000);
    }
  });
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  const last = { p50: 0, p99: 0, max: 0 };
  for (const quantile of ['p50', 'p99', 'max'] as const)
    createGauge(
      registry,
      `nodejs_eventloop_lag_${quantile}_seconds`,
      `Delay of the event loop in the last ${windowMs / 1_000} s`,
      () => last[quantile],
    );

  /** Includes the time between two measurements. */
  const toSeconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
  function turnWindow(): void {
    if (delay.count > 0) {
      last.p50 = toSeconds(delay.percentile(50));
      last.p99 = toSeconds(delay.percentile(99));
      last.max = toSeconds(delay.max);
    }
    delay.reset();
  }

  let timer: NodeJS.Timeout | undefined;
  return {
    start(): void {
      observer.observe({ entryTypes: ['gc'] });
      delay.enable();
      timer = setInterval(turnWindow, windowMs).unref();
    },
    stop(): void {
      clearInterval(timer);
      delay.disable();
      observer.disconnect();
    },
  };
}
