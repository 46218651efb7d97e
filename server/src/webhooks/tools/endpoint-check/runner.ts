// Runs checks in a process that sends webhooks: claims them, sends their requests one after the other, and
// records each result.
import { randomUUID } from 'node:crypto';
import { formatId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { selectExample } from '../../catalogue/store.ts';
import { type AttemptOptions, toFailure } from '../../delivering/attempt.ts';
import { delay } from '../../delivering/sender.ts';
import { needsCheck } from '../../endpoints/store.ts';
import { clearFailing, holdLanes, wakeLanes } from '../../lanes/store.ts';
import type { SigningKeys } from '../../signing-keys/index.ts';
import { type CaseName, caseNames, isPassed, type Result, toResult } from './check.ts';
import { prepare } from './requests.ts';
import * as store from './store.ts';

/** At the same time. The requests of one check go one after the other. */
const maxRunning = 4;
/** Beyond the time of a request: for the statements around it. */
const leaseMarginMs = 10_000;
const defaultType = 'inventory.updated';

/** It sends as deliveries do. */
type Options = Pick<AttemptOptions, 'sealings' | 'userAgents' | 'retryTerms' | 'send'> &
  Pick<SigningKeys, 'signers'> & { db: Database; onFault: (error: unknown) => void };

export function createCheckRunner(options: Options) {
  const { db } = options;
  const owner = randomUUID();
  const leaseMs = options.retryTerms.longestTimeoutMs + leaseMarginMs;
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function work(): Promise<void> {
    while (!stopped) {
      const claim = await db.transaction((tx) => store.claimCheck(tx, owner, leaseMs));
      if (!claim) return;
      await runClaimed(claim);
    }
  }

  async function runClaimed(claim: store.Claim): Promise<void> {
    while (!stopped) {
      const next = await store.renewCheck(db, claim, leaseMs);
      if (!next) break;
      const name = caseNames[next.done];
      if (!name) return finish(db, claim);
      const result = await sendCase(options, { claim, next, name });
      // A request that our stop has ended says nothing about the receiver.
      if (stopped || !(await store.addResult(db, claim, result, next.done))) break;
      // The next request may go then. A second at most.
      if (next.rate_limit_per_second !== null) await delay(1_000 / next.rate_limit_per_second);
    }
    await store.releaseCheck(db, claim);
  }

  return {
    /** Runs the checks that nobody runs. */
    look(): void {
      if (stopped || running.size >= maxRunning) return;
      const one = work()
        .catch(options.onFault)
        .finally(() => running.delete(one));
      running.add(one);
    },
    /** Sends nothing new. Resolves when no request is in flight. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running);
    },
  };
}

type Asked = { claim: store.Claim; next: store.Next; name: CaseName };

async function sendCase(
  { sealings, signers, userAgents, onFault, db, send }: Options,
  { claim: { endpoint_id: endpointId }, next, name }: Asked,
): Promise<Result> {
  const { environment, partner_id: partnerId, now, batch, payload, sealed_signing_secret: sealed } = next;
  try {
    const types = [...(next.event_types ?? []), defaultType];
    const [keys, known] = await Promise.all([signers(db), selectExample(db, partnerId, types)]);
    const userAgent = userAgents[environment];
    const sample = {
      environment,
      userAgent,
      payload,
      secret: sealed && sealings.signingSecrets.open(endpointId, sealed),
      partnerId: formatId('partner', partnerId),
      type: known?.name ?? defaultType,
      example: known?.example,
      eventId: formatId('event', next.event_id),
      batch: batch && { id: formatId('batch', next.event_id), maxEvents: batch.max_events },
      key: keys[environment],
    };
    const prepareCase = (url: URL, elapsedMs: number) =>
      prepare(name, { ...sample, url, now: new Date(now.getTime() + elapsedMs) });
    const request = { endpointId, terms: next, userAgent, traceparent: null, prepare: prepareCase };
    return toResult(name, await send(request));
  } catch (error) {
    return toResult(
      name,
      toFailure(error, () => onFault(error)),
    );
  }
}

const finish = (db: Database, claim: store.Claim): Promise<void> =>
  db.transaction(async (tx) => {
    const { endpoint_id: endpointId } = claim;
    // As every change of an endpoint: first the endpoint, then its lane.
    const endpoint = await store.lockEndpoint(tx, endpointId);
    if (!endpoint) return;
    await holdLanes(tx, [endpointId]);
    const check = await store.selectCheck(tx, endpointId);
    const status = check?.results.every(isPassed) ? 'passed' : 'failed';
    const isNeeded = await needsCheck(tx, endpoint.environment);
    if (!(await store.finishCheck(tx, claim, { status, isNeeded }))) return;
    if (status === 'passed') await clearFailing(tx, [endpointId]);
    await wakeLanes(tx, [endpointId]);
  });
