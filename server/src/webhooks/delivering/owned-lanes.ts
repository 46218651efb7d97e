// The lanes that this process owns: it claims due lanes, renews their leases, and releases idle ones.
import type { Database } from '../../base/postgres/database.ts';
import { createLane, type Lane } from '../lanes/lane.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import {
  type Claimed,
  claimLanes,
  countClaimedByOthers,
  releaseLanes,
  renewEveryMs,
  renewLanes,
  selectOwnedLanes,
} from '../lanes/store.ts';

const claimAtOnce = 200;
/** A lane is released after this time if other lanes wait. */
const turnMs = 2_000;
/** PostgreSQL can run a statement after its client has given up. */
const doubtMs = 30_000;

type Options = {
  db: Database;
  owner: string;
  concurrency: number;
  observer: Pick<WebhookObserver, 'leasesLost'>;
};

export type OwnedLanes = ReturnType<typeof createOwnedLanes>;

export function createOwnedLanes({ db, owner, concurrency, observer }: Options) {
  const lanes = new Map<string, Lane>();
  let releasing = new Set<string>();
  const doubt = createDoubt();
  /** In the order in which they are served. */
  const all = () => [...lanes.values()];

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
    all,
    get: (endpointId: string) => lanes.get(endpointId),
    add,
    doubt: doubt.begin,
    /** While it is true, what is due in the lane is being read. */
    isReleasing: (endpointId: string) => releasing.has(endpointId),
    serveLast(lane: Lane) {
      lanes.delete(lane.endpointId);
      lanes.set(lane.endpointId, lane);
    },

    /** Claims due lanes for requests that are free. Failing lanes are `mostFailing` in all. */
    async claim(free: number, mostFailing: number) {
      const healthy = Math.min(free, concurrency - lanes.size, claimAtOnce);
      if (healthy <= 0) return;
      const failing = all().filter((lane) => lane.isFailing()).length;
      const most = { healthy, failing: Math.max(0, Math.min(healthy, mostFailing - failing)) };
      const claimed = await claimLanes(db, owner, most).catch((error) => {
        doubt.begin();
        throw error;
      });
      for (const each of claimed) add(each);
    },

    /** While in doubt, takes lanes that it owns without knowing, unless `isClaiming`. Not while `claim` runs. */
    async adopt(isClaiming: (endpointId: string) => boolean) {
      const now = performance.now();
      if (!doubt.isSearchDue(now)) return;
      for (const owned of await selectOwnedLanes(db, owner))
        if (lanes.get(owned.endpointId)?.epoch !== owned.epoch && !isClaiming(owned.endpointId)) add(owned);
      doubt.searched(now);
    },

    /** Releases idle lanes that nobody uses. Returns the milliseconds until one of them is due. */
    async release(isUsed: (endpointId: string) => boolean): Promise<number> {
      const now = performance.now();
      if (lanes.size >= concurrency)
        for (const lane of lanes.values()) if (lane.heldForMs(now) > turnMs) lane.rest();
      const isSpare = (lane: Lane) => lanes.size > concurrency / 2 || !lane.isWarm(now);
      const idle = all().filter((lane) => lane.isIdle(now) && isSpare(lane) && !isUsed(lane.endpointId));
      releasing = new Set(idle.map(({ endpointId }) => endpointId));
      const { gone, dueInMs } = await releaseLanes(db, idle).finally(() => releasing.clear());
      for (const lane of idle) if (gone.has(lane.endpointId)) forget(lane);
      return dueInMs;
    },

    async renew() {
      const held = all();
      if (held.length === 0) return;
      const ours = await renewLanes(db, owner, held);
      // Another process owns the lane by now, its endpoint is deleted, or an answer to this process was lost.
      const lost = held.filter((lane) => !ours.has(lane.endpointId) && forget(lane));
      if (lost.length > 0) observer.leasesLost(await countClaimedByOthers(db, owner, lost));
    },

    async releaseAll() {
      await releaseLanes(db, all()).finally(() => lanes.clear());
    },
  };
}

/** While in doubt, this process may own lanes in the database that it does not know. */
function createDoubt() {
  let until = Number.NEGATIVE_INFINITY;
  let nextSearchAt = Number.POSITIVE_INFINITY;
  return {
    /** The answer to a statement that claims lanes was lost. */
    begin(): void {
      const now = performance.now();
      until = now + doubtMs;
      nextSearchAt = Math.min(nextSearchAt, now);
    },
    isSearchDue: (now: number) => now >= nextSearchAt,
    searched(now: number): void {
      nextSearchAt = now < until ? now + renewEveryMs : Number.POSITIVE_INFINITY;
    },
  };
}
