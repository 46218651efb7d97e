// Counts the deliveries that are being sent or recorded.

export function createInFlight() {
  const deliveries = new Set<string>();
  const countOf = new Map<string, number>();
  let sending = 0;
  let sendingToFailing = 0;
  let whenEmpty: (() => void) | undefined;
  const watching = new Set<Set<string>>();

  return {
    ids: () => [...deliveries],
    /** Deliveries that are being sent or recorded. */
    size: () => deliveries.size,
    /** Deliveries that are being sent. */
    sending: () => sending,
    /** Deliveries that are being sent to failing endpoints. */
    sendingToFailing: () => sendingToFailing,
    /** Whether a delivery of the endpoint is in flight, even if its lane was lost meanwhile. */
    includes: (endpointId: string) => countOf.has(endpointId),

    /** Call it when a request begins, `sent` when it has its result, and then `recorded`. */
    begin(deliveryId: string, endpointId: string, failing: boolean): { sent(): void; recorded(): void } {
      deliveries.add(deliveryId);
      for (const begun of watching) begun.add(deliveryId);
      countOf.set(endpointId, (countOf.get(endpointId) ?? 0) + 1);
      sending++;
      if (failing) sendingToFailing++;
      return {
        sent() {
          sending--;
          if (failing) sendingToFailing--;
        },
        recorded() {
          deliveries.delete(deliveryId);
          const left = (countOf.get(endpointId) ?? 1) - 1;
          if (left > 0) countOf.set(endpointId, left);
          else countOf.delete(endpointId);
          if (deliveries.size === 0) whenEmpty?.();
        },
      };
    },

    /** Runs `work`. `begun` gets the deliveries that begin meanwhile. */
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
        if (deliveries.size === 0) resolve();
      }),
  };
}
