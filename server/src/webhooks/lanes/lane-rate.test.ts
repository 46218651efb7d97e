// The rate of a lane, by a clock that the test moves.
import { expect, it } from 'vitest';
import { createLane, type LaneTerms } from './lane.ts';

const perSecond = 20;
const terms: LaneTerms = {
  ordering: 'none',
  max_concurrency: 64,
  failing_since: null,
  rate_limit_per_second: perSecond,
};

/**
 * The times at which requests leave, when the deliverer looks at these times and sends all that the lane has
 * room for.
 */
function sendAt(looks: readonly number[]): number[] {
  const lane = createLane({ endpointId: 'e', epoch: '1', failingSince: null }, 0);
  lane.learn(terms);
  return looks.flatMap((now) => {
    const times = Array.from({ length: lane.capacity(now) }, () => now + lane.began(now));
    for (const _ of times) {
      lane.ended({ unanswered: false });
      lane.recorded();
    }
    return times;
  });
}

it.each([
  ['often', Array.from({ length: 400 }, (_, index) => index * 10)],
  ['seldom', Array.from({ length: 20 }, (_, index) => index * 333)],
  ['late, and then often', [0, 10, 20, 900, ...Array.from({ length: 300 }, (_, index) => 2_000 + index * 7)]],
])('W17: a rate is kept in every second, however the deliverer looks: %s', (_, looks) => {
  const times = sendAt(looks);
  expect(times.length).toBeGreaterThan(perSecond);
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 / perSecond);
});
