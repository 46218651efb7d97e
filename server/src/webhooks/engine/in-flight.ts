// Deliveries that are being sent or recorded at this moment.

export function createInFlight() {
  const deliveries = new Set<string>();
  const countOf = new Map<string, number>();
  let sending = 0;
  let sendingToFailing = 0;
  let whenEmpty: (() => void) | undefined;

  return {
    ids: () => [...deliveries],
    /** Being sent or recorded. */
    size: () => deliveries.size,
    /** Being sent, and of these to failing endpoints. */
    sending: () => sending,
    sendingToFailing: () => sendingToFailing,
    /** Also true for an endpoint whose lane was lost meanwhile. */
    includes: (endpointId: string) => countOf.has(endpointId),

    /** A request begins. Call `sent` when it has its result, then `recorded`. */
    begin(deliveryId: string, endpointId: string, failing: boolean): { sent(): void; recorded(): void } {
      deliveries.add(deliveryId);
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

    empty: () =>
      new Promise<void>((resolve) => {
        whenEmpty = resolve;
        if (deliveries.size === 0) resolve();
      }),
  };
}
