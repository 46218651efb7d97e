// The lanes that this process owns: it claims due lanes, renews their leases, and releases idle ones.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../base/postgres/database.ts';
import { createLane, type Lane } from '../lanes/lane.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { type Claimed, claimLanes, countClaimedByOthers, releaseLanes, renewLanes } from '../lanes/store.ts';

const claimAtOnce = 200;
/** A lane is released after this time if other lanes wait. */
const turnMs = 2_000;

type Options = { db: Database; concurrency: number; observer: Pick<WebhookObserver, 'leasesLost'> };

export type OwnedLanes = ReturnType<typeof createOwnedLanes>;

export function createOwnedLanes({ db, concurrency, observer }: Options) {
  const owner = randomUUID();
  const lanes = new Map<string, Lane>();
  let releasing = new Set<string>();

  function add(claimed: Claimed): Lane {
    const lane = createLane(claimed, performance.now());
    lanes.set(claimed.endpointId, lane);
    return lane;
  }

  /** Keeps a lane that was claimed again meanwhile. Returns whether it is gone. */
  const forget = (lane: Lane) => lanes.get(lane.endpointId) === lane && lanes.delete(lane.endpointId);

  return {
    owner,
    size: () => lanes.size,
    /** In the order in which they are served. */
    all: () => [...lanes.values()],
    get: (endpointId: string) => lanes.get(endpointId),
    add,
    /** While it is true, what is due in the lane is being read. */
    isReleasing: (endpointId: string) => releasing.has(endpointId),
    serveLast(lane: Lane): void {
      lanes.delete(lane.endpointId);
      lanes.set(lane.endpointId, lane);
    },

    /** Claims due lanes for requests that are free. Failing lanes are `mostFailing` in all. */
    async claim(free: number, mostFailing: number): Promise<void> {
      const healthy = Math.min(free, concurrency - lanes.size, claimAtOnce);
      if (healthy <= 0) return;
      const failing = [...lanes.values()].filter((lane) => lane.isFailing()).length;
      const most = { healthy, failing: Math.max(0, Math.min(healthy, mostFailing - failing)) };
      for (const claimed of await claimLanes(db, owner, most)) add(claimed);
    },

    /** Releases idle lanes that nobody uses. Returns the milliseconds until one of them is due. */
    async release(isUsed: (endpointId: string) => boolean): Promise<number> {
      const now = performance.now();
      if (lanes.size >= concurrency)
        for (const lane of lanes.values()) if (lane.heldForMs(now) > turnMs) lane.rest();
      const isSpare = (lane: Lane) => lanes.size > concurrency / 2 || !lane.isWarm(now);
      const idle = [...lanes.values()].filter(
        (lane) => lane.isIdle(now) && isSpare(lane) && !isUsed(lane.endpointId),
      );
      releasing = new Set(idle.map(({ endpointId }) => endpointId));
      const { gone, dueInMs } = await releaseLanes(db, idle).finally(() => releasing.clear());
      for (const lane of idle) if (gone.has(lane.endpointId)) forget(lane);
      return dueInMs;
    },

    async renew(): Promise<void> {
      const all = [...lanes.values()];
      if (all.length === 0) return;
      const ours = await renewLanes(db, owner, all);
      // Another process owns the lane by now, or its endpoint is deleted. Results of its requests in flight
      // will be refused.
      const lost = all.filter((lane) => !ours.has(lane.endpointId) && forget(lane));
      if (lost.length > 0) observer.leasesLost(await countClaimedByOthers(db, owner, lost));
    },

    async releaseAll(): Promise<void> {
      await releaseLanes(db, [...lanes.values()]).finally(() => lanes.clear());
    },
  };
}
