// The words of this area: the steps of a verification, and what to do when one fails.

/** The steps in their order, as docs/receiving-webhooks.md names them. */
export const verificationSteps = [
  { step: 'request', label: 'The request can be read' },
  { step: 'parse', label: 'Signature-Input and Signature are well-formed' },
  { step: 'requirements', label: 'The signature covers what it must, and is not too old' },
  { step: 'fetch_keys', label: 'The public keys are available' },
  { step: 'find_key', label: 'The key of the signature is published' },
  { step: 'rebuild', label: 'The signed text can be rebuilt' },
  { step: 'verify', label: 'The signature was made with this key, over this request' },
  { step: 'digest', label: 'The body is the one that was signed' },
  { step: 'event', label: 'The body is an event' },
] as const;

/** What to do, by the code of the failure. */
export const verificationAdvice: Readonly<Record<string, string>> = {
  created_too_old: 'Give the time at which the request arrived. A signature is valid for five minutes.',
  created_in_future: 'Compare the clock of the receiver with the time of a time server.',
  signature_expired: 'Give the time at which the request arrived.',
  signature_missing:
    'Paste all headers. A proxy before the receiver may have removed Signature or Signature-Input.',
  component_missing: 'Paste all headers. A proxy before the receiver may have removed one that is signed.',
  component_uncovered: 'The request was not signed by Concord, or its headers were changed on the way.',
  label_unmatched: 'Paste both Signature-Input and Signature, each whole.',
  field_malformed: 'Check that the headers are whole: a long line may have been cut or wrapped.',
  character_invalid: 'Check that each header is on one line.',
  key_unknown:
    'Check the environment: live and sandbox have their own keys. A key is published for 21 days after it has signed.',
  signature_invalid:
    'The URL, a signed header or the signature differs. Give the URL exactly as the endpoint shows it: the scheme, the host, the port and each slash.',
  digest_mismatch:
    'The body was changed after it was signed. Verify the raw bytes, before anything parses them.',
  event_invalid: 'The signature is right, but the body is not an event of Concord.',
};
