// What came of a verification, step by step.
import type { Verification } from '@concord/client';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Faint, Status } from '#ui/text/text.tsx';

export function VerificationResult({ result }: { result: Verification }) {
  const { verified, reason, code, checked_url, matching_url, signature_base } = result;
  return (
    <Stack>
      {verified ? (
        <Banner tone="good" title="The request verifies">
          Concord signed it, and nothing that is signed was changed.
        </Banner>
      ) : (
        <Banner tone="bad" title="The request does not verify">
          {matching_url === null && <p>{reason}</p>}
          {matching_url === null && code !== null && code in verificationAdvice && (
            <p>{verificationAdvice[code]}</p>
          )}
          {matching_url !== null && (
            <p>
              Concord signed it for another URL, <code>{matching_url}</code>, and not for{' '}
              <code>{checked_url}</code>. If that is the endpoint, let the receiver check exactly that URL.
            </p>
          )}
        </Banner>
      )}
      <Steps result={result} />
      {signature_base !== null && (
        <Code label="The text that was checked (signature base)" text={signature_base} />
      )}
    </Stack>
  );
}

function Steps({ result: { verified, step } }: { result: Verification }) {
  const failed = verificationSteps.findIndex((one) => one.step === step);
  return (
    <ol aria-label="Steps of the verification">
      {verificationSteps.map(({ step: name, label }, index) => (
        <li key={name}>
          {verified || (failed !== -1 && index < failed) ? (
            <Status tone="good">{label}: passed</Status>
          ) : index === failed ? (
            <Status tone="bad">{label}: failed</Status>
          ) : (
            <Status tone="neutral">
              <Faint>{label}: not reached</Faint>
            </Status>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The steps in their order, as docs/receiving-webhooks.md names them. */
const verificationSteps = [
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
const verificationAdvice: Readonly<Record<string, string>> = {
  created_too_old: 'Give the time at which the request arrived. A signature is valid for five minutes.',
  created_in_future: 'Compare the clock of the receiver with the time of a time server.',
  signature_expired: 'Give the time at which the request arrived.',
  signature_missing:
    'Paste all headers. A proxy in front of the receiver may have removed Signature or Signature-Input.',
  component_missing:
    'Paste all headers. A proxy in front of the receiver may have removed one that is signed.',
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
