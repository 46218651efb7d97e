// Verifies one webhook: parses the signature, finds its key, rebuilds the signature base, verifies, then
// checks body and partner.

import {
  createSignatureBase,
  readSignatures,
  SignatureError,
  type UnverifiedSignature,
  verifyContentDigest,
} from '@concord/http-message-signatures';
import type { BuiltInEvent } from './built-in-events.gen.ts';
import { chooseSignature } from './choose-signature.ts';
import { runStep } from './errors.ts';
import { assertPartner, type PartnerOptions, parseEvents, type ThinWebhookEvent } from './events.ts';
import { explainInvalid, maySearch } from './explain.ts';
import type { Keys } from './key-cache.ts';
import { assertOptions, type Trust } from './options.ts';
import { linesOf, type ReadRequest, readRequest, type WebhookRequest } from './request.ts';
import { readSecrets, verifySharedSecret } from './shared-secret.ts';

export type VerifyWebhookOptions = PartnerOptions &
  Trust & {
    /**
     * The endpoint's `url`, as Concord shows it; the URL of the request by default. That default is safe only
     * if the client cannot choose it. Most servers build it from the Host header, so set this option.
     */
    readonly url?: string | undefined;
    /** The label of the signature to verify. By default the signature is chosen by its profile and its key. */
    readonly label?: string | undefined;
    /**
     * The maximum difference in seconds between `created` and the clock, in both directions; 300 by default.
     */
    readonly toleranceSeconds?: number | undefined;
    /** The maximum size of the body in bytes; 1,048,576 (1 MiB) by default. */
    readonly maxBodyBytes?: number | undefined;
    /**
     * Tries similar URLs, 13 at most, when a signature is invalid, and names the one that verifies; true by
     * default. It does so at most once a second for the same `keys`, because anyone can send invalid requests.
     */
    readonly searchUrl?: boolean | undefined;
    /** Returns the current time in Unix milliseconds; `Date.now` by default. */
    readonly now?: (() => number) | undefined;
  };

/** A webhook whose signature and body are verified. */
export type VerifiedWebhook<Event extends ThinWebhookEvent = BuiltInEvent> = {
  /** The value of Webhook-Id: the id of the event or of the batch, the same in all attempts. */
  readonly id: string;
  /** The events in their order. There is one, unless the endpoint has `batch`. */
  readonly events: readonly Event[];
  /** The one event. Reading it from a batch of several throws, so that none of them is lost: use `events`. */
  readonly event: Event;
  readonly body: Uint8Array;
  /** The signed target URI; with a shared secret, the URL of the request or of the options. */
  readonly url: string;
  /** The id of the signing key. Null: a shared secret verified it. */
  readonly kid: string | null;
  /** When it was signed, in Unix seconds. */
  readonly created: number;
};

export const defaults = { toleranceSeconds: 300, maxBodyBytes: 1_048_576 };

/**
 * Verifies a webhook. It does not detect replays; use `createWebhookReceiver` for that.
 *
 * The type parameter lists the events that the endpoint gets. It is not checked: an endpoint that wants all
 * types also gets types that operators add later.
 *
 * @throws {WebhookError} with the `code` and the `step` of the first failure; other errors of `keys` pass
 * through
 * @throws {TypeError} when `keys` or `secret`, or `partnerId` and `anyPartner`, are missing or wrong
 * @see RFC 9421, section 3.2; docs/receiving-webhooks.md in the repository of Concord
 * @example
 * const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' });
 * const { event } = await verifyWebhook(request, {
 *   keys,
 *   url: 'https://hooks.example.com/concord',
 *   partnerId: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
 * });
 */
export async function verifyWebhook<Event extends ThinWebhookEvent = BuiltInEvent>(
  request: Request | WebhookRequest,
  options: VerifyWebhookOptions,
): Promise<VerifiedWebhook<Event>> {
  assertOptions(options);
  const { url, maxBodyBytes = defaults.maxBodyBytes } = options;
  const received = await runStep('request', () => readRequest(request, { url, maxBodyBytes }));
  const verified =
    options.secret === undefined
      ? await verifySignature(received, options)
      : { ...(await verifySecret(received, options.secret, options)), kid: null };
  // The sender checks the data against the schema of its type, and has signed it.
  const events = parseEvents(received.body) as readonly Event[];
  for (const event of events) assertPartner(event, options);
  return {
    ...verified,
    events,
    get event() {
      return theOne(events);
    },
    body: received.body,
    url: received.url,
  };
}

function theOne<Event>(events: readonly Event[]): Event {
  const [first] = events;
  if (first === undefined || events.length > 1)
    throw new TypeError(`The webhook has ${events.length} events. Read \`events\` instead of \`event\``);
  return first;
}

type Verified = { readonly id: string; readonly kid: string; readonly created: number };

const verifySecret = (
  received: ReadRequest,
  secret: string | readonly string[],
  { toleranceSeconds = defaults.toleranceSeconds, now = Date.now }: VerifyWebhookOptions,
) => verifySharedSecret(received, readSecrets(secret), { toleranceSeconds, now });

async function verifySignature(
  received: ReadRequest,
  options: VerifyWebhookOptions & { readonly keys: Keys },
): Promise<Verified> {
  const { keys, label, now, toleranceSeconds = defaults.toleranceSeconds } = options;
  const signatures = await runStep('parse', () => readSignaturesOf(received));
  const { signature, key, kid, created } = await chooseSignature(signatures, {
    keys,
    label,
    toleranceSeconds,
    now,
  });
  const base = await runStep('rebuild', () => createSignatureBase(received, signature));
  if (!(await key.verify(new TextEncoder().encode(base), signature.signature))) {
    const search = options.searchUrl !== false && maySearch(keys, (now ?? Date.now)());
    throw await explainInvalid({ request: received, signature, key, base, search });
  }
  await runStep('digest', () => verifyContentDigest(readSigned(base, 'content-digest'), received.body));
  return { id: readSigned(base, 'webhook-id'), kid, created };
}

/** Says what Concord sends when the headers are those of Standard Webhooks. */
function readSignaturesOf(received: ReadRequest): UnverifiedSignature[] {
  const names = linesOf(received.headers).map(([name]) => name);
  if (names.includes('webhook-signature') && !names.includes('signature'))
    throw new SignatureError(
      'signature_missing',
      'The request has webhook-signature, but no Signature and Signature-Input (RFC 9421). The keys cannot verify it: the option `secret` can',
    );
  return readSignatures(received);
}

/** Reads a value from the verified signature base, so it is exactly what was signed. */
function readSigned(base: string, name: string): string {
  const start = `"${name}": `;
  return (base.split('\n').find((line) => line.startsWith(start)) ?? start).slice(start.length);
}
