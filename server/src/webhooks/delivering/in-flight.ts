// Counts the requests that are being sent or recorded.
import { createTally } from '../../base/tally.ts';

export function createInFlight() {
  const ids = new Set<string>();
  let requests = 0;
  const ofEndpoint = createTally();
  let sending = 0;
  let sendingToFailing = 0;
  let whenEmpty: (() => void) | undefined;
  const watching = new Set<Set<string>>();

  return {
    /** Ids of deliveries, or of their batches. */
    ids: () => [...ids],
    /** Requests that are being sent or recorded. */
    size: () => requests,
    sending: () => sending,
    sendingToFailing: () => sendingToFailing,
    /** Whether a delivery of the endpoint is in flight, even if its lane was lost meanwhile. */
    includes: (endpointId: string) => ofEndpoint.of(endpointId) > 0,

    /**
     * Call it when a request begins, `sent` when it has its result, and then `recorded`. `id`: of its batch, or else
     * of its delivery.
     */
    begin(
      { id, deliveryIds, endpointId }: { id: string; deliveryIds: readonly string[]; endpointId: string },
      failing: boolean,
    ): { sent(): void; recorded(): void } {
      ids.add(id);
      for (const begun of watching) for (const each of [id, ...deliveryIds]) begun.add(each);
      requests++;
      ofEndpoint.add(endpointId, 1);
      sending++;
      if (failing) sendingToFailing++;
      return {
        sent() {
          sending--;
          if (failing) sendingToFailing--;
        },
        recorded() {
          ids.delete(id);
          requests--;
          ofEndpoint.add(endpointId, -1);
          if (requests === 0) whenEmpty?.();
        },
      };
    },

    /** Runs `work`. `begun` gets the ids of the requests that begin meanwhile. */
    async during<T>(work: (begun: ReadonlySet<string>) => Promise<T>): Promise<T> {
      const begun = new Set<string>();
      watching.add(begun);
      try {
        return await work(begun);
      } finally {
        watching.delete(begun);
      }
    },

    /** Resolves when nothing is in flight. */
    empty: () =>
      new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (requests === 0) resolve();
      }),
  };
}
