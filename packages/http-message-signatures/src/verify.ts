// Verifying a signature of a message (RFC 9421, section 3.2).
import type { Verifier } from './algorithms.ts';
import { type ComponentIdentifier, identify, toComponent } from './components.ts';
import { SignatureError } from './errors.ts';
import type { FieldTypes } from './field-components.ts';
import type { Message } from './message.ts';
import { createSignatureBase } from './signature-base.ts';
import { readSignatures, type UnverifiedSignature } from './signature-fields.ts';
import { assertValidNow, readParameters, type SignatureParameters, type Validity } from './signature-parameters.ts';

export type VerifyOptions = Validity & {
  /** Finds the key for a signature that is not verified yet: trust nothing of it but to look the key up. */
  readonly findVerifier: (
    parameters: SignatureParameters,
    signature: UnverifiedSignature,
  ) => Verifier | undefined | Promise<Verifier | undefined>;
  /** What must be covered; what is not covered may have been changed by anyone. */
  readonly requiredComponents: readonly (string | ComponentIdentifier)[];
  /** The signature to verify; without it there must be one only (of that tag, when one is given). */
  readonly label?: string | undefined;
  /** The application's tag that the signature must have. */
  readonly tag?: string | undefined;
  /** The types of the application's own structured fields, for `sf` and `key`. */
  readonly fieldTypes?: FieldTypes | undefined;
};

export type VerifiedSignature = {
  readonly label: string;
  readonly components: readonly ComponentIdentifier[];
  readonly parameters: SignatureParameters;
};

/**
 * Verifies one signature of a message, in the order of RFC 9421: the fields are parsed, what the application requires is
 * looked at, the key is found, the signature base is made again, and the signature is held against it.
 *
 * It does not look at the content: cover `content-digest`, and call `verifyContentDigest` too.
 *
 * @throws {SignatureError} with the code of the first thing that is wrong; what `findVerifier` throws
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
    if (!covered.has(identity)) throw new SignatureError('component_uncovered', `${identity} is not covered`);
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
    throw new SignatureError('algorithm_mismatch', `alg is not ${algorithm}, as the key is`);
  if (signatureLength !== undefined && signature.length !== signatureLength) {
    throw new SignatureError('signature_malformed', `The signature has ${signature.length} bytes, not ${signatureLength}`);
  }
  const base = createSignatureBase(message, { components, parameters, fieldTypes });
  if (!(await verifier.verify(new TextEncoder().encode(base), signature))) {
    throw new SignatureError('signature_invalid', 'The signature was not made with this key over this message');
  }
}

function chooseSignature(signatures: UnverifiedSignature[], { label, tag }: VerifyOptions): UnverifiedSignature {
  const chosen = signatures.filter(
    (signature) =>
      (label === undefined || signature.label === label) && (tag === undefined || signature.parameters.get('tag') === tag),
  );
  const [signature] = chosen;
  if (!signature) throw new SignatureError('signature_missing', 'The message has no such signature');
  if (chosen.length > 1) throw new SignatureError('signature_ambiguous', 'The message has several such signatures: name one');
  return signature;
}
