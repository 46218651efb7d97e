// The error class of this package and its closed list of codes.

/**
 * A code never changes its meaning. The message of an error is for people and may change.
 *
 * | Code | Meaning |
 * |---|---|
 * | `message_invalid` | the method, target URI or status is malformed |
 * | `character_invalid` | a field value has a control character, a line break or a non-ASCII character |
 * | `too_large` | a field is too long, or has too many labels or components |
 * | `field_malformed` | a field is not a structured field of the expected type |
 * | `label_duplicate`, `component_duplicate`, `parameter_duplicate` | one appears twice |
 * | `label_unmatched` | a label is in only one of Signature-Input and Signature |
 * | `signature_missing`, `signature_ambiguous` | no signature matches the options; several match |
 * | `component_invalid` | no signature may cover this component identifier |
 * | `component_missing` | a covered component is not in the message |
 * | `component_uncovered` | a component that the verifier requires is not covered |
 * | `parameter_invalid`, `parameter_missing` | a signature parameter has the wrong type; one is missing |
 * | `unsupported` | this package does not know the component, parameter, field type or algorithm |
 * | `created_in_future`, `created_too_old`, `signature_expired` | the signature is not valid at this time |
 * | `algorithm_mismatch` | `alg` is not the algorithm of the key |
 * | `key_unknown`, `key_invalid` | there is no key for this signature; it is for another algorithm or use |
 * | `signature_malformed`, `signature_invalid` | wrong length; not made with this key over this message |
 * | `digest_mismatch` | the digest in Content-Digest does not match the content |
 */
export type SignatureErrorCode =
  | 'message_invalid'
  | 'character_invalid'
  | 'too_large'
  | 'field_malformed'
  | 'label_duplicate'
  | 'component_duplicate'
  | 'parameter_duplicate'
  | 'label_unmatched'
  | 'signature_missing'
  | 'signature_ambiguous'
  | 'component_invalid'
  | 'component_missing'
  | 'component_uncovered'
  | 'parameter_invalid'
  | 'parameter_missing'
  | 'unsupported'
  | 'created_in_future'
  | 'created_too_old'
  | 'signature_expired'
  | 'algorithm_mismatch'
  | 'key_unknown'
  | 'key_invalid'
  | 'signature_malformed'
  | 'signature_invalid'
  | 'digest_mismatch';

/** Thrown by every function of this package for an invalid message, signature or key. */
export class SignatureError extends Error {
  readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignatureError';
    this.code = code;
  }
}
