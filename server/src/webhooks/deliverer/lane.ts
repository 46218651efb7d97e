// A lane that we own: how much may be sent in it now. Pure bookkeeping; times in milliseconds of a clock that only goes forward.
import type { Claimed } from './lane-store.ts';
import type { Due, Result } from './queue-store.ts';

/** When nothing more was due at the last look: until the next. */
const lookEveryMs = 250;
/** What a rate allows within so long is taken at once, and sent spread over it. */
const spreadMs = 50;

export type Lane = ReturnType<typeof createLane>;

export function createLane({ endpointId, epoch, ...known }: Claimed, heldSince: number) {
  /** Grows with each answer up to the endpoint's own bound, shrinks when there is no answer: one that hangs holds one socket. */
  let share = 1;
  let bound = 1;
  let strict = false;
  let { failingSince } = known;
  /** Between two requests; 0: no rate is set. */
  let intervalMs = 0;
  let nextSlot = 0;
  let sending = 0;
  let writing = 0;
  let lookAt = 0;
  let resting = false;

  return {
    endpointId,
    epoch,
    isFailing: () => failingSince !== null,
    heldFor: (now: number) => now - heldSince,

    /** How many more may be sent now. */
    room(now: number): number {
      if (resting || now < lookAt) return 0;
      if (strict) return sending + writing === 0 ? 1 : 0;
      const free = Math.min(share, bound) - sending;
      if (intervalMs === 0 || free <= 0) return Math.max(0, free);
      const slots = Math.floor((now + spreadMs - Math.max(now, nextSlot)) / intervalMs) + 1;
      return Math.max(0, Math.min(free, slots));
    },

    /** What the endpoint is like, told with what is due in it. */
    learn([due]: readonly Due[]): void {
      if (!due) return;
      strict = due.ordering === 'strict';
      bound = strict ? 1 : due.max_concurrency;
      failingSince = due.failing_since;
      intervalMs = due.rate_limit_per_second === null ? 0 : 1_000 / due.rate_limit_per_second;
    },

    foundNoMore(now: number): void {
      lookAt = now + lookEveryMs;
    },

    /** Answers with when it is to be sent: so long from now. */
    began(now: number): number {
      sending++;
      if (intervalMs === 0) return 0;
      const slot = Math.max(now, nextSlot);
      nextSlot = slot + intervalMs;
      return slot - now;
    },

    ended({ unanswered }: Pick<Result, 'unanswered'>): void {
      sending--;
      writing++;
      share = unanswered ? Math.max(1, share >> 1) : Math.min(64, share * 2);
    },

    recorded(): void {
      writing--;
      // The one that the others waited for.
      if (strict) lookAt = 0;
    },

    /** Nothing new: others wait. */
    rest(): void {
      resting = true;
    },

    /** A lane with a rate is held until it may send again: its next owner knows nothing of what we sent. */
    isIdle: (now: number) => sending + writing === 0 && (resting || now < lookAt) && now >= nextSlot,

    /** Its next owner may send at once. */
    rateAllowsAt: () => nextSlot,

    /** When there is a reason to look that nothing else tells of. */
    nextLookAt: (now: number) => Math.min(...[lookAt, nextSlot].filter((moment) => moment > now), Number.POSITIVE_INFINITY),
  };
}
