// What came of a verification, step by step.
import type { Verification } from '@concord/client';
import { Banner } from '#ui/feedback/banner.tsx';
import { Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Faint, Status } from '#ui/text/text.tsx';
import { verificationAdvice, verificationSteps } from '../messages.ts';

export function VerificationResult({ result }: { result: Verification }) {
  const { verified, reason, code, checked_url, matching_url, signature_base } = result;
  return (
    <Stack>
      {verified ? (
        <Banner tone="good" title="The request verifies">
          <p>Concord signed it, and nothing that is signed was changed.</p>
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
