// Verifies one webhook, in the order of the interface: parse, fetch the keys, find the one, rebuild the base, verify; then the body.
import {
  assertValidNow,
  createSignatureBase,
  readParameters,
  readSignatures,
  SignatureError,
  type UnverifiedSignature,
  verifyContentDigest,
} from '@concord/http-message-signatures';
import { runStep, WebhookError } from './errors.ts';
import { algorithm } from './jwks.ts';
import type { Keys } from './key-cache.ts';
import { readRequest, type WebhookRequest } from './request.ts';

/** What a webhook says. `data` depends on `type`; `id` is the same over all attempts. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly partner_id: string;
  readonly environment: 'live' | 'sandbox';
  readonly data: unknown;
};

export type VerifyWebhookOptions = {
  /** The keys of the environment that this endpoint belongs to. */
  readonly keys: Keys;
  /**
   * The endpoint's public URL, as it was registered. Without it the request's own counts, which is only right where no proxy
   * and no client can choose it: most servers make it from the Host header.
   */
  readonly url?: string | undefined;
  /** The signature to verify, such as `sig1`; without it there must be exactly one that could be the sender's. */
  readonly label?: string | undefined;
  /** How old `created` may be, and how far ahead; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** 1 MiB by default. */
  readonly maxBodyBytes?: number | undefined;
  /** The time in milliseconds since 1970; Date.now by default. */
  readonly now?: (() => number) | undefined;
};

/** A webhook that is what the sender signed. */
export type VerifiedWebhook = {
  /** Webhook-Id: stable over attempts, to know an event again by. */
  readonly id: string;
  readonly event: WebhookEvent;
  readonly body: Uint8Array;
  readonly url: string;
  readonly kid: string;
  /** Unix seconds. */
  readonly created: number;
};

const required = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];
const signatureLength = 96;

/**
 * Verifies a webhook. Replays are not looked at: `createWebhookReceiver` does that too.
 *
 * @throws {WebhookError} with the `code` of the first thing that is wrong, and the `step` at which it was found
 * @see docs/receiving-webhooks.md; RFC 9421, section 3.2
 * @example
 * const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' });
 * const { event } = await verifyWebhook(request, { keys, url: 'https://hooks.example.com/concord' });
 */
export async function verifyWebhook(request: Request | WebhookRequest, options: VerifyWebhookOptions): Promise<VerifiedWebhook> {
  const { keys, label, toleranceSeconds = 300, maxBodyBytes = 1_048_576, now, url } = options;
  const received = await runStep('request', () => readRequest(request, { url, maxBodyBytes }));
  const signatures = await runStep('parse', () => readSignatures(received));
  const { signature, kid, created } = await runStep('requirements', () => {
    const chosen = chooseSignature(signatures, label);
    return { signature: chosen, ...assertProfile(chosen, toleranceSeconds, now) };
  });
  const key = await keys.findKey(kid);
  if (!key) throw new WebhookError('key_unknown', 'find_key', `The JWKS has no key ${kid}`);
  if (key.algorithm !== algorithm) throw new WebhookError('algorithm_mismatch', 'find_key', `The key is not of ${algorithm}`);
  const base = await runStep('rebuild', () => createSignatureBase(received, signature));
  if (!(await key.verify(new TextEncoder().encode(base), signature.signature))) {
    throw new WebhookError('signature_invalid', 'verify', 'The signature was not made with this key over this request');
  }
  await runStep('digest', () => verifyContentDigest(readSigned(base, 'content-digest'), received.body));
  return {
    id: readSigned(base, 'webhook-id'),
    event: parseEvent(received.body),
    body: received.body,
    url: received.url,
    kid,
    created,
  };
}

/** The one that was named; else the one that could be the sender's, as a proxy may add signatures of its own. */
function chooseSignature(signatures: readonly UnverifiedSignature[], label: string | undefined): UnverifiedSignature {
  const named = signatures.filter((signature) => label === undefined || signature.label === label);
  const acceptable = named.filter(({ components, parameters }) => parameters.get('alg') === algorithm && isCovered(components));
  const [chosen] = acceptable.length === 0 ? named : acceptable;
  if (!chosen) throw new SignatureError('signature_missing', 'There is no such signature');
  if (acceptable.length > 1 || (acceptable.length === 0 && named.length > 1)) {
    throw new SignatureError(
      'signature_ambiguous',
      'There is not exactly one signature that could be the sender’s: name its label',
    );
  }
  return chosen;
}

/** Plain, as the sender covers them: with a parameter such as `req` they would be something else. */
function isCovered(components: UnverifiedSignature['components']): boolean {
  return required.every((name) => components.some((covered) => covered.name === name && covered.parameters.size === 0));
}

function assertProfile(
  { components, parameters, signature }: UnverifiedSignature,
  toleranceSeconds: number,
  now: VerifyWebhookOptions['now'],
): { kid: string; created: number } {
  const { alg, keyid, created, expires } = readParameters(parameters);
  if (!isCovered(components)) throw new SignatureError('component_uncovered', `Not all of ${required.join(', ')} are covered`);
  if (created === undefined || keyid === undefined || alg === undefined) {
    throw new SignatureError('parameter_missing', 'created, keyid or alg is not there');
  }
  assertValidNow(
    { created, ...(expires === undefined ? {} : { expires }) },
    { maxAgeSeconds: 0, clockSkewSeconds: toleranceSeconds, now },
  );
  if (alg !== algorithm) throw new SignatureError('algorithm_mismatch', `alg is not ${algorithm}`);
  if (signature.length !== signatureLength) {
    throw new SignatureError('signature_malformed', `The signature has ${signature.length} bytes, not ${signatureLength}`);
  }
  return { kid: keyid, created };
}

/** The value that was signed, from the base that has just been verified. */
function readSigned(base: string, name: string): string {
  const start = `"${name}": `;
  return (base.split('\n').find((line) => line.startsWith(start)) ?? start).slice(start.length);
}

function parseEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookError('event_invalid', 'event', 'The body is no JSON', { cause });
  }
  const { id, type } = (event ?? {}) as Partial<WebhookEvent>;
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new WebhookError('event_invalid', 'event', 'The body has no id or no type');
  return event as WebhookEvent;
}
