// The receiver: verifies webhooks, guards against replays, calls the handler once, and decides the answer.
import { WebhookError } from './errors.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-guard.ts';
import type { WebhookRequest } from './request.ts';
import { defaults, type VerifiedWebhook, type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';

export type WebhookReceiverOptions = VerifyWebhookOptions & {
  /** The endpoint's public URL, as registered. Not taken from the request: an attacker could name another endpoint there. */
  readonly url: string;
  /** Handles the event. When it returns, the event is acknowledged; when it throws, the sender retries. */
  readonly handle: (event: WebhookEvent, webhook: VerifiedWebhook) => void | Promise<void>;
  /** Called with the `WebhookError` of each refused webhook, and with errors of `handle` and of the replay store. */
  readonly onError: (error: unknown) => void;
  /** The replay store; in memory by default. Several instances need a shared one. */
  readonly replay?: ReplayStore | undefined;
  /** How long a handled delivery is remembered. The minimum and default is `2 * toleranceSeconds + 1`. */
  readonly keepSeconds?: number | undefined;
  /** How long a claim lasts; 60 by default. After that, for example after a crash, a retry is handled. */
  readonly leaseSeconds?: number | undefined;
};

/** The HTTP answer. 204 acknowledges the delivery; the sender retries after any other status. */
export type WebhookAnswer = { readonly status: 204 | 401 | 413 | 500 | 503; readonly code?: string; readonly step?: string };

export type WebhookReceiver = {
  /** Verifies and handles one request. Errors go to `onError` and set the status; it throws only when `onError` throws. */
  receive(request: Request | Omit<WebhookRequest, 'url'>): Promise<WebhookAnswer>;
  /** For adapters: they stop reading a larger body. */
  readonly maxBodyBytes: number;
};

/**
 * Creates a receiver for one endpoint. The adapters turn it into a handler for your server.
 *
 * @throws {RangeError} when `keepSeconds` is below its minimum or `leaseSeconds` is not positive
 * @throws {TypeError} when `url` is not an absolute URL
 * @example
 * const receiver = createWebhookReceiver({
 *   url: 'https://hooks.example.com/concord',
 *   keys: createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' }),
 *   handle: async (event) => console.log(event.type, event.data),
 *   onError: console.error,
 * });
 * createServer(toNodeHandler(receiver)).listen(8080);
 */
export function createWebhookReceiver(options: WebhookReceiverOptions): WebhookReceiver {
  const {
    handle,
    onError,
    toleranceSeconds = defaults.toleranceSeconds,
    maxBodyBytes = defaults.maxBodyBytes,
    leaseSeconds = 60,
    now,
  } = options;
  // A captured request verifies from `created - tolerance` to `created + tolerance`, both seconds included.
  const minKeepSeconds = 2 * toleranceSeconds + 1;
  const { keepSeconds = minKeepSeconds, replay = createMemoryReplayStore(now ? { now } : {}) } = options;
  if (!(keepSeconds >= minKeepSeconds && leaseSeconds > 0)) {
    throw new RangeError(`keepSeconds must be at least ${minKeepSeconds}, and leaseSeconds must be more than 0`);
  }
  const url = new URL(options.url).href;

  /** Calls the replay store and marks its errors, so they differ from errors of the handler. */
  async function callStore<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (cause) {
      throw new WebhookError('replay_unavailable', 'replay', 'The replay store failed', { cause });
    }
  }

  async function handleOnce(webhook: VerifiedWebhook): Promise<void> {
    // Neither part can have a line break, so the key is unambiguous.
    const key = `${webhook.id}\n${webhook.url}`;
    const owner = crypto.randomUUID();
    const claim = await callStore(() => replay.claim(key, owner, leaseSeconds * 1_000));
    if (claim === 'done') return;
    if (claim === 'in_progress') throw new WebhookError('delivery_in_progress', 'replay', 'The same delivery is being handled');
    try {
      await handle(webhook.event, webhook);
    } catch (error) {
      await callStore(() => replay.release(key, owner)).catch(onError);
      throw error;
    }
    await callStore(() => replay.commit(key, owner, keepSeconds * 1_000));
  }

  return {
    maxBodyBytes,
    async receive(request) {
      try {
        const parts = 'arrayBuffer' in request ? request : { ...request, url };
        await handleOnce(await verifyWebhook(parts, { ...options, url }));
        return { status: 204 };
      } catch (error) {
        onError(error);
        return toAnswer(error);
      }
    },
  };
}

/** Answered with 503: a later attempt can succeed. */
const retryable = new Set(['keys_unavailable', 'delivery_in_progress', 'replay_unavailable']);

function toAnswer(error: unknown): WebhookAnswer {
  if (!(error instanceof WebhookError)) return { status: 500 };
  const { code, step } = error;
  if (code === 'body_too_large') return { status: 413, code, step };
  return { status: retryable.has(code) ? 503 : 401, code, step };
}
