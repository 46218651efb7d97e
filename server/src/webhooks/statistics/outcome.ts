// The outcome of an attempt as statistics count it: `delivered`, or the reason of its failure. Pure.

export const failureReasons = [
  'address_refused',
  'dns',
  'connection',
  'tls',
  'tls_client',
  'token',
  'timeout',
  'invalid_answer',
  'proxy',
  'internal',
  'expired',
  'restored',
  'redirect',
  'status_4xx',
  'status_5xx',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** The error begins with a reason. */
export function outcomeOf(statusCode: number | null, error: string | null): 'delivered' | FailureReason {
  if (statusCode === null) {
    const reason = error?.split(':', 1)[0];
    return failureReasons.find((each) => each === reason) ?? 'internal';
  }
  if (statusCode >= 200 && statusCode < 300) return 'delivered';
  if (statusCode < 400) return 'redirect';
  return statusCode < 500 ? 'status_4xx' : 'status_5xx';
}
