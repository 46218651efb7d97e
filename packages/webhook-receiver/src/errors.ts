// What can keep a webhook from being taken: a closed list of codes, and the step at which it happened.
import { SignatureError, type SignatureErrorCode } from '@concord/http-message-signatures';

/**
 * The steps of a verification, in order: `request` (size and characters), `parse` (Signature-Input and Signature),
 * `requirements` (what the webhook profile asks), `fetch_keys`, `find_key`, `rebuild` (the signature base), `verify`,
 * `digest` (the body), `event` (the body is an event), `replay` (the receiver's own guard).
 */
export type WebhookStep =
  | 'request'
  | 'parse'
  | 'requirements'
  | 'fetch_keys'
  | 'find_key'
  | 'rebuild'
  | 'verify'
  | 'digest'
  | 'event'
  | 'replay';

/**
 * The codes of `SignatureError`, and those of a receiver:
 *
 * | Code | Meaning |
 * |---|---|
 * | `body_unreadable` | the body was read or parsed before: the raw bytes are needed |
 * | `body_too_large` | the body is beyond `maxBodyBytes` |
 * | `keys_unavailable` | the JWKS cannot be had, and what was cached is too old |
 * | `event_invalid` | the body is signed, and is no event |
 * | `delivery_in_progress` | the same delivery is being handled right now |
 * | `replay_unavailable` | the store of the replay guard failed or is full |
 */
export type WebhookErrorCode =
  | SignatureErrorCode
  | 'body_unreadable'
  | 'body_too_large'
  | 'keys_unavailable'
  | 'event_invalid'
  | 'delivery_in_progress'
  | 'replay_unavailable';

/** Everything that this package throws about a webhook. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;
  readonly step: WebhookStep;

  constructor(code: WebhookErrorCode, step: WebhookStep, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookError';
    this.code = code;
    this.step = step;
  }
}

/** Runs one step: what is wrong with the signature there says so. */
export async function runStep<Result>(step: WebhookStep, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof SignatureError) throw new WebhookError(cause.code, step, cause.message, { cause });
    throw cause;
  }
}
