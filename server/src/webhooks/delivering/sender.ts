// Sends deliveries in their lanes, has the results recorded, and knows what is in flight.
import type { Lane } from '../lanes/lane.ts';
import type { Environment, Signer } from '../signing-keys/index.ts';
import type { MakeAttempt } from './attempt.ts';
import { createInFlight } from './in-flight.ts';
import type { Recorder } from './recorder.ts';
import type { Attempted } from './store.ts';

export type Signers = Record<Environment, Signer>;

type Options = {
  makeAttempt: MakeAttempt;
  recorder: Recorder;
  /** The most requests at the same time. Failing endpoints share a quarter of them. */
  concurrency: number;
  /** Called when more can be sent. */
  wake: () => void;
};

export type Sender = ReturnType<typeof createSender>;

export function createSender({ makeAttempt, recorder, concurrency, wake }: Options) {
  const inFlight = createInFlight();
  const mostFailing = Math.floor(concurrency / 4);
  const abandoned = Promise.withResolvers<void>();
  let isAbandoned = false;
  return {
    inFlight,
    mostFailing,
    /** Unrecorded results take capacity too, so their number is bounded. */
    free: () => Math.min(concurrency - inFlight.sending(), 2 * concurrency - inFlight.size()),
    freeForFailing: () => mostFailing - inFlight.sendingToFailing(),

    /** `readAt`: when `due.now` was read. */
    async send(due: Attempted, lane: Lane, keys: Signers, readAt = performance.now()): Promise<void> {
      const request = inFlight.begin(due.id, lane.endpointId, lane.isFailing());
      await delay(lane.began(performance.now()));
      const now = new Date(due.now.getTime() + performance.now() - readAt);
      const result = await makeAttempt(due, lane.epoch, keys[due.environment], now);
      request.sent();
      lane.ended(result);
      wake();
      if (!isAbandoned) await recorder.add(result);
      lane.recorded();
      request.recorded();
      wake();
    },

    /** Drops the results of the requests in flight. Their deliveries will be sent again. */
    abandon(): void {
      isAbandoned = true;
      recorder.stop();
      abandoned.resolve();
    },

    abandoned: abandoned.promise,
  };
}

export const delay = (ms: number) =>
  ms > 1 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
