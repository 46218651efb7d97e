// The closed list of what can be wrong with a signed message, and the one error that carries it.

/**
 * What was wrong. A code never changes its meaning; the message of an error is for people and may change.
 *
 * | Code | Meaning |
 * |---|---|
 * | `message_invalid` | the method, target URI or status is none |
 * | `character_invalid` | a field value has a control character, a line break or a non-ASCII character |
 * | `too_large` | a field, or its number of labels or components, is beyond the bounds |
 * | `field_malformed` | a field is no structured field of the right shape |
 * | `label_duplicate`, `component_duplicate`, `parameter_duplicate` | one of these stands twice |
 * | `label_unmatched` | a label stands in one of Signature-Input and Signature only |
 * | `signature_missing`, `signature_ambiguous` | there is no such signature; there are several and none was named |
 * | `component_invalid` | a component identifier that no signature may cover |
 * | `component_missing` | a covered component is not in the message |
 * | `component_uncovered` | a component that the verifier requires is not covered |
 * | `parameter_invalid`, `parameter_missing` | a signature parameter has the wrong type, or is required and not there |
 * | `unsupported` | a component, parameter, field type or algorithm that this library does not know |
 * | `created_in_future`, `created_too_old`, `signature_expired` | not valid at this time |
 * | `algorithm_mismatch` | `alg` is not the algorithm of the key |
 * | `key_unknown`, `key_invalid` | no key for this signature; a key that does not fit its algorithm |
 * | `signature_malformed`, `signature_invalid` | of the wrong length or form; not made with this key over this message |
 * | `digest_mismatch` | Content-Digest is not that of the content |
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

/** Everything that this package throws about a message, a signature or a key. */
export class SignatureError extends Error {
  readonly code: SignatureErrorCode;

  constructor(code: SignatureErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SignatureError';
    this.code = code;
  }
}
