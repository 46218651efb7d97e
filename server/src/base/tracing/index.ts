// `open-telemetry.ts` is imported only when a collector is configured.
export { traceRequests } from './requests.ts';
export { inSpan, noTracing, type Span, type Tracing } from './tracing.ts';
