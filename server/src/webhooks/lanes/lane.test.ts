// How much a lane may send: its share, strict order, rate, and when it can be released.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLane, type LaneTerms } from './lane.ts';

const answered = { unanswered: false };
const unanswered = { unanswered: true };

function laneOf(terms: Partial<LaneTerms> = {}) {
  const lane = createLane({ endpointId: 'endpoint', epoch: '1', failingSince: null }, 0);
  lane.learn({
    ordering: 'none',
    max_concurrency: 64,
    rate_limit_per_second: null,
    failing_since: null,
    ...terms,
  });
  return lane;
}

function sendOne(lane: ReturnType<typeof laneOf>, outcome = answered, now = 0): void {
  lane.began(now);
  lane.ended(outcome);
  lane.recorded();
}

describe('the share of a lane', () => {
  const capacities = (lane: ReturnType<typeof laneOf>, outcome: typeof answered, times: number) =>
    Array.from({ length: times }, () => {
      sendOne(lane, outcome);
      return lane.capacity(0);
    });

  it('W19: is warm for a while after it has sent something, unless it rests', () => {
    const lane = createLane({ endpointId: 'e', epoch: '1', failingSince: null }, 0);
    expect(lane.isWarm(0)).toBe(false);
    lane.began(1_000);
    expect([lane.isWarm(1_000), lane.isWarm(1_199), lane.isWarm(1_200)]).toEqual([true, true, false]);
    lane.rest();
    expect(lane.isWarm(1_000)).toBe(false);
  });

  it('W17: starts at one, doubles with each answer and halves without one, between 1 and 64', () => {
    const lane = laneOf({ max_concurrency: 1_000 });
    expect(lane.capacity(0)).toBe(1);
    expect(capacities(lane, answered, 7)).toEqual([2, 4, 8, 16, 32, 64, 64]);
    expect(capacities(lane, unanswered, 7)).toEqual([32, 16, 8, 4, 2, 1, 1]);
  });

  it('W17: is limited by max_concurrency, and requests being sent use it up', () => {
    const lane = laneOf({ max_concurrency: 8 });
    expect(capacities(lane, answered, 4)).toEqual([2, 4, 8, 8]);
    for (let n = 0; n < 3; n++) lane.began(0);
    expect(lane.capacity(0)).toBe(5);
    lane.learn({ ordering: 'none', max_concurrency: 2, rate_limit_per_second: null, failing_since: null });
    expect(lane.capacity(0)).toBe(0);
  });

  it('W17: a receiver that never answers holds one connection', () => {
    const lane = laneOf();
    lane.began(0);
    expect([lane.capacity(0), lane.capacity(3_600_000)]).toEqual([0, 0]);
  });

  it('W17: a result that waits to be recorded takes no connection', () => {
    const lane = laneOf();
    lane.began(0);
    lane.ended(unanswered);
    expect(lane.capacity(0)).toBe(1);
  });
});

describe('a strict lane', () => {
  it('W17: sends one delivery, and the next when its result is recorded', () => {
    const lane = laneOf({ ordering: 'strict' });
    sendOne(lane);
    sendOne(lane);
    expect(lane.capacity(0)).toBe(1);
    lane.began(0);
    expect(lane.capacity(0)).toBe(0);
    lane.ended(answered);
    expect(lane.capacity(0)).toBe(0);
    lane.recorded();
    expect(lane.capacity(0)).toBe(1);
  });

  it('W17: looks for the next delivery as soon as the one before is recorded', () => {
    for (const [ordering, capacity] of [
      ['strict', 1],
      ['none', 0],
    ] as const) {
      const lane = laneOf({ ordering });
      lane.began(0);
      lane.foundAll(0);
      lane.ended(answered);
      lane.recorded();
      expect([ordering, lane.capacity(1)]).toEqual([ordering, capacity]);
    }
  });
});

describe('a lane with a rate limit', () => {
  it('W17: takes the slots of the next 50 ms at once, and spreads their requests', () => {
    const lane = laneOf({ rate_limit_per_second: 100 });
    for (let n = 0; n < 6; n++) sendOne(lane);
    expect(lane.capacity(1_000)).toBe(6);
    expect(Array.from({ length: 6 }, () => lane.began(1_000))).toEqual([0, 10, 20, 30, 40, 50]);
    expect([lane.capacity(1_000), lane.capacity(1_009), lane.capacity(1_010)]).toEqual([0, 0, 1]);
  });

  it('W17: sends no two requests closer together than the rate allows, whenever it is asked', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.array(fc.integer({ min: 0, max: 400 })),
        (rate, steps) => {
          const lane = laneOf({ rate_limit_per_second: rate });
          const sentAt: number[] = [];
          let now = 0;
          for (const step of steps) {
            now += step;
            for (let capacity = lane.capacity(now); capacity > 0; capacity--) {
              sentAt.push(now + lane.began(now));
              lane.ended(answered);
              lane.recorded();
            }
          }
          for (const [index, moment] of sentAt.entries()) {
            const before = sentAt[index - 1] ?? Number.NEGATIVE_INFINITY;
            expect(moment - before).toBeGreaterThanOrEqual(1_000 / rate - 1e-6);
          }
        },
      ),
    );
  });

  it('W17: is released only when another owner may send at once', () => {
    const lane = laneOf({ rate_limit_per_second: 1 });
    sendOne(lane, answered, 100);
    expect(lane.rateAllowsAt()).toBe(1_100);
    lane.foundAll(1_000);
    expect([lane.isIdle(1_000), lane.isIdle(1_099), lane.isIdle(1_100)]).toEqual([false, false, true]);
  });
});

