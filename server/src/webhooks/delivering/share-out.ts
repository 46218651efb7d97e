// Shares the free requests of a process among its lanes. Pure.

type SharingLane = { capacity(now: number): number; isFailing(): boolean };

/**
 * Each lane gets an equal share at most, so that a large backlog cannot crowd out the others. Failing lanes
 * share `free.failing`.
 * Lanes are served in the given order. The result has only the lanes that got requests: put them last for the
 * next round.
 */
export function shareOut<L extends SharingLane>(
  lanes: Iterable<L>,
  free: Readonly<{ all: number; failing: number }>,
  now: number,
): { lane: L; share: number }[] {
  const left = { ...free };
  const wanting = [...lanes].filter((lane) => lane.capacity(now) > 0);
  const equalShare = Math.max(1, Math.floor(left.all / Math.max(1, wanting.length)));
  return wanting.flatMap((lane) => {
    const most = lane.isFailing() ? Math.min(left.failing, left.all) : left.all;
    const share = Math.min(lane.capacity(now), equalShare, most);
    if (share <= 0) return [];
    left.all -= share;
    if (lane.isFailing()) left.failing -= share;
    return [{ lane, share }];
  });
}
