// Decides the HTTP answer. Only a handled event gets a 2xx: after any other status the sender retries, and
// its owner sees the code.
import { WebhookError, type WebhookErrorCode } from './errors.ts';

/** The HTTP answer. 204 acknowledges the delivery; the sender retries after any other status. */
export type WebhookAnswer = {
  readonly status: 204 | 401 | 403 | 413 | 500 | 503;
  readonly code?: string;
  readonly step?: string;
};

const statuses: Partial<Record<WebhookErrorCode, WebhookAnswer['status']>> = {
  // The signature is valid, but this partner may not send here.
  partner_mismatch: 403,
  body_too_large: 413,
  // Mistakes of this server.
  request_invalid: 500,
  body_unreadable: 500,
  // A later attempt can succeed.
  keys_unavailable: 503,
  delivery_in_progress: 503,
  replay_unavailable: 503,
};

/** The answer has no detail of the error: its client may be anyone. */
export function toAnswer(error: unknown): WebhookAnswer {
  if (!(error instanceof WebhookError)) return { status: 500 };
  const { code, step } = error;
  return { status: statuses[code] ?? 401, code, step };
}
