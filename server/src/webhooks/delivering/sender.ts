// Sends deliveries in their lanes, has the results recorded, and knows what is in flight.
import type { Lane } from '../lanes/lane.ts';
import type { MakeAttempt } from './attempt.ts';
import { createInFlight } from './in-flight.ts';
import type { Recorder } from './recorder.ts';
import type { Signers } from './sign.ts';
import type { DueRequest } from './store.ts';

type Options = {
  makeAttempt: MakeAttempt;
  recorder: Recorder;
  concurrency: number;
  /** Whether the process still owns the lane, and sends. */
  isOurs: (lane: Lane) => boolean;
  /** Called when more can be sent. */
  wake: () => void;
};

export type Sender = ReturnType<typeof createSender>;

export function createSender({ makeAttempt, recorder, concurrency, isOurs, wake }: Options) {
  const inFlight = createInFlight();
  const mostFailing = Math.floor(concurrency / 4);
  const abandoned = Promise.withResolvers<void>();
  let isAbandoned = false;
  /** Unrecorded results take capacity too, so their number is bounded. */
  const free = () => Math.min(concurrency - inFlight.sending(), 2 * concurrency - inFlight.size());

  /** `readAt`: when `due.now` was read. */
  async function send(due: DueRequest, lane: Lane, keys: Signers, readAt = performance.now()): Promise<void> {
    const { batch_id: batchId, deliveries } = due;
    const deliveryIds = deliveries.map(({ id }) => id);
    const carried = { id: batchId ?? due.id, deliveryIds, endpointId: lane.endpointId };
    const request = inFlight.begin(carried, lane.isFailing());
    await delay(lane.began(performance.now()));
    const now = new Date(due.now.getTime() + performance.now() - readAt);
    const result = await makeAttempt(due, lane.epoch, keys[due.environment], now);
    request.sent();
    lane.ended(result);
    // A strict lane has nothing to send before its result is recorded.
    if (due.ordering === 'none') wake();
    const next = isAbandoned ? undefined : await recorder.add(result);
    lane.recorded();
    // Before the lane is asked: if it was not strict meanwhile, others are in flight, and can be `next` too.
    lane.learn(next?.due);
    const goesOn = isOurs(lane) && !lane.isFailing() && lane.free(performance.now()) > 0 && free() > 0;
    if (next && goesOn) {
      void send(next.due, lane, next.keys, next.readAt);
    } else wake();
    request.recorded();
  }

  return {
    inFlight,
    mostFailing,
    free,
    freeForFailing: () => mostFailing - inFlight.sendingToFailing(),

    send,

    /** Drops the results of the requests in flight. Their deliveries will be sent again. */
    abandon() {
      isAbandoned = true;
      recorder.stop();
      abandoned.resolve();
    },

    abandoned: abandoned.promise,
  };
}

export const delay = (ms: number) =>
  ms > 1 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
