// The entry point of tracing. `open-telemetry.ts` is not exported: the program imports it only when a collector is
// configured.
export { traceRequests } from './requests.ts';
export { inSpan, noTracing, type Span, type Tracing } from './tracing.ts';
