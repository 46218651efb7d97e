// A lane that this process owns: how many requests it may send now. Pure. Times are milliseconds of a
// monotonic clock.
import type { Terms } from './hand-over.ts';
import type { Claimed } from './store.ts';

/** How long after a look that found every due delivery to look again. */
const lookEveryMs = 250;
/** The requests that a rate allows within this time are taken together, and spread over it. */
const spreadMs = 50;
const maxShare = 64;
/** How long a lane that has sent something is kept, if there are few. */
const warmMs = 200;

/** The limits of the endpoint, read together with its due deliveries. */
export type LaneTerms = Pick<Terms, 'ordering' | 'max_concurrency' | 'rate_limit_per_second'> & {
  readonly failing_since: Date | null;
};

export type Lane = ReturnType<typeof createLane>;

export function createLane({ endpointId, epoch, ...claimed }: Claimed, heldSince: number) {
  const requests = createRequests();
  const looks = createLooks();
  const rate = createRate();
  let { failingSince } = claimed;
  let resting = false;
  let lastAt = Number.NEGATIVE_INFINITY;

  function free(now: number): number {
    if (resting) return 0;
    return Math.max(0, Math.min(requests.free(), rate.slots(now)));
  }

  return {
    endpointId,
    epoch,
    isFailing: () => failingSince !== null,
    heldForMs: (now: number) => now - heldSince,
    looking: looks.looking,
    looked: looks.looked,
    foundAll: looks.foundAll,
    look: looks.lookNow,
    ended: requests.ended,

    /** How many more due deliveries to look for. */
    capacity: (now: number) => (looks.isDue(now) ? free(now) : 0),
    /** How many more requests may begin now. */
    free,
    /** Whether a delivery that was just written may be sent without a look. */
    takesHandedOver: (now: number) => looks.hasAll(now) && free(now) > 0,

    /** Applies the endpoint's present terms. */
    learn(terms: LaneTerms | undefined) {
      if (!terms) return;
      requests.limit(terms);
      failingSince = terms.failing_since;
      rate.limit(terms.rate_limit_per_second);
    },

    /** Counts a request. Returns the milliseconds until it may be sent. */
    began(now: number): number {
      lastAt = now;
      requests.began();
      return rate.take(now) - now;
    },

    recorded() {
      requests.recorded();
      // The next delivery of a strict lane waited for this result.
      if (requests.isStrict()) looks.lookNow();
    },

    /** Takes no more requests, so that another lane gets its turn. */
    rest() {
      resting = true;
    },

    /**
     * Whether the lane can be released. A rate limit holds it until its next slot: the next owner does not
     * know our requests.
     */
    isIdle: (now: number) => requests.areNone() && (resting || !looks.isDue(now)) && now >= rate.nextSlot(),

    /**
     * Whether its last request is so recent that another one is likely. The lane is then worth more than a
     * release and a claim.
     */
    isWarm: (now: number) => !resting && now < lastAt + warmMs,

    /** From this time another owner may send at once. */
    rateAllowsAt: rate.nextSlot,

    /** The next time at which `capacity` can grow by itself. */
    nextLookAt: (now: number) =>
      Math.min(...[looks.nextAt(), rate.nextSlot()].filter((at) => at > now), Number.POSITIVE_INFINITY),
  };
}

/** The requests of a lane: those being sent, and those whose results are being recorded. */
function createRequests() {
  /**
   * The most requests at once. It doubles with each answer and halves without one: a hanging receiver holds
   * one connection.
   */
  let share = 1;
  let maxConcurrency = 1;
  let strict = false;
  let sending = 0;
  let recording = 0;
  const areNone = () => sending + recording === 0;
  return {
    areNone,
    isStrict: () => strict,
    free: () => (strict ? Number(areNone()) : Math.min(share, maxConcurrency) - sending),
    limit({ ordering, max_concurrency }: LaneTerms) {
      strict = ordering === 'strict';
      maxConcurrency = max_concurrency;
    },
    began() {
      sending++;
    },
    ended({ unanswered }: { unanswered: boolean }) {
      sending--;
      recording++;
      share = unanswered ? Math.max(1, share >> 1) : Math.min(maxShare, share * 2);
    },
    recorded() {
      recording--;
    },
  };
}

/** When to look for what is due. */
function createLooks() {
  let nextAt = 0;
  /** Something became due after the look began, which may not have seen it. */
  let isDueSince = false;
  /** Otherwise every delivery that is known was found, and the next look only checks. */
  let mayWait = true;
  /** A look that only checks is under way. */
  let isCheck = false;
  const isDue = (now: number) => now >= nextAt;
  return {
    isDue,
    nextAt: () => nextAt,
    /** Call it when a look begins. */
    looking() {
      isDueSince = false;
      isCheck = !mayWait;
      mayWait = true;
    },
    /** Call it when a look has answered. */
    looked() {
      isCheck = false;
    },
    /**
     * Call it after a look that found fewer requests than were asked for. `waitMs`: until something that it found
     * is due.
     */
    foundAll(now: number, waitMs = lookEveryMs) {
      if (isDueSince) return;
      nextAt = now + Math.min(waitMs, lookEveryMs);
      mayWait = waitMs < lookEveryMs;
    },
    /** Something is due. */
    lookNow() {
      nextAt = 0;
      isDueSince = true;
      mayWait = true;
      isCheck = false;
    },
    /**
     * Whether nothing waits that is known. A look that is under way leaves out what begins meanwhile. While one is
     * late, the lane can have been lost.
     */
    hasAll: (now: number) => !isDue(now) || ((!mayWait || isCheck) && now < nextAt + lookEveryMs),
  };
}

/** Slots of a rate limit. Each is for one request. Without a limit every moment is one. */
function createRate() {
  let intervalMs = 0;
  let nextSlot = 0;
  return {
    limit(perSecond: number | null) {
      intervalMs = perSecond === null ? 0 : 1_000 / perSecond;
    },
    /** How many slots are near enough to be taken now. */
    slots: (now: number) =>
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