describe('a failing lane', () => {
  it('W17: is known when it is claimed, and again with each look', () => {
    const failingSince = new Date(0);
    const lane = createLane({ endpointId: 'endpoint', epoch: '1', failingSince }, 0);
    lane.learn(undefined);
    expect(lane.isFailing()).toBe(true);
    const terms = { ordering: 'none', max_concurrency: 8, rate_limit_per_second: null } as const;
    lane.learn({ ...terms, failing_since: null });
    expect(lane.isFailing()).toBe(false);
    lane.learn({ ...terms, failing_since: failingSince });
    expect(lane.isFailing()).toBe(true);
  });
});

describe('the release of a lane', () => {
  it('W18: waits for a look that finds everything, and for every result', () => {
    const lane = laneOf();
    expect(lane.isIdle(0)).toBe(false);
    lane.foundAll(0);
    expect([lane.isIdle(0), lane.isIdle(249), lane.isIdle(250)]).toEqual([true, true, false]);
    lane.began(0);
    expect(lane.isIdle(0)).toBe(false);
    lane.ended(answered);
    expect(lane.isIdle(0)).toBe(false);
    lane.recorded();
    expect(lane.isIdle(0)).toBe(true);
  });

  it('W17: a lane that rests takes no request, and is idle when its results are recorded', () => {
    const lane = laneOf();
    lane.began(0);
    lane.ended(answered);
    lane.rest();
    expect([lane.capacity(0), lane.isIdle(0)]).toEqual([0, false]);
    lane.recorded();
    expect([lane.capacity(0), lane.isIdle(0)]).toEqual([0, true]);
  });

  it('W17: knows for how long the lane has been held', () => {
    const lane = createLane({ endpointId: 'endpoint', epoch: '1', failingSince: null }, 1_000);
    expect(lane.heldForMs(3_500)).toBe(2_500);
  });
});

describe('the next look', () => {
  it('W19: after a look that found everything, a lane has capacity again 250 ms later', () => {
    const lane = laneOf();
    lane.foundAll(1_000);
    expect([lane.capacity(1_249), lane.capacity(1_250)]).toEqual([0, 1]);
    expect(lane.nextLookAt(1_000)).toBe(1_250);
  });

  it('W19: is at once when something became due during a look, which may not have seen it', () => {
    const lane = laneOf();
    lane.looking();
    lane.look();
    lane.foundAll(1_000);
    expect([lane.capacity(1_000), lane.isIdle(1_000)]).toEqual([1, false]);
    // The next look begins after it, and sees it.
    lane.looking();
    lane.foundAll(1_001);
    expect([lane.capacity(1_001), lane.isIdle(1_001)]).toEqual([0, true]);
  });

  it('W14: what is handed over is sent at once while a look only checks, and waits while something older may', () => {
    const lane = laneOf();
    // Something older may wait in a lane that was just claimed.
    expect(lane.takesHandedOver(0)).toBe(false);
    lane.looking();
    expect(lane.takesHandedOver(1)).toBe(false);
    lane.looked();
    lane.foundAll(2);
    expect([lane.takesHandedOver(3), lane.takesHandedOver(300)]).toEqual([true, true]);
    lane.looking();
    // Nobody knows what a late look will find.
    expect([lane.takesHandedOver(501), lane.takesHandedOver(502)]).toEqual([true, false]);
    lane.looked();
    // It did not find all: more may wait.
    expect(lane.takesHandedOver(303)).toBe(false);
    lane.foundAll(303);
    lane.looking();
    lane.look();
    expect(lane.takesHandedOver(304)).toBe(false);
    lane.looking();
    lane.looked();
    lane.foundAll(305, 100);
    // A retry that is due in 100 ms is older than what is written after that.
    expect([lane.takesHandedOver(404), lane.takesHandedOver(405)]).toEqual([true, false]);
  });

  it('W17: a result that is recorded during a look makes the next delivery of a strict lane due', () => {
    const lane = laneOf({ ordering: 'strict' });
    lane.began(0);
    lane.ended(answered);
    lane.looking();
    lane.recorded();
    lane.foundAll(1_000);
    expect(lane.capacity(1_000)).toBe(1);
  });

  it('W19: is the earliest moment to come, or never', () => {
    const lane = laneOf({ rate_limit_per_second: 10 });
    expect(lane.nextLookAt(0)).toBe(Number.POSITIVE_INFINITY);
    lane.began(0);
    lane.foundAll(0);
    expect([lane.nextLookAt(0), lane.nextLookAt(100), lane.nextLookAt(250)]).toEqual([
      100,
      250,
      Number.POSITIVE_INFINITY,
    ]);
  });
});
