// A queue in which groups of callers take turns, so that many requests of one group delay only that group.
import type { ServiceError } from '../errors.ts';
import { queueFull } from '../http/limit-reached.ts';

type Options = {
  /** Names the limit in a 429. */
  name: string;
  /** How much work runs at once, of all groups and of one. */
  concurrency: number;
  concurrencyPerGroup?: number;
  /** How much work waits at most, of all groups and of one. */
  maxQueued: number;
  maxQueuedPerGroup: number;
  /** What a refused caller is told to wait. */
  retryAfterSeconds: number;
  /** What waits, for the message of a 429. */
  what?: string;
};

export type FairQueue = {
  /**
   * Runs `work` when it is the turn of `group`. Work that uses the database runs for all (`db.forAll`): it
   * must not wait in a second line. Work whose `gone` is aborted while it waits never runs.
   * @throws ServiceError rate_limited when too much work waits, or when `gone` is aborted
   */
  run<T>(group: string, work: () => Promise<T>, gone?: AbortSignal): Promise<T>;
};

type Waiting = { start(): void; refuse(): void };

export function createFairQueue({
  name,
  concurrency,
  concurrencyPerGroup = concurrency,
  maxQueued,
  maxQueuedPerGroup,
  retryAfterSeconds,
  what = 'requests of an address',
}: Options): FairQueue {
  /** Waiting work by group. The first group is the next one; a group without waiting work is not here. */
  const groups = new Map<string, Waiting[]>();
  const runningOf = new Map<string, number>();
  let running = 0;
  let queued = 0;
  const hasRoom = (group: string) =>
    running < concurrency && (runningOf.get(group) ?? 0) < concurrencyPerGroup;

  function count(group: string, change: 1 | -1): void {
    running += change;
    const ofGroup = (runningOf.get(group) ?? 0) + change;
    if (ofGroup > 0) runningOf.set(group, ofGroup);
    else runningOf.delete(group);
  }

  const refusal = (): ServiceError => queueFull(name, maxQueuedPerGroup, retryAfterSeconds, what);

  /** Starts the oldest work of the first group that may run more, which goes to the end of the line. */
  function startNext(): void {
    const group = [...groups.keys()].find(hasRoom);
    if (group === undefined) return;
    const waiting = groups.get(group) ?? [];
    const next = waiting.shift();
    groups.delete(group);
    if (waiting.length > 0) groups.set(group, waiting);
    queued--;
    next?.start();
  }

  function remove(group: string, entry: Waiting): void {
    const waiting = groups.get(group) ?? [];
    const index = waiting.indexOf(entry);
    if (index < 0) return;
    waiting.splice(index, 1);
    if (waiting.length === 0) groups.delete(group);
    queued--;
    entry.refuse();
  }

  /** The group that waits with the most work gives up its newest, unless the newcomer's group has as much. */
  function makeRoom(group: string): void {
    const own = groups.get(group)?.length ?? 0;
    if (own >= maxQueuedPerGroup) throw refusal();
    if (queued < maxQueued) return;
    const [longest, waiting] = [...groups].reduce((most, each) =>
      each[1].length > most[1].length ? each : most,
    );
    const newest = waiting.at(-1);
    if (newest === undefined || waiting.length <= own + 1) throw refusal();
    remove(longest, newest);
  }

  async function turn(group: string, gone: AbortSignal | undefined): Promise<void> {
    if (gone?.aborted) throw refusal();
    if (hasRoom(group)) {
      count(group, 1);
      return;
    }
    makeRoom(group);
    await new Promise<void>((resolve, reject) => {
      const entry = {
        start() {
          count(group, 1);
          gone?.removeEventListener('abort', leave);
          resolve();
        },
        refuse() {
          gone?.removeEventListener('abort', leave);
          reject(refusal());
        },
      };
      const leave = () => remove(group, entry);
      gone?.addEventListener('abort', leave);
      groups.set(group, [...(groups.get(group) ?? []), entry]);
      queued++;
    });
  }

  return {
    async run(group, work, gone) {
      await turn(group, gone);
      try {
        return await work();
      } finally {
        count(group, -1);
        startNext();
      }
    },
  };
}
