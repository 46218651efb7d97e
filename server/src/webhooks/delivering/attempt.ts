// One attempt: signs and sends what is due. It never throws, since a failure is a result.
import { DestinationError, type Outcome } from '../../base/egress/index.ts';
import { toStorable } from '../../base/http/schemas.ts';
import { timeOf } from '../../base/ids.ts';
import type { Span, Tracing } from '../../base/tracing/index.ts';
import { requestBody } from '../endpoints/payload.ts';
import type { RetryTerms } from '../endpoints/retry-terms.ts';
import type { Sealings } from '../endpoints/secrets.ts';
import { standardHeaders } from '../endpoints/signing-secret.ts';
import type { Environment } from '../environments.ts';
import type { Signer } from '../signing-keys/index.ts';
import { readRetryAfter } from './retry-after.ts';
import type { SendToEndpoint } from './send-to-endpoint.ts';
import { signAttempt, webhookId } from './sign.ts';
import type { AttemptResult, DueRequest } from './store.ts';

const keptBytes = 16 * 1024;

export type AttemptOptions = {
  send: SendToEndpoint;
  sealings: Sealings;
  retryTerms: RetryTerms;
  userAgents: Readonly<Record<Environment, string>>;
  /** Hands a request to the command that listens, and waits for its answer. */
  askListener: (request: ListenerRequest) => Promise<Outcome>;
  tracing: Tracing;
  /** Called when Concord itself fails. */
  onFault: (error: unknown, deliveryId: string) => void;
};

export type ListenerRequest = Pick<DueRequest, 'id' | 'endpoint_id' | 'event_id' | 'batch_id' | 'payload'> &
  Readonly<{
    attempt: number;
    url: URL;
    headers: Readonly<Record<string, string>>;
    timeoutMs: number;
  }>;

/** `signed` is null when no request was signed. */
type Requested = { outcome: Outcome; signed: AttemptResult['signed'] };

export type MakeAttempt = (due: DueRequest, epoch: string, key: Signer, now: Date) => Promise<AttemptResult>;

export function createMakeAttempt({
  send,
  sealings,
  retryTerms,
  userAgents,
  askListener,
  tracing,
  onFault,
}: AttemptOptions): MakeAttempt {
  async function request(due: DueRequest, key: Signer, now: Date, span: Span): Promise<Requested> {
    const { endpoint_id: endpointId, sealed_signing_secret: sealedSecret } = due;
    const bodies = due.deliveries.map((each) => each.body);
    const body = Buffer.from(requestBody(due.payload, bodies, due.batch_id !== null));
    const attempt = due.attempt_count + 1;
    const id = webhookId(due);
    const userAgent = userAgents[due.environment];
    let signed: AttemptResult['signed'] = null;
    const prepare = async (url: URL, elapsedMs: number) => {
      const nowMs = now.getTime() + elapsedMs;
      const content = { url, body, id, attempt, userAgent, key, nowMs };
      const { headers, ...signature } = await signAttempt(content);
      const { created } = signature;
      signed = { ...signature, url: url.href };
      if (sealedSecret === null) return { headers, body };
      const secret = sealings.signingSecrets.open(endpointId, sealedSecret);
      return { headers: { ...headers, ...standardHeaders(secret, { id, created, body }) }, body };
    };
    if (!due.listener) {
      const { traceparent } = span;
      return { outcome: await send({ endpointId, terms: due, userAgent, traceparent, prepare }), signed };
    }
    const url = new URL(due.url);
    // A listener gets nothing that can be a secret: rows carry the request.
    const { headers } = await prepare(url, 0);
    const timeoutMs = retryTerms.timeoutMs(due);
    return { outcome: await askListener({ ...due, attempt, url, headers, timeoutMs }), signed };
  }

  return async (due, epoch, key, now) => {
    const span = tracing.start('attempt', {
      kind: 'client',
      linkTo: due.traceparent,
      attributes: {
        'http.request.method': 'POST',
        'concord.delivery.id': due.id,
        'concord.event.id': due.event_id,
        ...(due.batch_id !== null && {
          'concord.batch.id': due.batch_id,
          'concord.batch.events': due.deliveries.length,
        }),
        'concord.attempt': due.attempt_count + 1,
      },
    });
    const requested = await span
      .run(() => request(due, key, now, span))
      .catch((error: unknown): Requested => {
        const outcome = toFailure(error, () => onFault(error, due.id));
        return { signed: null, outcome };
      });
    endSpan(span, requested.outcome);
    return toResult(due, requested, { epoch, startedAt: now, retryTerms });
  };
}

/** What no receiver has caused. `onFault`: called when Concord itself fails. */
export function toFailure(error: unknown, onFault: () => void): Outcome {
  const failed = { kind: 'failed', durationMs: 0 } as const;
  // The settings have changed since the endpoint was created.
  if (error instanceof DestinationError)
    return { ...failed, reason: 'address_refused', detail: `the URL ${error.message}` };
  onFault();
  return { ...failed, reason: 'internal', detail: 'Concord failed; its log has the details' };
}

function toResult(
  due: DueRequest,
  { outcome, signed }: Requested,
  { epoch, startedAt, retryTerms }: { epoch: string; startedAt: Date; retryTerms: RetryTerms },
): AttemptResult {
  const answer = outcome.kind === 'answered' ? outcome : null;
  const status = answer?.status ?? 0;
  const acknowledged = status >= 200 && status < 300;
  const retryAfter = status === 429 || status === 503 ? answer?.retryAfter : undefined;
  const failure = {
    attempt: due.round_attempts + 1,
    retryAfterMs: readRetryAfter(retryAfter, startedAt.getTime() + outcome.durationMs),
    random: Math.random(),
  };
  const retryMs = acknowledged ? null : retryTerms.nextDelay(due, failure);
  return {
    endpointId: due.endpoint_id,
    epoch,
    batchId: due.batch_id,
    deliveries: due.deliveries.map(({ id, event_id }) => ({
      deliveryId: id,
      waitMs: due.attempt_count === 0 ? startedAt.getTime() - timeOf(event_id) : null,
    })),
    environment: due.environment,
    ordering: due.ordering,
    attemptsBefore: due.attempt_count,
    url: due.url,
    thin: due.payload === 'thin',
    signed,
    status: acknowledged ? 'delivered' : retryMs === null ? 'failed' : 'pending',
    retryMs,
    startedAt,
    durationMs: outcome.durationMs,
    gone: status === 410,
    unanswered: answer === null,
    disableAfterMs: retryTerms.disableAfterMs(due),
    failingSince: due.failing_since,
    statusCode: answer && status,
    error:
      outcome.kind === 'failed'
        ? toStorable(`${outcome.reason}: ${outcome.detail}`)
        : status >= 300 && status < 400
          ? 'redirect: redirects are not followed'
          : null,
    responseBody: answer && toStorable(startOf(answer.body)),
  };
}

/** A character that the limit cuts is left out. */
const startOf = (body: Buffer): string =>
  body.length < keptBytes
    ? body.toString('utf8')
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body.subarray(0, keptBytes), { stream: true });

function endSpan(span: Span, outcome: Outcome): void {
  if (outcome.kind === 'answered') span.setAttributes({ 'http.response.status_code': outcome.status });
  const failure =
    outcome.kind === 'failed' ? outcome.reason : outcome.status < 300 ? undefined : String(outcome.status);
  span.end(failure === undefined ? undefined : { name: failure });
}
