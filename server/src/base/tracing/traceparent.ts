// The header traceparent (W3C Trace Context, section 3.2).
import type { SpanContext } from '@opentelemetry/api';

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const sampled = 1;

/** Undefined: the header is missing, there are several, or it is not valid. */
export function readTraceparent(header: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = pattern.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  // Version 00 has four parts. Later versions can have more.
  if (header?.startsWith('00') && header.length !== 55) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & sampled, isRemote: true };
}

export const writeTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${(traceFlags & sampled).toString(16).padStart(2, '0')}`;
