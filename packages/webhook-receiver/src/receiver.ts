// A receiver of webhooks: verifies, guards against replays, hands the event over once, and says what to answer.
import { WebhookError } from './errors.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-guard.ts';
import type { WebhookRequest } from './request.ts';
import { type VerifiedWebhook, type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';

export type WebhookReceiverOptions = VerifyWebhookOptions & {
  /** The endpoint's public URL, as it was registered: never taken from the request, which could name another's. */
  readonly url: string;
  /** Does what the event asks for. When it returns, the event is acknowledged; when it throws, the sender tries again. */
  readonly handle: (event: WebhookEvent, webhook: VerifiedWebhook) => void | Promise<void>;
  /** Told of every webhook that was refused (a `WebhookError`) and of whatever `handle` or the store threw. */
  readonly onError: (error: unknown) => void;
  /** In memory by default; share one between instances. */
  readonly replay?: ReplayStore | undefined;
  /** How long a delivery that is done is known; at least and by default a second more than twice the tolerance. */
  readonly keepSeconds?: number | undefined;
  /** How long a delivery counts as being handled; after that (a crash, say) a retry passes. 60 seconds by default. */
  readonly leaseSeconds?: number | undefined;
};

/** What to answer: 204 acknowledges; anything else is tried again. */
export type WebhookAnswer = { readonly status: 204 | 401 | 413 | 500 | 503; readonly code?: string; readonly step?: string };

export type WebhookReceiver = {
  /** Takes one request. What goes wrong is in the answer and goes to `onError`; nothing is thrown unless that throws. */
  receive(request: Request | Omit<WebhookRequest, 'url'>): Promise<WebhookAnswer>;
  readonly maxBodyBytes: number;
};

/**
 * Makes a receiver for one endpoint. The adapters turn it into a handler of your server.
 *
 * @throws {RangeError} when `keepSeconds` is not more than twice the tolerance, or `leaseSeconds` not more than 0
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
  const { handle, onError, toleranceSeconds = 300, leaseSeconds = 60, maxBodyBytes = 1_048_576, now } = options;
  // A captured request is good from `created` less the tolerance to `created` plus the tolerance, both seconds included.
  const leastKeepSeconds = 2 * toleranceSeconds + 1;
  const { keepSeconds = leastKeepSeconds, replay = createMemoryReplayStore(now ? { now } : {}) } = options;
  if (!(keepSeconds >= leastKeepSeconds && leaseSeconds > 0)) {
    throw new RangeError(`keepSeconds must be at least ${leastKeepSeconds}, and leaseSeconds more than 0`);
  }
  const url = new URL(options.url).href;

  /** What the store throws is told apart from what the handler throws: it is tried again just the same. */
  async function ask<Result>(step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (cause) {
      throw new WebhookError('replay_unavailable', 'replay', 'The replay store failed', { cause });
    }
  }

  async function handleOnce(webhook: VerifiedWebhook): Promise<void> {
    // The id is the sender's text; a line break cannot be in it, so the key is unambiguous.
    const key = `${webhook.id}\n${webhook.url}`;
    const owner = crypto.randomUUID();
    const claim = await ask(() => replay.claim(key, owner, leaseSeconds * 1_000));
    if (claim === 'done') return;
    if (claim === 'in_progress') throw new WebhookError('delivery_in_progress', 'replay', 'This delivery is being handled');
    try {
      await handle(webhook.event, webhook);
    } catch (error) {
      await ask(() => replay.release(key, owner)).catch(onError);
      throw error;
    }
    await ask(() => replay.commit(key, owner, keepSeconds * 1_000));
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

const unavailable = new Set(['keys_unavailable', 'delivery_in_progress', 'replay_unavailable']);

function toAnswer(error: unknown): WebhookAnswer {
  if (!(error instanceof WebhookError)) return { status: 500 };
  const { code, step } = error;
  if (code === 'body_too_large') return { status: 413, code, step };
  return { status: unavailable.has(code) ? 503 : 401, code, step };
}
