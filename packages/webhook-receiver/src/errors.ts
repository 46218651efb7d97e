// The error class of this package: a closed list of codes, and the step of the verification that failed.
import { SignatureError, type SignatureErrorCode } from '@concord/http-message-signatures';

/**
 * The steps of a verification, in order.
 *
 * | Step | What it checks |
 * |---|---|
 * | `request` | the sizes and characters of the request |
 * | `parse` | the syntax of Signature-Input and Signature |
 * | `requirements` | the covered components and the parameters |
 * | `fetch_keys` | the JWKS is available |
 * | `find_key` | the JWKS has the key |
 * | `rebuild` | the signature base can be created |
 * | `verify` | the signature |
 * | `digest` | Content-Digest matches the body |
 * | `event` | the body is an event |
 * | `replay` | the delivery is not being handled already (only in `createWebhookReceiver`) |
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
 * The codes of `SignatureError`, and these:
 *
 * | Code | Meaning |
 * |---|---|
 * | `body_unreadable` | something read or parsed the body before; pass the raw bytes |
 * | `body_too_large` | the body is larger than `maxBodyBytes` |
 * | `keys_unavailable` | fetching the JWKS fails, and the cached document is missing or too old |
 * | `event_invalid` | the signed body is not an event |
 * | `delivery_in_progress` | the same delivery is being handled |
 * | `replay_unavailable` | the replay store fails or is full |
 */
export type WebhookErrorCode =
  | SignatureErrorCode
  | 'body_unreadable'
  | 'body_too_large'
  | 'keys_unavailable'
  | 'event_invalid'
  | 'delivery_in_progress'
  | 'replay_unavailable';

/** Thrown by every function of this package for a webhook that it refuses. */
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

/** Runs one step and converts each `SignatureError` into a `WebhookError` with the step. */
export async function runStep<Result>(step: WebhookStep, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof SignatureError) throw new WebhookError(cause.code, step, cause.message, { cause });
    throw cause;
  }
}
