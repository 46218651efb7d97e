// The free requests of a process, shared among its lanes.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOut } from './share-out.ts';

const laneOf = (name: string, wanted: number, failing = false) => ({
  name,
  capacity: () => wanted,
  isFailing: () => failing,
});
const shown = (shares: ReturnType<typeof shareOut<ReturnType<typeof laneOf>>>) =>
  shares.map(({ lane, share }) => `${lane.name}: ${share}`);

it('W17: each lane gets an equal share at most, so a large backlog cannot crowd out the others', () => {
  const lanes = [laneOf('backlog', 64), laneOf('small', 2), laneOf('none', 0), laneOf('other', 64)];
  expect(shown(shareOut(lanes, { all: 30, failing: 0 }, 0))).toEqual([
    'backlog: 10',
    'small: 2',
    'other: 10',
  ]);
});

it('W17: failing lanes share their part, and leave the rest to the others', () => {
  const lanes = [laneOf('a', 8, true), laneOf('b', 8, true), laneOf('c', 8, true), laneOf('healthy', 8)];
  expect(shown(shareOut(lanes, { all: 32, failing: 10 }, 0))).toEqual(['a: 8', 'b: 2', 'healthy: 8']);
});

it('W17: with fewer free requests than lanes, the first lanes get one each', () => {
  const lanes = ['a', 'b', 'c', 'd'].map((name) => laneOf(name, 5));
  expect(shown(shareOut(lanes, { all: 2, failing: 0 }, 0))).toEqual(['a: 1', 'b: 1']);
});

it('W17: every lane has its turn when the lanes that got something go last', () => {
  let lanes = Array.from({ length: 10 }, (_, index) => laneOf(String(index), 5));
  const served: string[] = [];
  for (let round = 0; round < 4; round++) {
    const chosen = shareOut(lanes, { all: 3, failing: 0 }, 0).map(({ lane }) => lane);
    served.push(...chosen.map(({ name }) => name));
    lanes = [...lanes.filter((lane) => !chosen.includes(lane)), ...chosen];
  }
  expect(new Set(served).size).toBe(10);
});

const anyLanes = fc.array(fc.record({ wanted: fc.integer({ min: 0, max: 64 }), failing: fc.boolean() }), {
  maxLength: 50,
});
const anyFree = fc.record({
  all: fc.integer({ min: -5, max: 300 }),
  failing: fc.integer({ min: -5, max: 80 }),
});

it('W17: nothing is given beyond what is free or wanted, in the order of the lanes', () => {
  fc.assert(
    fc.property(anyLanes, anyFree, (wishes, free) => {
      const lanes = wishes.map(({ wanted, failing }, index) => laneOf(String(index), wanted, failing));
      const shares = shareOut(lanes, free, 0);
      const sum = (some: typeof shares) => some.reduce((total, { share }) => total + share, 0);
      expect(sum(shares)).toBeLessThanOrEqual(Math.max(0, free.all));
      expect(sum(shares.filter(({ lane }) => lane.isFailing()))).toBeLessThanOrEqual(
        Math.max(0, free.failing),
      );
      for (const { lane, share } of shares) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThanOrEqual(lane.capacity());
      }
      const order = shares.map(({ lane }) => lanes.indexOf(lane));
      expect(order).toEqual([...new Set(order)].sort((one, two) => one - two));
    }),
  );
});

it('W17: a healthy lane gets what it wants up to its equal share, whatever the others want', () => {
  fc.assert(
    fc.property(anyLanes, anyFree, (wishes, free) => {
      const lanes = wishes.map(({ wanted, failing }, index) => laneOf(String(index), wanted, failing));
      const hungry = lanes.filter((lane) => lane.capacity() > 0);
      fc.pre(free.all >= hungry.length);
      const equalShare = Math.floor(free.all / Math.max(1, hungry.length));
      const healthy = shareOut(lanes, free, 0).filter(({ lane }) => !lane.isFailing());
      expect(healthy).toEqual(
        hungry
          .filter((lane) => !lane.isFailing())
          .map((lane) => ({ lane, share: Math.min(lane.capacity(), equalShare) })),
      );
    }),
  );
});
