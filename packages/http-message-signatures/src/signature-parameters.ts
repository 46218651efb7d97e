// The registered signature parameters: their types, and when they are valid (RFC 9421, section 2.3).
import type { ParameterValue } from './components.ts';
import { SignatureError } from './errors.ts';

/** The registered parameters of a signature; those that it lacks are undefined. */
export type SignatureParameters = {
  /** Unix seconds. */
  created?: number;
  /** Unix seconds. */
  expires?: number;
  nonce?: string;
  alg?: string;
  keyid?: string;
  tag?: string;
};

/**
 * Reads the registered parameters and leaves out others.
 *
 * @throws {SignatureError} `parameter_invalid` when one has the wrong type, for example a string as `created`
 * @see RFC 9421, section 2.3
 * @example
 * const [signature] = readSignatures(request);
 * const { keyid, created } = readParameters(signature.parameters);
 */
export function readParameters(parameters: ReadonlyMap<string, ParameterValue>): SignatureParameters {
  const read: SignatureParameters = {};
  for (const name of ['created', 'expires'] as const) {
    const value = parameters.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'number')
      throw new SignatureError('parameter_invalid', `${name} must be an integer`);
    read[name] = value;
  }
  for (const name of ['nonce', 'alg', 'keyid', 'tag'] as const) {
    const value = parameters.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new SignatureError('parameter_invalid', `${name} must be a string`);
    read[name] = value;
  }
  return read;
}

/** How `created` and `expires` are checked. */
export type Validity = {
  /** The maximum age of a signature in seconds. Any age by default; when it is set, `created` is required. */
  readonly maxAgeSeconds?: number | undefined;
  /**
   * The maximum difference in seconds between the signer's clock and ours, in both directions; 0 by default.
   */
  readonly clockSkewSeconds?: number | undefined;
  /** Returns the current time in Unix milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined;
};

/**
 * Throws unless a signature is valid at the current time. Both limits of the interval are valid.
 *
 * @throws {SignatureError} `created_in_future`, `created_too_old`, `signature_expired`, or
 *   `parameter_missing` when `maxAgeSeconds` is set and `created` is missing
 * @see RFC 9421, section 3.2.1
 * @example
 * assertValidNow({ created: 1618884473 }, { maxAgeSeconds: 300, clockSkewSeconds: 5 });
 */
export function assertValidNow({ created, expires }: SignatureParameters, validity: Validity): void {
  const { maxAgeSeconds, clockSkewSeconds = 0, now = Date.now } = validity;
  const nowSeconds = Math.floor(now() / 1_000);
  if (created === undefined && maxAgeSeconds !== undefined)
    throw new SignatureError('parameter_missing', 'The signature must have the parameter created');
  // Comparisons with NaN are false. The negations below make NaN refuse the signature.
  if (created !== undefined && !(created <= nowSeconds + clockSkewSeconds)) {
    throw new SignatureError(
      'created_in_future',
      `created is ${created - nowSeconds} s ahead of the clock; at most ${clockSkewSeconds} s are allowed`,
    );
  }
  if (
    created !== undefined &&
    maxAgeSeconds !== undefined &&
    !(created >= nowSeconds - maxAgeSeconds - clockSkewSeconds)
  ) {
    throw new SignatureError(
      'created_too_old',
      `created is ${nowSeconds - created} s ago; at most ${maxAgeSeconds + clockSkewSeconds} s are allowed`,
    );
  }
  if (expires !== undefined && !(expires >= nowSeconds - clockSkewSeconds)) {
    throw new SignatureError(
      'signature_expired',
      `The signature expired ${nowSeconds - expires} s ago; at most ${clockSkewSeconds} s are allowed`,
    );
  }
}
