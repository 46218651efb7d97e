// Signs a message (RFC 9421, section 3.1).
import type { Signer } from './algorithms.ts';
import { toComponent } from './components.ts';
import { SignatureError } from './errors.ts';
import type { Message } from './message.ts';
import { createSignatureBase, type SignatureBaseOptions, toMap } from './signature-base.ts';
import { serializeSignature, serializeSignatureInputs } from './signature-fields.ts';
import { readParameters } from './signature-parameters.ts';

export type SignOptions = SignatureBaseOptions & {
  readonly signer: Signer;
  /** The label of the signature, unique in the message; `sig1` by default. */
  readonly label?: string | undefined;
};

/**
 * The values of Signature-Input and Signature. If the message has these fields already, add the values as
 * further lines.
 */
export type SignatureFields = { readonly signatureInput: string; readonly signature: string };

/**
 * Signs a message. The signature has exactly the parameters that you pass: `created`, `keyid` and `alg` are
 * not added.
 *
 * @throws {SignatureError} the errors of `createSignatureBase`; `algorithm_mismatch` when `alg` is not the
 *   signer's algorithm; `parameter_invalid` when a registered parameter has the wrong type
 * @see RFC 9421, section 3.1
 * @example
 * const headers = { 'content-type': 'application/json' };
 * const message = { method: 'POST', url: 'https://example.com/orders', headers };
 * const { signatureInput, signature } = await signMessage(message, {
 *   components: ['@method', '@target-uri', 'content-type'],
 *   parameters: { created: Math.floor(Date.now() / 1_000), keyid: 'key-1', alg: 'ecdsa-p384-sha384' },
 *   signer: createSigner('ecdsa-p384-sha384', privateKey),
 * });
 */
export async function signMessage(message: Message, options: SignOptions): Promise<SignatureFields> {
  const { components, signer, label = 'sig1' } = options;
  const parameters = toMap(options.parameters);
  const { alg } = readParameters(parameters);
  if (alg !== undefined && alg !== signer.algorithm)
    throw new SignatureError(
      'algorithm_mismatch',
      `alg must be ${signer.algorithm}, the algorithm of the signer`,
    );
  const base = createSignatureBase(message, options);
  const signatureInput = serializeSignatureInputs(
    new Map([[label, { components: components.map(toComponent), parameters }]]),
  );
  const bytes = await signer.sign(new TextEncoder().encode(base));
  return { signatureInput, signature: serializeSignature(new Map([[label, bytes]])) };
}
