// The public API: HTTP Message Signatures (RFC 9421) and Content-Digest (RFC 9530).
export {
  type AlgorithmName,
  createSigner,
  createVerifier,
  importKey,
  type Signer,
  type Verifier,
} from './algorithms.ts';
export {
  type ComponentIdentifier,
  type ComponentParameters,
  component,
  type ParameterValue,
} from './components.ts';
export { createContentDigest, type DigestAlgorithm, verifyContentDigest } from './content-digest.ts';
export { SignatureError, type SignatureErrorCode } from './errors.ts';
export type { FieldTypes } from './field-components.ts';
export type { Fields, Message, RequestMessage, ResponseMessage } from './message.ts';
export { type SignatureFields, type SignOptions, signMessage } from './sign.ts';
export { createSignatureBase, type SignatureBaseOptions } from './signature-base.ts';
export {
  parseSignature,
  parseSignatureInput,
  readSignatures,
  type SignatureInput,
  serializeSignature,
  serializeSignatureInput,
  serializeSignatureInputs,
  type UnverifiedSignature,
} from './signature-fields.ts';
export {
  assertValidNow,
  readParameters,
  type SignatureParameters,
  type Validity,
} from './signature-parameters.ts';
export type { FieldType } from './structured-fields.ts';
export { type VerifiedSignature, type VerifyOptions, verifyMessage } from './verify.ts';
