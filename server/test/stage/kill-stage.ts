// A stage for kills at exact steps: an instance that is never killed, receivers, and processes that are.
import { expect, onTestFinished } from 'vitest';
import { pluck, succeed } from './cast.ts';
import type { Received } from './receiver.ts';
import { createClient, type TestService } from './start-service.ts';
import { type StatementGate, startStatementGate } from './statement-gate.ts';
import { openDelivering, startWorker, startWorkerHere } from './webhook-stage.ts';

const leaseMs = 20_000;

export type KillStage = Awaited<ReturnType<typeof startKillStage>>;

export async function startKillStage() {
  let aheadMs = 0;
  const { service, receiver } = await openDelivering(
    { CONCORD_ROLE: 'api' },
    { now: () => Date.now() + aheadMs },
  );
  const { sql } = service;

  /** A process that takes requests and delivers. Its client ends with the test. */
  async function startVictim(environment: Record<string, string> = {}) {
    const { child, url } = await startWorker(service, { CONCORD_ROLE: 'all', ...environment });
    const client = createClient(url);
    onTestFinished(client.close);
    const request = (path: string, body: unknown, headers: Record<string, string> = {}) =>
      client.request('POST', path, { token: service.operatorToken, body, headers });
    return { child, request };
  }

  async function endLeases() {
    aheadMs += leaseMs;
    await service.advanceClock(aheadMs);
  }

  return {
    service,
    receiver,
    sql,
    startVictim,
    /** Ends the leases of the processes that were killed. No other process delivers at this time. */
    endLeases,
    /** Another process delivers what is due. */
    async takeOver() {
      await endLeases();
      return startWorkerHere(service);
    },
    /** The ids of the partner's events, in the order of the feed. */
    feed: async (partnerId: string) =>
      pluck(succeed(await service.get(`/partners/${partnerId}/events?page_size=1000`)), 'id'),
    settled: () => settled(service),
  };
}

/** An instance that publishes and delivers, in this process, with a gate before its database. */
export async function startGated() {
  const gates: StatementGate[] = [];
  onTestFinished(() => gates[0]?.close());
  const route = async (url: string) => {
    gates[0] = await startStatementGate(url);
    return gates[0].url;
  };
  return { ...(await openDelivering({}, { route })), gate: gates[0]! };
}

/**
 * Nothing is lost, recorded twice or left hanging: every delivery was delivered by its first attempt, and no lane has
 * an owner or something to do.
 */
export async function settled({ sql }: TestService) {
  await expect.poll(() => sql(`select status from delivery where status <> 'delivered'`)).toEqual([]);
  await expect
    .poll(() => sql(`select from lane where owner is not null or next_at < 'infinity'`))
    .toEqual([]);
  expect(await sql('select attempt_count from delivery where attempt_count <> 1')).toEqual([]);
  const [rows] = await sql(
    'select (select count(*) from delivery) = (select count(*) from attempt) as each_once',
  );
  expect(rows).toEqual({ each_once: true });
}

/** The ids of the events, each as often as it arrived. */
export const arrivals = (requests: readonly Received[]) =>
  requests.flatMap(({ events }) => events.map(({ id }) => id));
