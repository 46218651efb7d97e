// The route is the pattern, such as /partners/:id.
import { Counter, Histogram, type Registry } from '@prometheus-io/client';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The upper ends of the buckets of requests and statements, in seconds. */
export const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createHttpMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'concord_http_requests_total',
    help: 'Answered requests, by route pattern, method and status',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'concord_http_request_duration_seconds',
    help: 'Time from the header of a request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: latencyBuckets,
    registers: [registry],
  });
  return {
    /** `route` undefined: no route has this path. */
    answered(method: string, route: string | undefined, status: number, ms: number): void {
      const labels = { method: methods.has(method) ? method : 'other', route: route ?? 'unknown' };
      requests.inc({ ...labels, status: String(status) });
      durations.observe(labels, ms / 1_000);
    },
  };
}
