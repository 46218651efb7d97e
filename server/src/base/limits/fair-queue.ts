// A queue in which groups of callers take turns, so that many requests of one group delay only that group.
import type { ServiceError } from '../errors.ts';
import { queueFull } from '../http/limit-reached.ts';
import { createTally } from '../tally.ts';
import { createFairLine } from './fair-line.ts';

export type FairQueueOptions = {
  name: string;
  /** How much work runs at once, of all groups and of one. */
  concurrency?: number;
  concurrencyPerGroup?: number;
  /** How much work waits at most, of all groups and of one. */
  maxQueued?: number;
  maxQueuedPerGroup?: number;
  retryAfterSeconds?: number;
  what?: string;
};

type Waiting = { start(): void; refuse(): void };

export function createFairQueue({
  name,
  concurrency = 2,
  concurrencyPerGroup = concurrency,
  maxQueued = 200,
  maxQueuedPerGroup = 20,
  retryAfterSeconds = 5,
  what = 'requests of an address',
}: FairQueueOptions) {
  const line = createFairLine<Waiting>();
  const runningOf = createTally();
  let running = 0;
  const hasRoom = (group: string) => running < concurrency && runningOf.of(group) < concurrencyPerGroup;

  function count(group: string, change: 1 | -1): void {
    running += change;
    runningOf.add(group, change);
  }

  const refusal = (): ServiceError => queueFull(name, maxQueuedPerGroup, retryAfterSeconds, what);

  function leave(group: string, waiting: Waiting): void {
    if (line.remove(group, waiting)) waiting.refuse();
  }

  /** The group with the most waiting work gives up its newest, unless that is the newcomer's. */
  function makeRoom(group: string): void {
    const own = line.sizeOf(group);
    if (own >= maxQueuedPerGroup) throw refusal();
    if (line.size() < maxQueued) return;
    const newest = line.newestOfLongest();
    if (!newest || line.sizeOf(newest.group) <= own + 1) throw refusal();
    leave(newest.group, newest.entry);
  }

  async function turn(group: string, gone: AbortSignal | undefined): Promise<void> {
    if (gone?.aborted) throw refusal();
    if (hasRoom(group)) {
      count(group, 1);
      return;
    }
    makeRoom(group);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = {
      start() {
        count(group, 1);
        resolve();
      },
      refuse: () => reject(refusal()),
    };
    const onGone = () => leave(group, waiting);
    gone?.addEventListener('abort', onGone);
    line.add(group, waiting);
    await promise.finally(() => gone?.removeEventListener('abort', onGone));
  }

  return {
    /**
     * `gone` aborts work that waits. Use the database with `db.withoutTurn`: no second line. @throws ServiceError
     * rate_limited
     */
    async run<T>(group: string, work: () => Promise<T>, gone?: AbortSignal): Promise<T> {
      await turn(group, gone);
      try {
        return await work();
      } finally {
        count(group, -1);
        line.next(hasRoom)?.start();
      }
    },
  };
}
