// One attempt: what came back, what was sent, and how it was signed.
import {
  type Attempt,
  type AttemptWithRequest,
  type DeliveryWithAttempts,
  getAttempt,
  type Verification,
  verifyCapturedWebhook,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { useAccess } from '#app/session.ts';
import { formatJson, isJson } from '#format/json.ts';
import { formatBytes, formatMs } from '#format/numbers.ts';
import { formatExactTime } from '#format/time.ts';
import { attemptOutcome, statusLine } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Row, Section, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { CopyButton } from '#ui/text/copy-button.tsx';
import { Fact, Facts, Faint, Id, Soft, Status, shortId } from '#ui/text/text.tsx';
import { type HttpRequest, toCurl, toHead, toHttpText } from '../shared/http-text.ts';
import { VerificationResult } from '../shared/verification.tsx';

type Props = { delivery: DeliveryWithAttempts; attempt: Attempt };

export function AttemptDetail({ delivery, attempt }: Props) {
  const partner = usePartner();
  const outcome = attemptOutcome(attempt);
  const query = useRead(getAttempt, {
    path: { id: partner, delivery_id: delivery.id, number: String(attempt.number) },
  });
  return (
    <Section
      title={`Attempt ${attempt.number}`}
      about={
        <>
          <Status {...outcome} /> after {formatMs(attempt.duration_ms)}, {formatExactTime(attempt.started_at)}
        </>
      }
    >
      <Stack>
        <Answer attempt={attempt} />
        <Loaded query={query} lines={10}>
          {({ data }) => (
            <>
              <SentBatch attempt={data} />
              <Sent attempt={data} environment={delivery.environment} />
            </>
          )}
        </Loaded>
      </Stack>
    </Section>
  );
}

const utf8 = new TextEncoder();
const bytesOf = (text: string): string => formatBytes(utf8.encode(text).length);

function Answer({ attempt: { status_code, error, response_body } }: { attempt: Attempt }) {
  return (
    <>
      <h3>Response</h3>
      {status_code === null ? (
        <Soft>
          No answer. <code>{error}</code>
        </Soft>
      ) : response_body === null || response_body === '' ? (
        <Soft>{statusLine(status_code)}, with an empty body.</Soft>
      ) : (
        <Code
          label={`${statusLine(status_code)}, the first ${bytesOf(response_body)} of the body`}
          text={formatJson(response_body)}
          isJson={isJson(response_body)}
        />
      )}
    </>
  );
}

type SentProps = { attempt: AttemptWithRequest; environment: 'live' | 'sandbox' };
function Sent({ attempt: { request, signature_base, key_id, created, signature }, environment }: SentProps) {
  const { run, isRunning } = useWrite();
  const [result, setResult] = useState<Verification>();
  if (request === null || created === null) {
    return (
      <>
        <h3>Request</h3>
        <Soft>No request was signed for this attempt.</Soft>
      </>
    );
  }
  const signedAt = new Date(created * 1_000).toISOString();
  async function verify(sent: HttpRequest) {
    const found = await run(
      verifyCapturedWebhook,
      { body: { ...sent, environment, at: signedAt } },
      { keepsCache: true },
    );
    if (found) setResult(found);
  }
  return (
    <>
      <h3>Request</h3>
      <Row>
        <Button isBusy={isRunning} onClick={() => void verify(request)}>
          Verify the signature
        </Button>
        <CopyButton text={toCurl(request)} label="Copy as curl" isSmall={false} />
        <CopyButton text={toHttpText(request)} label="Copy as HTTP" isSmall={false} />
      </Row>
      {result && <VerificationResult result={result} />}
      <Code label={request.url} text={toHead(request)} />
      <Code
        label={
          isJson(request.body)
            ? `Body, formatted (${bytesOf(request.body)} on one line were signed)`
            : `Body (${bytesOf(request.body)})`
        }
        text={formatJson(request.body)}
        isJson={isJson(request.body)}
      />
      <Faint>
        The headers that the endpoint was given are left out: they can be secrets. A copied request verifies
        for five minutes only.
      </Faint>
      <h3>How it was signed</h3>
      <Facts>
        <Fact name="Key">{key_id !== null && <Id id={key_id} />}</Fact>
        <Fact name="Signed">{formatExactTime(signedAt)}</Fact>
      </Facts>
      {signature_base !== null && (
        <Code label="The text that was signed (signature base)" text={signature_base} />
      )}
      {signature !== null && <Code label="Signature, r and s in base64" text={signature} />}
    </>
  );
}

type SentBatchProps = { attempt: AttemptWithRequest };

function SentBatch({ attempt: { batch, request } }: SentBatchProps) {
  const { can, partner } = useAccess();
  if (batch === null) return null;
  const ids = request === null ? [] : idsOf(request.body);
  return (
    <Facts>
      <Fact name="Sent in batch" id={batch.id} />
      <Fact name={`Its ${batch.events === 1 ? 'event' : `${batch.events} events`}, in order`}>
        {ids.map((event, index) => (
          <span key={event}>
            {index > 0 && ', '}
            {can('events', 'get') ? (
              <Link to="/p/$partner/webhooks/events/$event" params={{ partner, event }}>
                <code title={event}>{shortId(event)}</code>
              </Link>
            ) : (
              <code title={event}>{shortId(event)}</code>
            )}
          </span>
        ))}
      </Fact>
    </Facts>
  );
}

const idsOf = (body: string): string[] => (JSON.parse(body) as { id: string }[]).map(({ id }) => id);
