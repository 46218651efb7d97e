// Shares the free requests of a process among its lanes. Pure.

type SharingLane = { room(now: number): number; isFailing(): boolean };

/** The free requests, and how many of them failing lanes may take. */
export type Capacity = { free: number; freeForFailing: number };

/**
 * Each lane gets an equal share at most, so that a large backlog cannot crowd out the others. Failing lanes
 * share their part.
 * Lanes are served in the given order. The result has only the lanes that got requests: put them last for the
 * next round.
 */
export function shareOut<L extends SharingLane>(
  lanes: Iterable<L>,
  { free, freeForFailing }: Capacity,
  now: number,
): { lane: L; room: number }[] {
  const wanting = [...lanes].filter((lane) => lane.room(now) > 0);
  const equalShare = Math.max(1, Math.floor(free / Math.max(1, wanting.length)));
  return wanting.flatMap((lane) => {
    const room = Math.min(lane.room(now), equalShare, lane.isFailing() ? freeForFailing : free, free);
    if (room <= 0) return [];
    free -= room;
    if (lane.isFailing()) freeForFailing -= room;
    return [{ lane, room }];
  });
}
