// What a process says about itself: processor, memory, garbage collection and the delay of its event loop.
import { monitorEventLoopDelay, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

/** The delay is that of the last full window, whoever scrapes and how often. */
const windowMs = 10_000;
const resolutionMs = 20;
const kinds: Readonly<Record<number, string>> = {
  1: 'minor',
  4: 'major',
  8: 'incremental',
  16: 'weak_callbacks',
};

export function createProcessMetrics(registry: Registry) {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge('process_start_time_seconds', 'When the process started, in seconds since 1970', () => startedAt);
  gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss);
  gauge('nodejs_heap_size_used_bytes', 'Used heap', () => process.memoryUsage().heapUsed);
  gauge(
    'nodejs_heap_size_limit_bytes',
    'The heap cannot grow beyond this size',
    () => getHeapStatistics().heap_size_limit,
  );
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Counter({
    name: 'nodejs_eventloop_busy_seconds_total',
    help: 'Time in which the event loop did something',
    registers,
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1_000);
    },
  });
  const collections = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Pauses for garbage collection, by kind',
    labelNames: ['kind'],
    buckets: [0.001, 0.01, 0.1, 1],
    registers,
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
    gauge(
      `nodejs_eventloop_lag_${quantile}_seconds`,
      `Delay of the event loop in the last ${windowMs / 1_000} s`,
      () => last[quantile],
    );

  /** What is measured includes the time between two measurements. */
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
