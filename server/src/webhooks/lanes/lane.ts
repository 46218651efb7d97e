// A lane that this process owns: how many requests it may send now. Pure. Times are milliseconds of a
// monotonic clock.

/** How long after a look that found every due delivery to look again. */
const lookEveryMs = 250;
/** The requests that a rate allows within this time are taken together, and spread over it. */
const spreadMs = 50;
const maxShare = 64;
/** How long a lane that has sent something is kept, if there are few. */
const warmMs = 200;

/** The limits of the endpoint, read together with its due deliveries. */
export type LaneTerms = {
  ordering: 'none' | 'strict';
  max_concurrency: number;
  rate_limit_per_second: number | null;
  failing_since: Date | null;
};

type ClaimedLane = {
  readonly endpointId: string;
  readonly epoch: string;
  readonly failingSince: Date | null;
};

export type Lane = ReturnType<typeof createLane>;

export function createLane({ endpointId, epoch, ...claimed }: ClaimedLane, heldSince: number) {
  /**
   * The most requests at once. It doubles with each answer and halves without one: a hanging receiver holds
   * one connection.
   */
  let share = 1;
  let maxConcurrency = 1;
  let strict = false;
  let { failingSince } = claimed;
  const rate = createRate();
  let sending = 0;
  let recording = 0;
  let lookAt = 0;
  let resting = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;

  function free(now: number): number {
    if (resting) return 0;
    if (strict) return sending + recording === 0 ? 1 : 0;
    const unused = Math.min(share, maxConcurrency) - sending;
    return Math.max(0, Math.min(unused, rate.slots(now)));
  }

  return {
    endpointId,
    epoch,
    isFailing: () => failingSince !== null,
    heldForMs: (now: number) => now - heldSince,

    /** How many more due deliveries to look for. */
    capacity: (now: number): number => (now < lookAt ? 0 : free(now)),
    /** How many more requests may begin now. */
    free,
    /**
     * Whether a delivery that was written after `since` may be sent without a look: the last look found
     * everything that was due, so nothing older waits, and it was before `since`, so it did not find this
     * delivery.
     */
    takesHandedOver: (now: number, since: number): boolean =>
      now < lookAt && lookedAt < since && free(now) > 0,

    /** Applies the endpoint's present terms. */
    learn(terms: LaneTerms | undefined): void {
      if (!terms) return;
      strict = terms.ordering === 'strict';
      maxConcurrency = strict ? 1 : terms.max_concurrency;
      failingSince = terms.failing_since;
      rate.limit(terms.rate_limit_per_second);
    },

    /** Call it when a look has answered. */
    looked(now: number): void {
      lookedAt = now;
    },

    /** Call it after a look that found fewer deliveries than were asked for. */
    foundAll(now: number): void {
      lookAt = now + lookEveryMs;
    },

    /** Something is due that the lane should look for. */
    look(): void {
      lookAt = 0;
    },

    /** Counts a request. Returns the milliseconds until it may be sent. */
    began(now: number): number {
      lastAt = now;
      sending++;
      return rate.take(now) - now;
    },

    ended({ unanswered }: { unanswered: boolean }): void {
      sending--;
      recording++;
      share = unanswered ? Math.max(1, share >> 1) : Math.min(maxShare, share * 2);
    },

    recorded(): void {
      recording--;
      // The next delivery of a strict lane waited for this result.
      if (strict) lookAt = 0;
    },

    /** Takes no more requests, so that another lane gets its turn. */
    rest(): void {
      resting = true;
    },

    /**
     * Whether the lane can be released. A rate limit holds it until its next slot: the next owner does not
     * know our requests.
     */
    isIdle: (now: number) => sending + recording === 0 && (resting || now < lookAt) && now >= rate.nextSlot(),

    /**
     * Whether its last request is so recent that another one is likely. The lane is then worth more than a
     * release and a claim.
     */
    isWarm: (now: number) => !resting && now < lastAt + warmMs,

    /** From this time another owner may send at once. */
    rateAllowsAt: rate.nextSlot,

    /** The next time at which `capacity` can grow by itself. */
    nextLookAt: (now: number) =>
      Math.min(...[lookAt, rate.nextSlot()].filter((moment) => moment > now), Number.POSITIVE_INFINITY),
  };
}

/** Slots of a rate limit. Each is for one request. Without a limit every moment is one. */
function createRate() {
  let intervalMs = 0;
  let nextSlot = 0;
  return {
    limit(perSecond: number | null): void {
      intervalMs = perSecond === null ? 0 : 1_000 / perSecond;
    },
    /** How many slots are near enough to be taken now. */
    slots: (now: number): number =>
      intervalMs === 0
        ? Number.POSITIVE_INFINITY
        : Math.floor((now + spreadMs - Math.max(now, nextSlot)) / intervalMs) + 1,
    /** Takes a slot, and returns its time. */
    take(now: number): number {
      if (intervalMs === 0) return now;
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + intervalMs;
      return slot;
    },
    nextSlot: () => nextSlot,
  };
}
