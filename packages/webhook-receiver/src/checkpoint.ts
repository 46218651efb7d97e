// Verifies a checkpoint: Concord's signed statement of what was published for an endpoint.
import { fromBase64Url } from './base64.ts';
import type { WebhookEndpointCheckpointData } from './built-in-events.gen.ts';
import { WebhookError } from './errors.ts';
import { assertPartner, type PartnerOptions } from './events.ts';
import type { Keys } from './key-cache.ts';
import { assertOptions } from './options.ts';

/** What a checkpoint says. */
export type Checkpoint = Readonly<Omit<WebhookEndpointCheckpointData, 'jws'>>;

export type VerifyCheckpointOptions = PartnerOptions & {
  /** The keys of the endpoint's environment. */
  readonly keys: Keys;
  /** The id of your endpoint, `whe_...`; any endpoint of the partner by default. */
  readonly endpointId?: string | undefined;
};

const type = 'concord-checkpoint+jws';
/** A statement has about a thousand characters. */
const maxLength = 16_384;
const form = /^([\w-]+)\.([\w-]+)\.([\w-]{128})$/;

/**
 * Verifies the signature of a checkpoint, and returns what it says.
 *
 * @param jws the member `jws` of the event `webhook_endpoint.checkpoint`, or of a checkpoint of the API
 * @throws {WebhookError} with the `code` and the `step` of the first failure
 * @throws {TypeError} when `keys`, or `partnerId` and `anyPartner`, are missing or wrong
 * @see RFC 7515, section 5.2; RFC 7518, section 3.4
 * @example
 * const checkpoint = await verifyCheckpoint(event.data.jws, { keys, partnerId: 'ptr_01h2xcejqtf2nbrexx3vqjhp41' });
 */
export async function verifyCheckpoint(jws: string, options: VerifyCheckpointOptions): Promise<Checkpoint> {
  assertOptions(options);
  const [, header = '', payload = '', signature = ''] =
    (typeof jws === 'string' && jws.length <= maxLength && form.exec(jws)) || [];
  const { alg, kid, typ, crit } = readJson(header);
  if (alg !== 'ES384' || typ !== type || typeof kid !== 'string' || crit !== undefined)
    throw invalid(`must be a compact JWS with the alg ES384, the typ ${type} and a kid`);
  const key = await options.keys.findKey(kid);
  if (!key) throw new WebhookError('key_unknown', 'find_key', `The JWKS has no key ${kid}`);
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  if (!(await key.verify(signed, fromBase64Url(signature))))
    throw new WebhookError('signature_invalid', 'verify', 'The key has not signed this checkpoint');
  const checkpoint = readJson(payload);
  if (!isCheckpoint(checkpoint)) throw invalid('must have the members of a checkpoint');
  assertPartner(checkpoint, options);
  if (options.endpointId !== undefined && checkpoint.endpoint_id !== options.endpointId)
    throw invalid(`is of the endpoint ${checkpoint.endpoint_id}, not of ${options.endpointId}`);
  return checkpoint;
}

function readJson(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(fromBase64Url(part)));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (cause) {
    throw invalid('must be a compact JWS of JSON', cause);
  }
}

const isCheckpoint = (value: unknown): value is Checkpoint => {
  const { checkpoint_id, endpoint_id, partner_id, previous_id, count, root } = value as Partial<Checkpoint>;
  const texts = [checkpoint_id, endpoint_id, partner_id, root];
  return (
    texts.every((text) => typeof text === 'string') &&
    (previous_id === null || typeof previous_id === 'string') &&
    Number.isSafeInteger(count)
  );
};

const invalid = (problem: string, cause?: unknown) =>
  new WebhookError('checkpoint_invalid', 'checkpoint', `The checkpoint ${problem}`, { cause });
