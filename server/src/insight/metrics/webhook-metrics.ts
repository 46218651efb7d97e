// Counts events, deliveries and attempts by outcome, and lost leases.
import { Counter, Histogram, type Registry } from '@prometheus-io/client';
import type { WebhookObserver } from '../../webhooks/index.ts';
import { environments } from '../../webhooks/signing-keys/index.ts';
import { failureReasons } from '../../webhooks/statistics/index.ts';

/** In seconds, up to the longest time that an attempt may take. */
const attemptBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 300];

export function createWebhookMetrics(registry: Registry): WebhookObserver {
  const registers = [registry];
  const events = new Counter({
    name: 'concord_events_published_total',
    help: 'Events that were published, without repeated ones',
    labelNames: ['environment'],
    registers,
  });
  const created = new Counter({
    name: 'concord_deliveries_created_total',
    help: 'Deliveries of the published events',
    labelNames: ['environment'],
    registers,
  });
  const ended = new Counter({
    name: 'concord_deliveries_ended_total',
    help: 'Deliveries that came to an end by an attempt: delivered, or failed for good',
    labelNames: ['environment', 'status'],
    registers,
  });
  const attempts = new Counter({
    name: 'concord_attempts_total',
    help: 'Recorded attempts, by outcome: delivered, or the reason of the failure',
    labelNames: ['environment', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'concord_attempt_duration_seconds',
    help: 'Time of attempts, from the look-up of the name to the end of the answer',
    labelNames: ['result'],
    buckets: attemptBuckets,
    registers,
  });
  const waits = new Histogram({
    name: 'concord_delivery_wait_seconds',
    help: 'Time from publishing to the first attempt of a delivery',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 3_600],
    registers,
  });
  const lost = new Counter({
    name: 'concord_leases_lost_total',
    help: 'Lanes whose lease ended while this process still sent to them, so another process claimed them',
    registers,
  });
  for (const result of ['delivered', 'failed']) durations.zero({ result });
  // A counter that begins with its first event hides that event from rate().
  for (const environment of environments) {
    events.inc({ environment }, 0);
    created.inc({ environment }, 0);
    for (const status of ['delivered', 'failed']) ended.inc({ environment, status }, 0);
    for (const outcome of ['delivered', ...failureReasons]) attempts.inc({ environment, outcome }, 0);
  }
  return {
    published(environment, eventCount, deliveryCount) {
      events.inc({ environment }, eventCount);
      created.inc({ environment }, deliveryCount);
    },
    attempted({ environment, outcome, durationMs, waitMs, status }) {
      attempts.inc({ environment, outcome });
      durations.observe({ result: outcome === 'delivered' ? 'delivered' : 'failed' }, durationMs / 1_000);
      if (waitMs !== null) waits.observe(Math.max(0, waitMs) / 1_000);
      if (status !== 'pending') ended.inc({ environment, status });
    },
    leasesLost: (count) => lost.inc(count),
  };
}
