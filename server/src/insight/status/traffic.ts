// Requests and published events, counted in memory and written with the heartbeat.

export type Counts = {
  readonly requests: number;
  readonly client_errors: number;
  readonly server_errors: number;
  readonly events: number;
};
export const noCounts: Counts = { requests: 0, client_errors: 0, server_errors: 0, events: 0 };

export const add = (one: Counts, other: Counts): Counts => ({
  requests: one.requests + other.requests,
  client_errors: one.client_errors + other.client_errors,
  server_errors: one.server_errors + other.server_errors,
  events: one.events + other.events,
});

export type Traffic = ReturnType<typeof createTraffic>;

export function createTraffic() {
  const counts = { ...noCounts };
  return {
    answered(status: number): void {
      counts.requests++;
      if (status >= 500) counts.server_errors++;
      else if (status >= 400) counts.client_errors++;
    },
    published(events: number): void {
      counts.events += events;
    },
    take(): Counts {
      const taken = { ...counts };
      Object.assign(counts, noCounts);
      return taken;
    },
    /** What could not be written counts again. */
    giveBack: (taken: Counts): void => void Object.assign(counts, add(counts, taken)),
  };
}
