// One attempt: signs and sends what is due. It never throws, since a failure is a result.
import { DestinationError, type Destinations, type Outcome } from '../../base/egress/index.ts';
import { toStorable } from '../../base/http/schemas.ts';
import { timeOf } from '../../base/ids.ts';
import type { Span, Tracing } from '../../base/tracing/index.ts';
import { requestBody } from '../endpoints/payload.ts';
import type { RetryTerms } from '../endpoints/retry-terms.ts';
import type { Sealings } from '../endpoints/secrets.ts';
import { standardHeaders } from '../endpoints/signing-secret.ts';
import type { Environment, Signer } from '../signing-keys/index.ts';
import { readRetryAfter } from './retry-after.ts';
import type { SendToEndpoint } from './send-to-endpoint.ts';
import { signAttempt, webhookId } from './sign.ts';
import type { AttemptResult, DueRequest } from './store.ts';

const keptBytes = 16 * 1024;

type Options = {
  send: SendToEndpoint;
  destinations: Destinations;
  sealings: Sealings;
  retryTerms: RetryTerms;
  userAgents: Readonly<Record<Environment, string>>;
  /**
   * Whether the endpoint's URL is the sandbox receiver of its partner, where webhooks may go whatever its
   * address is.
   */
  isReceiver: (endpointId: string, url: string) => Promise<boolean>;
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
  destinations,
  sealings,
  retryTerms,
  userAgents,
  isReceiver,
  askListener,
  tracing,
  onFault,
}: Options): MakeAttempt {
  async function request(due: DueRequest, key: Signer, now: Date, span: Span): Promise<Requested> {
    const toSelf = !due.listener && (await isReceiver(due.endpoint_id, due.url));
    const url = toSelf || due.listener ? new URL(due.url) : destinations.parseUrl(due.url);
    const bodies = due.deliveries.map((each) => each.body);
    const body = Buffer.from(requestBody(due.payload, bodies, due.batch_id !== null));
    const attempt = due.attempt_count + 1;
    const {
      endpoint_id: endpointId,
      sealed_headers: sealedHeaders,
      sealed_signing_secret: sealedSecret,
    } = due;
    const own = sealedHeaders === null ? {} : sealings.headers.open(endpointId, sealedHeaders);
    const id = webhookId(due);
    const userAgent = userAgents[due.environment];
    const timeoutMs = retryTerms.timeoutMs(due);
    let signed: AttemptResult['signed'] = null;
    const sign = async (elapsedMs: number) => {
      const nowMs = now.getTime() + elapsedMs;
      const content = { url, body, id, attempt, userAgent, key, nowMs };
      const { headers, ...signature } = await signAttempt(content);
      const { created } = signature;
      signed = { ...signature, url: url.href };
      if (sealedSecret === null) return headers;
      const secret = sealings.signingSecrets.open(endpointId, sealedSecret);
      return { ...headers, ...standardHeaders(secret, { id, created, body }) };
    };
    const prepare = async (elapsedMs: number) => ({
      headers: { ...passTrace(own, span.traceparent), ...(await sign(elapsedMs)) },
      body,
    });
    // A listener gets nothing that can be a secret: rows carry the request.
    const outcome = due.listener
      ? await askListener({ ...due, attempt, url, headers: await sign(0), timeoutMs })
      : await send({ endpointId, terms: due, url, toSelf, timeoutMs, userAgent, prepare });
    return { outcome, signed };
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

/**
 * The value by which an endpoint asks for the traceparent of each attempt. Other values are sent as they are.
 */
const askedTrace = 'concord';

export function passTrace(
  headers: Readonly<Record<string, string>>,
  traceparent: string | null,
): Readonly<Record<string, string>> {
  const asking = Object.keys(headers).find(
    (name) => name.toLowerCase() === 'traceparent' && headers[name] === askedTrace,
  );
  if (asking === undefined) return headers;
  const { [asking]: _, ...others } = headers;
  return traceparent === null ? others : { ...others, [asking]: traceparent };
}

function endSpan(span: Span, outcome: Outcome): void {
  if (outcome.kind === 'answered') span.setAttributes({ 'http.response.status_code': outcome.status });
  const failure =
    outcome.kind === 'failed' ? outcome.reason : outcome.status < 300 ? undefined : String(outcome.status);
  span.end(failure === undefined ? undefined : { name: failure });
}
