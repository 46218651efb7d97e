// Shares the free requests of a process among its lanes. Pure.

type HungryLane = { room(now: number): number; isFailing(): boolean };

/** Free requests in all, and those of them that failing lanes may take. */
export type Capacity = { free: number; freeForFailing: number };

/**
 * Each lane gets an equal share at most, so that a large backlog cannot crowd out the others; failing lanes share their part.
 * Lanes are served in the order given. The answer has only lanes that got something: put them last for the next round.
 */
export function shareOut<L extends HungryLane>(
  lanes: Iterable<L>,
  { free, freeForFailing }: Capacity,
  now: number,
): { lane: L; room: number }[] {
  const hungry = [...lanes].filter((lane) => lane.room(now) > 0);
  const equalShare = Math.max(1, Math.floor(free / Math.max(1, hungry.length)));
  return hungry.flatMap((lane) => {
    const room = Math.min(lane.room(now), equalShare, lane.isFailing() ? freeForFailing : free, free);
    if (room <= 0) return [];
    free -= room;
    if (lane.isFailing()) freeForFailing -= room;
    return [{ lane, room }];
  });
}
