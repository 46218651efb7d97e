// Chooses the sender's signature among those of a request. Proxies may add signatures of their own.
import {
  assertValidNow,
  readParameters,
  SignatureError,
  type UnverifiedSignature,
  type Verifier,
} from '@concord/http-message-signatures';
import { runStep, WebhookError } from './errors.ts';
import { algorithm } from './jwks.ts';
import type { Keys } from './key-cache.ts';

const requiredComponents = ['@method', '@target-uri', 'content-type', 'content-digest', 'webhook-id'];
/** Bytes: `r` and `s` of P-384. */
const signatureLength = 96;
/** The label that the sender uses. */
const usualLabel = 'sig1';

type Options = {
  readonly keys: Keys;
  readonly label: string | undefined;
  readonly toleranceSeconds: number;
  readonly now: (() => number) | undefined;
};
type Chosen = {
  readonly signature: UnverifiedSignature;
  readonly key: Verifier;
  readonly kid: string;
  readonly created: number;
};

/**
 * Returns the first signature that fits the profile and whose key the JWKS has. That with the usual label is
 * tried first, so another signature costs no fetch of the JWKS, and its fault is reported only when no
 * signature fits. A message has at most 32.
 */
export async function chooseSignature(
  signatures: readonly UnverifiedSignature[],
  options: Options,
): Promise<Chosen> {
  const { label } = options;
  const rank = ({ label: own }: UnverifiedSignature) => (own === usualLabel ? 1 : 0);
  const candidates = signatures
    .filter((signature) => label === undefined || signature.label === label)
    .sort((one, other) => rank(other) - rank(one));
  let fault: WebhookError | undefined;
  for (const signature of candidates) {
    try {
      return await findSigner(signature, options);
    } catch (error) {
      if (!(error instanceof WebhookError)) throw error;
      fault ??= error;
    }
  }
  throw (
    fault ??
    new WebhookError(
      'signature_missing',
      'requirements',
      'The request has no signature, or none with the required label',
    )
  );
}

async function findSigner(
  signature: UnverifiedSignature,
  { keys, toleranceSeconds, now }: Options,
): Promise<Chosen> {
  const { kid, created } = await runStep('requirements', () =>
    assertProfile(signature, toleranceSeconds, now),
  );
  const key = await keys.findKey(kid);
  if (!key) throw new WebhookError('key_unknown', 'find_key', `The JWKS has no key ${kid}`);
  if (key.algorithm !== algorithm)
    throw new WebhookError('algorithm_mismatch', 'find_key', `The key must be an ${algorithm} key`);
  return { signature, key, kid, created };
}

/** Counts components without parameters only: a parameter such as `req` changes what a component covers. */
function isCovered(components: UnverifiedSignature['components']): boolean {
  return requiredComponents.every((name) =>
    components.some((covered) => covered.name === name && covered.parameters.size === 0),
  );
}

function assertProfile(
  { components, parameters, signature }: UnverifiedSignature,
  toleranceSeconds: number,
  now: Options['now'],
): { kid: string; created: number } {
  const read = readParameters(parameters);
  const { alg, keyid, created } = read;
  if (!isCovered(components))
    throw new SignatureError(
      'component_uncovered',
      `The signature must cover ${requiredComponents.join(', ')}`,
    );
  if (created === undefined || keyid === undefined || alg === undefined) {
    throw new SignatureError(
      'parameter_missing',
      'The signature must have the parameters created, keyid and alg',
    );
  }
  assertValidNow(read, { maxAgeSeconds: 0, clockSkewSeconds: toleranceSeconds, now });
  if (alg !== algorithm) throw new SignatureError('algorithm_mismatch', `alg must be ${algorithm}`);
  if (signature.length !== signatureLength) {
    throw new SignatureError(
      'signature_malformed',
      `The signature must have ${signatureLength} bytes (r and s), but has ${signature.length}`,
    );
  }
  return { kid: keyid, created };
}
