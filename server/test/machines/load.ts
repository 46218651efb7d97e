// Publishers at both APIs. Each event has a text of its own, so that an event without an answer can be found
// later.
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { succeed } from '../stage/cast.ts';
import type { World } from './world.ts';

const partnerCount = 4;
const endpointCount = 2;
const pauseMs = 120;
/** Every so manieth event does not fit its schema. */
const invalidEvery = 10;

export type Outcome = 'acknowledged' | 'rejected' | 'unknown';
export type Answer = {
  readonly sku: string;
  readonly partner: string;
  readonly publisher: number;
  readonly outcome: Outcome;
  readonly id: string | undefined;
  readonly from: number;
  readonly at: number;
};
/** A time in which something is broken, on the clock of `performance.now()`. */
type Fault = { readonly from: number; to: number };
export type Load = Awaited<ReturnType<typeof makeLoad>>;

const outcomeOf = (status: number | undefined): Outcome =>
  status === 202
    ? 'acknowledged'
    : status !== undefined && status >= 400 && status < 500
      ? 'rejected'
      : 'unknown';

export async function makeLoad({ apis, receiver, signIn, operatorToken }: World) {
  const create = async (path: string, body: object) =>
    succeed(await apis[1].request('POST', path, { body, token: operatorToken })) as { id: string };
  const partners = await Promise.all(
    Array.from({ length: partnerCount }, async (_, index) => {
      const { id } = await create('/partners', { name: 'Acme' });
      const urls = Array.from({ length: endpointCount }, () => receiver.url());
      for (const url of urls)
        await create(`/partners/${id}/webhook-endpoints`, { url, ordering: index === 0 ? 'strict' : 'none' });
      return { id, urls };
    }),
  );
  const answers: Answer[] = [];
  const faults: Fault[] = [];
  let publishing = true;

  /**
   * Goes to the other API when one fails. Every second partner's publishers repeat an event until it has an
   * answer.
   */
  async function publish(publisher: number) {
    const { id: partner } = partners[publisher >> 1]!;
    const repeats = (publisher >> 1) % 2 === 1;
    const token = await signIn();
    let api = publisher % 2;
    for (let number = 0; publishing; number++) {
      const sku = `${publisher} ${number}`;
      const quantity = number % invalidEvery === invalidEvery - 1 ? 'many' : number;
      const body = {
        type: 'inventory.updated',
        data: { sku, quantity },
        ...(repeats && { producer_id: sku }),
      };
      let outcome: Outcome;
      do {
        const from = performance.now();
        const answer = await apis[api]!.request('POST', `/partners/${partner}/events`, { body, token }).catch(
          () => undefined,
        );
        outcome = outcomeOf(answer?.status);
        // A good event is never refused, whatever is broken.
        if (outcome === 'rejected') expect([answer!.status, quantity], sku).toEqual([400, 'many']);
        const id = outcome === 'acknowledged' ? (answer!.body.id as string) : undefined;
        answers.push({ sku, partner, publisher, outcome, id, from, at: performance.now() });
        if (outcome === 'unknown') api = 1 - api;
        await pause(pauseMs);
      } while (publishing && repeats && outcome === 'unknown');
    }
  }

  const publishers = Array.from({ length: 2 * partnerCount }, (_, publisher) => publish(publisher));
  const acknowledgedSince = (moment: number) =>
    answers.filter(({ from, outcome }) => outcome === 'acknowledged' && from >= moment);
  /** Resolves when each publisher had this many acknowledgements of requests since now. */
  async function flows(times: number) {
    const now = performance.now();
    await expect
      .poll(() => {
        const since = Map.groupBy(acknowledgedSince(now), ({ publisher }) => publisher);
        return publishers.every((_, publisher) => (since.get(publisher)?.length ?? 0) >= times);
      })
      .toBe(true);
  }

  /** Resolves when everything that was acknowledged until now has arrived. */
  async function arrives() {
    const known = [...answers];
    const came = () => new Set(receiver.received.map(({ event }) => event.id));
    await expect
      .poll(() => known.filter(({ id }) => id !== undefined && !came().has(id)), { interval: 100 })
      .toEqual([]);
  }

  return {
    arrives,
    partners,
    answers,
    faults,
    flows,
    acknowledgedSince,
    /** Runs what breaks something, until it is whole again. */
    async during<T>(breakIt: () => Promise<T>) {
      const fault = { from: performance.now(), to: Number.POSITIVE_INFINITY };
      faults.push(fault);
      const result = await breakIt();
      fault.to = performance.now();
      return result;
    },
    async end() {
      publishing = false;
      await Promise.all(publishers);
    },
  };
}
