// A lane that this process owns: how much may be sent in it now. Pure bookkeeping; times are milliseconds of a monotonic clock.

/** After a look that found everything due: when to look again. */
const lookEveryMs = 250;
/** Requests that a rate allows within this time are taken at once, and sent spread over it. */
const spreadMs = 50;
const maxShare = 64;

/** What the endpoint allows, read together with its due deliveries. */
export type LaneTerms = {
  ordering: 'none' | 'strict';
  max_concurrency: number;
  rate_limit_per_second: number | null;
  failing_since: Date | null;
};

type ClaimedLane = { readonly endpointId: string; readonly epoch: string; readonly failingSince: Date | null };

export type Lane = ReturnType<typeof createLane>;

export function createLane({ endpointId, epoch, ...claimed }: ClaimedLane, heldSince: number) {
  /** Requests at once: doubles with each answer, halves without one. A receiver that hangs holds one connection. */
  let share = 1;
  let maxConcurrency = 1;
  let strict = false;
  let { failingSince } = claimed;
  /** Between two requests; 0 without a rate. */
  let intervalMs = 0;
  let nextSlot = 0;
  let sending = 0;
  let recording = 0;
  let lookAt = 0;
  let resting = false;

  return {
    endpointId,
    epoch,
    isFailing: () => failingSince !== null,
    heldForMs: (now: number) => now - heldSince,

    /** How many more requests may begin now. */
    room(now: number): number {
      if (resting || now < lookAt) return 0;
      if (strict) return sending + recording === 0 ? 1 : 0;
      const free = Math.min(share, maxConcurrency) - sending;
      if (intervalMs === 0 || free <= 0) return Math.max(0, free);
      const slots = Math.floor((now + spreadMs - Math.max(now, nextSlot)) / intervalMs) + 1;
      return Math.max(0, Math.min(free, slots));
    },

    /** Takes over the endpoint's present terms. */
    learn(terms: LaneTerms | undefined): void {
      if (!terms) return;
      strict = terms.ordering === 'strict';
      maxConcurrency = strict ? 1 : terms.max_concurrency;
      failingSince = terms.failing_since;
      intervalMs = terms.rate_limit_per_second === null ? 0 : 1_000 / terms.rate_limit_per_second;
    },

    /** The last look found less than there was room for. */
    foundAll(now: number): void {
      lookAt = now + lookEveryMs;
    },

    /** A request is taken. Answers with the milliseconds until it is to be sent. */
    began(now: number): number {
      sending++;
      if (intervalMs === 0) return 0;
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + intervalMs;
      return slot - now;
    },

    ended({ unanswered }: { unanswered: boolean }): void {
      sending--;
      recording++;
      share = unanswered ? Math.max(1, share >> 1) : Math.min(maxShare, share * 2);
    },

    recorded(): void {
      recording--;
      // The next delivery of a strict lane waited for this one.
      if (strict) lookAt = 0;
    },

    /** Takes no more requests, so that another lane gets its place. */
    rest(): void {
      resting = true;
    },

    /** The lane can be released. One with a rate is held until its next slot: the next owner knows nothing of our requests. */
    isIdle: (now: number) => sending + recording === 0 && (resting || now < lookAt) && now >= nextSlot,

    /** From when on another owner may send at once. */
    rateAllowsAt: () => nextSlot,

    /** The next time at which `room` can grow without any other event. */
    nextLookAt: (now: number) => Math.min(...[lookAt, nextSlot].filter((moment) => moment > now), Number.POSITIVE_INFINITY),
  };
}
