// Verifies a signature of a message (RFC 9421, section 3.2).
import type { Verifier } from './algorithms.ts';
import { type ComponentIdentifier, identify, toComponent } from './components.ts';
import { SignatureError } from './errors.ts';
import type { FieldTypes } from './field-components.ts';
import type { Message } from './message.ts';
import { createSignatureBase } from './signature-base.ts';
import { readSignatures, type UnverifiedSignature } from './signature-fields.ts';
import {
  assertValidNow,
  readParameters,
  type SignatureParameters,
  type Validity,
} from './signature-parameters.ts';

export type VerifyOptions = Validity & {
  /**
   * Finds the verifier for a signature; undefined when there is no key. The signature is not verified yet, so
   * use it only to look up a key.
   */
  readonly findVerifier: (
    parameters: SignatureParameters,
    signature: UnverifiedSignature,
  ) => Verifier | undefined | Promise<Verifier | undefined>;
  /** The components that the signature must cover. Anyone may have changed what it does not cover. */
  readonly requiredComponents: readonly (string | ComponentIdentifier)[];
  /**
   * The label of the signature to verify. By default the message must have exactly one signature (with `tag`,
   * if that is set).
   */
  readonly label?: string | undefined;
  /** The required value of the parameter `tag`; any by default. */
  readonly tag?: string | undefined;
  /** The types of the application's own structured fields, for `sf` and `key`; none by default. */
  readonly fieldTypes?: FieldTypes | undefined;
};

/** The verified signature. Trust only the components that it covers. */
export type VerifiedSignature = {
  readonly label: string;
  readonly components: readonly ComponentIdentifier[];
  readonly parameters: SignatureParameters;
};

/**
 * Verifies one signature of a message, in the order of RFC 9421: parses the fields, checks the application's
 * requirements, finds the key, creates the signature base, and verifies the signature over it.
 *
 * It does not read the content. To protect that, require `content-digest` and call `verifyContentDigest`.
 *
 * @throws {SignatureError} with the code of the first failure; errors of `findVerifier` pass through
 * @see RFC 9421, section 3.2
 * @example
 * const { parameters } = await verifyMessage(request, {
 *   requiredComponents: ['@method', '@target-uri', 'content-digest'],
 *   maxAgeSeconds: 300,
 *   findVerifier: ({ keyid }) => (keyid === 'key-1' ? createVerifier('ecdsa-p384-sha384', publicKey) : undefined),
 * });
 */
export async function verifyMessage(message: Message, options: VerifyOptions): Promise<VerifiedSignature> {
  const signature = chooseSignature(readSignatures(message), options);
  const parameters = readParameters(signature.parameters);
  const covered = new Set(signature.components.map(identify));
  for (const required of options.requiredComponents) {
    const identity = identify(toComponent(required));
    if (!covered.has(identity))
      throw new SignatureError('component_uncovered', `The signature must cover ${identity}`);
  }
  assertValidNow(parameters, options);
  const verifier = await options.findVerifier(parameters, signature);
  if (!verifier) throw new SignatureError('key_unknown', 'There is no key for this signature');
  await verifySignature(message, signature, verifier, parameters, options.fieldTypes);
  return { label: signature.label, components: signature.components, parameters };
}

async function verifySignature(
  message: Message,
  { components, parameters, signature }: UnverifiedSignature,
  verifier: Verifier,
  { alg }: SignatureParameters,
  fieldTypes: FieldTypes | undefined,
): Promise<void> {
  const { algorithm, signatureLength } = verifier;
  if (alg !== undefined && alg !== algorithm)
    throw new SignatureError('algorithm_mismatch', `alg must be ${algorithm}, the algorithm of the key`);
  if (signatureLength !== undefined && signature.length !== signatureLength) {
    throw new SignatureError(
      'signature_malformed',
      `The signature must have ${signatureLength} bytes, but has ${signature.length}`,
    );
  }
  const base = createSignatureBase(message, { components, parameters, fieldTypes });
  if (!(await verifier.verify(new TextEncoder().encode(base), signature))) {
    throw new SignatureError(
      'signature_invalid',
      'The signature was not made with this key over this message',
    );
  }
}

function chooseSignature(
  signatures: UnverifiedSignature[],
  { label, tag }: VerifyOptions,
): UnverifiedSignature {
  const chosen = signatures.filter(
    (signature) =>
      (label === undefined || signature.label === label) &&
      (tag === undefined || signature.parameters.get('tag') === tag),
  );
  const [signature] = chosen;
  if (!signature)
    throw new SignatureError(
      'signature_missing',
      'The message has no signature, or none with the required label and tag',
    );
  if (chosen.length > 1)
    throw new SignatureError('signature_ambiguous', 'Several signatures match: set label');
  return signature;
}
