// Verifies one webhook: parses the signature, finds its key, rebuilds the signature base, verifies, then checks the body.
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

/** The body of a webhook. Only `id` and `type` are checked. */
export type WebhookEvent = {
  /** The same in all attempts. */
  readonly id: string;
  readonly type: string;
  /** An RFC 3339 timestamp. */
  readonly created_at: string;
  readonly partner_id: string;
  readonly environment: 'live' | 'sandbox';
  /** Its schema depends on `type`. */
  readonly data: unknown;
};

export type VerifyWebhookOptions = {
  /** The keys of the endpoint's environment. */
  readonly keys: Keys;
  /**
   * The endpoint's public URL, as registered; the URL of the request by default. That default is safe only if the client cannot
   * choose it. Most servers build it from the Host header, so set this option.
   */
  readonly url?: string | undefined;
  /** The label of the signature to verify, such as `sig1`. By default exactly one signature must be a candidate. */
  readonly label?: string | undefined;
  /** The maximum difference in seconds between `created` and the clock, in both directions; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** The maximum size of the body in bytes; 1,048,576 (1 MiB) by default. */
  readonly maxBodyBytes?: number | undefined;
  /** Returns the current time in Unix milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
};

/** A webhook whose signature and body are verified. */
export type VerifiedWebhook = {
  /** The value of Webhook-Id: the id of the event, the same in all attempts. */
  readonly id: string;
  readonly event: WebhookEvent;
  readonly body: Uint8Array;
  /** The signed target URI. */
  readonly url: string;
  /** The id of the signing key. */
  readonly kid: string;
  /** When it was signed, in Unix seconds. */
  readonly created: number;
};

export const defaults = { toleranceSeconds: 300, maxBodyBytes: 1_048_576 };
const requiredComponents = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];
/** Bytes: `r` and `s` of P-384. */
const signatureLength = 96;

/**
 * Verifies a webhook. It does not detect replays; use `createWebhookReceiver` for that.
 *
 * @throws {WebhookError} with the `code` and the `step` of the first failure; other errors of `keys` pass through
 * @see RFC 9421, section 3.2; docs/receiving-webhooks.md in the repository of Concord
 * @example
 * const keys = createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' });
 * const { event } = await verifyWebhook(request, { keys, url: 'https://hooks.example.com/concord' });
 */
export async function verifyWebhook(request: Request | WebhookRequest, options: VerifyWebhookOptions): Promise<VerifiedWebhook> {
  const { keys, label, now, url, toleranceSeconds = defaults.toleranceSeconds, maxBodyBytes = defaults.maxBodyBytes } = options;
  const received = await runStep('request', () => readRequest(request, { url, maxBodyBytes }));
  const signatures = await runStep('parse', () => readSignatures(received));
  const { signature, kid, created } = await runStep('requirements', () => {
    const chosen = chooseSignature(signatures, label);
    return { signature: chosen, ...assertProfile(chosen, toleranceSeconds, now) };
  });
  const key = await keys.findKey(kid);
  if (!key) throw new WebhookError('key_unknown', 'find_key', `The JWKS has no key ${kid}`);
  if (key.algorithm !== algorithm)
    throw new WebhookError('algorithm_mismatch', 'find_key', `The key must be an ${algorithm} key`);
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

/** Chooses the signature with the given label, or the only candidate. Proxies may add signatures of their own. */
function chooseSignature(signatures: readonly UnverifiedSignature[], label: string | undefined): UnverifiedSignature {
  const labelled = signatures.filter((signature) => label === undefined || signature.label === label);
  const acceptable = labelled.filter(
    ({ components, parameters }) => parameters.get('alg') === algorithm && isCovered(components),
  );
  const candidates = acceptable.length === 0 ? labelled : acceptable;
  const [chosen] = candidates;
  if (!chosen) throw new SignatureError('signature_missing', 'The request has no signature, or none with the required label');
  if (candidates.length > 1)
    throw new SignatureError('signature_ambiguous', 'Exactly one signature must be a candidate: set label to choose one');
  return chosen;
}

/** Counts components without parameters only: a parameter such as `req` changes what a component covers. */
function isCovered(components: UnverifiedSignature['components']): boolean {
  return requiredComponents.every((name) => components.some((covered) => covered.name === name && covered.parameters.size === 0));
}

function assertProfile(
  { components, parameters, signature }: UnverifiedSignature,
  toleranceSeconds: number,
  now: VerifyWebhookOptions['now'],
): { kid: string; created: number } {
  const { alg, keyid, created, expires } = readParameters(parameters);
  if (!isCovered(components))
    throw new SignatureError('component_uncovered', `The signature must cover ${requiredComponents.join(', ')}`);
  if (created === undefined || keyid === undefined || alg === undefined) {
    throw new SignatureError('parameter_missing', 'The signature must have the parameters created, keyid and alg');
  }
  assertValidNow(
    { created, ...(expires === undefined ? {} : { expires }) },
    { maxAgeSeconds: 0, clockSkewSeconds: toleranceSeconds, now },
  );
  if (alg !== algorithm) throw new SignatureError('algorithm_mismatch', `alg must be ${algorithm}`);
  if (signature.length !== signatureLength) {
    throw new SignatureError(
      'signature_malformed',
      `The signature must have ${signatureLength} bytes (r and s), but has ${signature.length}`,
    );
  }
  return { kid: keyid, created };
}

/** Reads a value from the verified signature base, so it is exactly what was signed. */
function readSigned(base: string, name: string): string {
  const start = `"${name}": `;
  return (base.split('\n').find((line) => line.startsWith(start)) ?? start).slice(start.length);
}

function parseEvent(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new WebhookError('event_invalid', 'event', 'The body must be JSON', { cause });
  }
  const { id, type } = (event ?? {}) as Partial<WebhookEvent>;
  if (typeof id !== 'string' || typeof type !== 'string')
    throw new WebhookError('event_invalid', 'event', 'The body must have the strings id and type');
  return event as WebhookEvent;
}
