// One attempt, from what is due to what came of it. It never throws: what goes wrong is a result.
import type { KeyObject } from 'node:crypto';
import { formatId } from '../../ids.ts';
import type { Sealer } from '../../sealing.ts';
import type { Environment } from '../../signing-keys/index.ts';
import { DestinationError, type Destinations } from './destination.ts';
import type { Due, Result } from './queue-store.ts';
import { nextDelay, readRetryAfter } from './retry-schedule.ts';
import type { Outcome, Send } from './send.ts';
import { signAttempt } from './sign.ts';

/** Of an answer so much is kept, in bytes. */
const keptBytes = 16 * 1024;

type SigningKey = { kid: string; privateKey: KeyObject };

type Options = {
  send: Send;
  destinations: Destinations;
  /** Opens the headers of endpoints. */
  sealer: Sealer;
  retrySchedule: readonly number[];
  /** Who is named as the sender. */
  userAgents: Readonly<Record<Environment, string>>;
  /** A fault of ours. */
  onFault: (error: unknown, deliveryId: string) => void;
};

export type Attempt = (due: Due, epoch: string, key: SigningKey, now: Date) => Promise<Result>;

export function createAttempt({ send, destinations, sealer, retrySchedule, userAgents, onFault }: Options): Attempt {
  async function request(due: Due, key: SigningKey, now: Date): Promise<Outcome> {
    const url = destinations.parseUrl(due.url);
    const body = Buffer.from(due.body);
    const own =
      due.sealed_headers === null
        ? {}
        : JSON.parse(sealer.open(due.sealed_headers, formatId('webhook_endpoint', due.endpoint_id)));
    const signed = await signAttempt({
      url,
      body,
      eventId: formatId('event', due.event_id),
      attempt: due.attempt_count + 1,
      userAgent: userAgents[due.environment],
      key,
      nowMs: now.getTime(),
    });
    return send({ url, headers: { ...own, ...signed }, body });
  }

  return async (due, epoch, key, now) => {
    const outcome = await request(due, key, now).catch((error: unknown): Outcome => {
      const failed = { kind: 'failed', durationMs: 0 } as const;
      // The settings have changed since it was made.
      if (error instanceof DestinationError) return { ...failed, reason: 'address_refused', detail: `the URL ${error.message}` };
      onFault(error, due.id);
      return { ...failed, reason: 'internal', detail: 'a fault of Concord, which its log tells of' };
    });
    return toResult(due, epoch, now, outcome);
  };

  function toResult(due: Due, epoch: string, startedAt: Date, outcome: Outcome): Result {
    const acknowledged = outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300;
    const retryMs = acknowledged
      ? null
      : nextDelay(retrySchedule, {
          attempt: due.round_attempts + 1,
          retryAfterMs: askedFor(outcome, startedAt),
          random: Math.random(),
        });
    return {
      endpointId: due.endpoint_id,
      epoch,
      deliveryId: due.id,
      attemptsBefore: due.attempt_count,
      url: due.url,
      status: acknowledged ? 'delivered' : retryMs === null ? 'failed' : 'pending',
      retryMs,
      startedAt,
      durationMs: outcome.durationMs,
      gone: outcome.kind === 'answered' && outcome.status === 410,
      unanswered: outcome.kind === 'failed',
      failingSince: due.failing_since,
      ...told(outcome),
    };
  }
}

function askedFor(outcome: Outcome, now: Date): number | undefined {
  const listens = outcome.kind === 'answered' && (outcome.status === 429 || outcome.status === 503);
  return listens ? readRetryAfter(outcome.retryAfter, now.getTime() + outcome.durationMs) : undefined;
}

function told(outcome: Outcome): Pick<Result, 'statusCode' | 'error' | 'responseBody'> {
  if (outcome.kind === 'failed')
    return { statusCode: null, error: storable(`${outcome.reason}: ${outcome.detail}`), responseBody: null };
  const { status, body } = outcome;
  return {
    statusCode: status,
    error: status >= 300 && status < 400 ? 'redirect: redirects are not followed' : null,
    responseBody: storable(body.subarray(0, keptBytes).toString('utf8')),
  };
}

/** NUL is the one character that the database cannot keep. What a certificate says of itself can have it too. */
const storable = (text: string) => text.replaceAll('\0', '\ufffd');
