// The receiver: verifies webhooks, guards against replays and duplicates, calls the handler once, and decides
// the answer.
import { toAnswer, type WebhookAnswer } from './answer.ts';
import type { BuiltInEvent } from './built-in-events.gen.ts';
import { WebhookError } from './errors.ts';
import type { ThinWebhookEvent } from './events.ts';
import { createMemoryHandledStore, type HandledStore } from './handled-store.ts';
import { assertOptions, assertReceiverOptions, readEndpointUrl } from './options.ts';
import { createMemoryReplayStore, type ReplayStore } from './replay-guard.ts';
import { createReport, type OnError } from './report.ts';
import type { WebhookRequest } from './request.ts';
import {
  defaults,
  type VerifiedWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
} from './verify-webhook.ts';

export type WebhookReceiverOptions<Event extends ThinWebhookEvent = BuiltInEvent> = VerifyWebhookOptions & {
  /**
   * The endpoint's `url`, as Concord shows it: it can have another spelling than you gave. Not taken from the
   * request: an attacker could name another endpoint there.
   */
  readonly url: string;
  /**
   * Handles the event. When it returns, the event is acknowledged; when it throws, the sender retries. The events of a
   * batch are handled one after the other. A batch is acknowledged when all are handled; if it is sent again, those
   * that are handled already are not handled again. `webhook` has the one event.
   */
  readonly handle: (event: Event, webhook: VerifiedWebhook<Event>) => void | Promise<void>;
  /**
   * Called with the `WebhookError` of each refused webhook, and with errors of `handle` and of the stores. By
   * default they go to `console.error`, refused webhooks at most once a minute for each code.
   */
  readonly onError?: OnError | undefined;
  /**
   * Refuses copies of a request while its signature is valid; in memory by default. Several instances need a
   * shared store.
   */
  readonly replay?: ReplayStore | undefined;
  /**
   * Recognises handled events that are sent again; in memory by default. Several instances need a shared
   * store.
   */
  readonly handled?: HandledStore | undefined;
  /**
   * How long a handled event is remembered; 604,800 (7 days) by default. The sender's retries take 3 days,
   * and less than 7 when you ask for longer delays with Retry-After. An event that somebody replays within
   * this time is acknowledged, not handled.
   */
  readonly keepHandledSeconds?: number | undefined;
  /** How long a claim lasts; 60 by default. After that, for example after a crash, a retry is handled. */
  readonly leaseSeconds?: number | undefined;
};

export type WebhookReceiver = {
  /** Verifies and handles one request. Errors go to `onError` and set the status; it never throws. */
  receive(request: Request | Omit<WebhookRequest, 'url'>): Promise<WebhookAnswer>;
  /** For adapters: they stop reading a larger body. */
  readonly maxBodyBytes: number;
};

/**
 * Creates a receiver for one endpoint. The adapters turn it into a handler for your server. For event types
 * of your own, name all that the endpoint gets:
 * `createWebhookReceiver<BuiltInEvent | WebhookEvent<'invoice.paid', Invoice>>({ ... })`.
 *
 * @throws {RangeError} when `toleranceSeconds`, `keepHandledSeconds` or `leaseSeconds` is out of range
 * @throws {TypeError} when another option is missing or wrong
 * @example
 * const receiver = createWebhookReceiver({
 *   url: 'https://hooks.example.com/concord',
 *   partnerId: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
 *   keys: createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' }),
 *   handle: async (event) => console.log(event.type, event.data),
 * });
 * createServer(toNodeHandler(receiver)).listen(8080);
 */
export function createWebhookReceiver<Event extends ThinWebhookEvent = BuiltInEvent>(
  options: WebhookReceiverOptions<Event>,
): WebhookReceiver {
  assertOptions(options);
  assertReceiverOptions(options);
  const {
    handle,
    toleranceSeconds = defaults.toleranceSeconds,
    maxBodyBytes = defaults.maxBodyBytes,
    now = Date.now,
  } = options;
  const { leaseSeconds = 60, keepHandledSeconds = 604_800 } = options;
  const { replay = createMemoryReplayStore({ now }), handled = createMemoryHandledStore({ now }) } = options;
  if (typeof handle !== 'function') throw new TypeError('handle must be a function that takes the event');
  const seconds = [toleranceSeconds, keepHandledSeconds, leaseSeconds];
  if (!seconds.every((value) => typeof value === 'number' && value >= 0) || leaseSeconds === 0) {
    throw new RangeError(
      'toleranceSeconds and keepHandledSeconds must be numbers of at least 0, and leaseSeconds one of more than 0',
    );
  }
  const url = readEndpointUrl(options.url);
  // A captured request verifies from `created - tolerance` to `created + tolerance`, both seconds included.
  const guardMs = (2 * toleranceSeconds + 1) * 1_000;
  const report = createReport(options.onError, now);

  /** Calls a store and marks its errors, so they differ from errors of the handler. */
  async function callStore<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (cause) {
      throw new WebhookError('replay_unavailable', 'replay', 'A store of the receiver failed', { cause });
    }
  }

  /** Runs `work` unless it is done, and never twice at the same time. It is done for `keepMs`. */
  async function once(key: string, keepMs: number, work: () => Promise<void>): Promise<void> {
    const owner = crypto.randomUUID();
    const claim = await callStore(() => replay.claim(key, owner, leaseSeconds * 1_000));
    if (claim === 'done') return;
    if (claim === 'in_progress')
      throw new WebhookError('delivery_in_progress', 'replay', 'The same delivery is being handled');
    try {
      await work();
    } catch (error) {
      await callStore(() => replay.release(key, owner)).catch(report);
      throw error;
    }
    await callStore(() => (keepMs > 0 ? replay.commit(key, owner, keepMs) : replay.release(key, owner)));
  }

  async function handleEvent(key: string, event: Event, webhook: VerifiedWebhook<Event>): Promise<void> {
    if (await callStore(() => handled.has(key))) return;
    await handle(event, webhook);
    // The event is handled, so a failure to remember it does not refuse it.
    await callStore(() => handled.add(key, keepHandledSeconds * 1_000)).catch(report);
  }

  async function handleOnce(webhook: VerifiedWebhook<Event>): Promise<void> {
    // Neither part can have a line break, so the key is unambiguous.
    const keyOf = (id: string) => `${id}\n${webhook.url}`;
    const { id, events, body, url, kid, created } = webhook;
    const [first] = events;
    if (first !== undefined && events.length === 1 && first.id === id)
      return once(keyOf(id), guardMs, () => handleEvent(keyOf(id), first, webhook));
    await once(keyOf(id), guardMs, async () => {
      for (const event of events) {
        const one = { id: event.id, events: [event], event, body, url, kid, created };
        // The batch is guarded already, so its events take no room in the store for longer.
        await once(keyOf(event.id), 0, () => handleEvent(keyOf(event.id), event, one));
      }
    });
  }

  return {
    maxBodyBytes,
    async receive(request) {
      try {
        // The option `url` replaces that of the request, which plain objects lack.
        await handleOnce(await verifyWebhook<Event>(request as Request, { ...options, url }));
        return { status: 204 };
      } catch (error) {
        report(error);
        return toAnswer(error);
      }
    },
  };
}
