// The registered signature parameters, with their types (RFC 9421, section 2.3).
import type { ParameterValue } from './components.ts';
import { SignatureError } from './errors.ts';

/** The registered parameters that a signature has. Times are in Unix seconds. */
export type SignatureParameters = {
  created?: number;
  expires?: number;
  nonce?: string;
  alg?: string;
  keyid?: string;
  tag?: string;
};

/**
 * Reads the registered parameters. Others are left out: they are signed, and mean nothing here.
 *
 * @throws {SignatureError} `parameter_invalid` when one is of the wrong type, such as `created` as a string
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
    if (typeof value !== 'number') throw new SignatureError('parameter_invalid', `${name} is no integer`);
    read[name] = value;
  }
  for (const name of ['nonce', 'alg', 'keyid', 'tag'] as const) {
    const value = parameters.get(name);
    if (value === undefined) continue;
    if (typeof value !== 'string') throw new SignatureError('parameter_invalid', `${name} is no string`);
    read[name] = value;
  }
  return read;
}

/** When a signature is taken. All in seconds but `now`. */
export type Validity = {
  /** The age that a signature may have; without it `created` need not be there. */
  readonly maxAgeSeconds?: number | undefined;
  /** How far the signer's clock may be ahead of or behind ours; 0 by default. */
  readonly clockSkewSeconds?: number | undefined;
  /** The time in milliseconds since 1970; Date.now by default. */
  readonly now?: (() => number) | undefined;
};

/**
 * Holds `created` and `expires` against the clock.
 *
 * @throws {SignatureError} `created_in_future`, `created_too_old`, `signature_expired`, or `parameter_missing` when an age is
 *   asked for and `created` is not there
 * @see RFC 9421, section 3.2.1
 * @example
 * assertValidNow({ created: 1618884473 }, { maxAgeSeconds: 300, clockSkewSeconds: 5 });
 */
export function assertValidNow({ created, expires }: SignatureParameters, validity: Validity): void {
  const { maxAgeSeconds, clockSkewSeconds = 0, now = Date.now } = validity;
  const nowSeconds = Math.floor(now() / 1_000);
  if (created === undefined && maxAgeSeconds !== undefined) throw new SignatureError('parameter_missing', 'created is not there');
  // Written so that a number that is none refuses.
  if (created !== undefined && !(created <= nowSeconds + clockSkewSeconds)) {
    throw new SignatureError('created_in_future', `created is ${created - nowSeconds} s ahead`);
  }
  if (created !== undefined && maxAgeSeconds !== undefined && !(created >= nowSeconds - maxAgeSeconds - clockSkewSeconds)) {
    throw new SignatureError('created_too_old', `created is ${nowSeconds - created} s old`);
  }
  if (expires !== undefined && !(expires >= nowSeconds - clockSkewSeconds)) {
    throw new SignatureError('signature_expired', `expired ${nowSeconds - expires} s ago`);
  }
}
