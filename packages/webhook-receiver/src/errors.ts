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
 * | `partner` | the event belongs to your partner |
 * | `replay` | the delivery is not being handled already (only in `createWebhookReceiver`) |
 * | `checkpoint` | a checkpoint is well-formed and of your endpoint, and its list has the signed root (not for webhooks) |
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
  | 'partner'
  | 'replay'
  | 'checkpoint';

/**
 * The codes of `SignatureError`, and these:
 *
 * | Code | Meaning |
 * |---|---|
 * | `request_invalid` | the argument is not a request (a mistake of this server) |
 * | `body_unreadable` | something read or parsed the body before: pass the raw body; or a request ended early |
 * | `body_too_large` | the body is larger than `maxBodyBytes` |
 * | `keys_unavailable` | fetching the JWKS fails, and the cached document is missing or too old |
 * | `event_invalid` | the signed body is not an event |
 * | `partner_mismatch` | the event belongs to a partner that `partnerId` does not name |
 * | `delivery_in_progress` | the same delivery is being handled |
 * | `replay_unavailable` | the replay store fails or is full |
 * | `checkpoint_invalid` | the text is not a checkpoint, or one of another endpoint |
 * | `checkpoint_mismatch` | the list of a checkpoint does not have its signed count and root |
 * | `api_unavailable` | Concord does not answer a read with 200 |
 */
export type WebhookErrorCode =
  | SignatureErrorCode
  | 'request_invalid'
  | 'body_unreadable'
  | 'body_too_large'
  | 'keys_unavailable'
  | 'event_invalid'
  | 'partner_mismatch'
  | 'delivery_in_progress'
  | 'replay_unavailable'
  | 'checkpoint_invalid'
  | 'checkpoint_mismatch'
  | 'api_unavailable';

/** What was checked when a signature is invalid. It is for your log: do not send it to the client. */
export type SignatureDetail = {
  /** The URL that was checked. */
  readonly url: string;
  /** The signature base that was checked: the text that the sender must have signed. */
  readonly base: string;
  /** A similar URL for which the signature is valid. The sender signed this one. */
  readonly verifiesWith?: string | undefined;
};

/** Thrown by every function of this package for a webhook that it refuses. */
export class WebhookError extends Error {
  readonly code: WebhookErrorCode;
  readonly step: WebhookStep;
  /** Only with the code `signature_invalid`. */
  declare readonly detail?: SignatureDetail;

  constructor(
    code: WebhookErrorCode,
    step: WebhookStep,
    message: string,
    { detail, ...options }: ErrorOptions & { detail?: SignatureDetail } = {},
  ) {
    super(message, options);
    this.name = 'WebhookError';
    this.code = code;
    this.step = step;
    if (detail) this.detail = detail;
  }
}

/** Runs one step and converts each `SignatureError` into a `WebhookError` with the step. */
export async function runStep<Result>(
  step: WebhookStep,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof SignatureError) throw new WebhookError(cause.code, step, cause.message, { cause });
    throw cause;
  }
}
