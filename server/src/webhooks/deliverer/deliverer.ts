// The deliverer: owns lanes, sends what is due in them, writes down what came of it, and lets go. Any number of them share a database.
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../postgres/database.ts';
import type { Environment, SignsWith } from '../../signing-keys/index.ts';
import type { Attempt } from './attempts.ts';
import { createLane, type Lane } from './lane.ts';
import { claimLanes, releaseLanes, renewEveryMs, renewLanes } from './lane-store.ts';
import { type Due, selectDue } from './queue-store.ts';
import type { Recorder } from './recorder.ts';

/** Passes are no closer: under load each does more. */
const passEveryMs = 10;
/** Nothing told us to look: when a notification was lost, or a retry is due. */
const pollMs = 500;
const faultPauseMs = 1_000;
const claimAtOnce = 200;
/** A lane that others wait for is let go after so long. */
const turnMs = 2_000;

type Options = {
  db: Database;
  attempt: Attempt;
  recorder: Recorder;
  signing: (on: Queryable) => Promise<Record<Environment, SignsWith>>;
  /** Requests at once. */
  concurrency: number;
  onFault: (error: unknown) => void;
};

export type Deliverer = {
  start(): void;
  /** Something may be due. */
  wake(): void;
  /** Takes nothing new; resolves when all that is in flight is written down and every lane let go. */
  stop(): Promise<void>;
  /** Ends what is in flight: it will be sent again. For who has waited long enough. */
  abandon(): void;
};

export function createDeliverer({ db, attempt, recorder, signing, concurrency, onFault }: Options): Deliverer {
  const owner = randomUUID();
  const roomForFailing = Math.floor(concurrency / 4);
  const lanes = new Map<string, Lane>();
  /** Deliveries that are sent or written down at this moment; how many of each endpoint, also when its lane was lost meanwhile. */
  const busy = new Set<string>();
  const busyAt = new Map<string, number>();
  let sending = 0;
  let sendingToFailing = 0;
  let state: 'running' | 'stopping' | 'abandoned' = 'stopping';
  let timer: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let passing: Promise<void> | undefined;
  let wanted = false;
  /** Of what we let go, when the first is due. Others let go too, and die: hence the polling. */
  let nextDueAt = Number.POSITIVE_INFINITY;
  let lastPass = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let whenQuiet = () => {};

  /** A pass as soon as may be. */
  function wake(): void {
    wanted = true;
    if (passing === undefined && state === 'running') schedule(passEveryMs - (performance.now() - lastPass));
  }

  function schedule(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(startPass, Math.max(0, afterMs, pausedUntil - performance.now()));
  }

  function startPass(): void {
    lastPass = performance.now();
    wanted = false;
    passing = pass()
      .catch((error) => {
        onFault(error);
        pausedUntil = performance.now() + faultPauseMs;
        return faultPauseMs;
      })
      .then((pauseMs) => {
        passing = undefined;
        if (state === 'running') schedule(wanted ? passEveryMs : Math.max(passEveryMs, pauseMs));
        else whenQuiet();
      });
  }

  /** Answers with how long there will be nothing to do, unless something is heard of. */
  async function pass(): Promise<number> {
    if (performance.now() >= nextDueAt) nextDueAt = Number.POSITIVE_INFINITY;
    const room = Math.min(freeToSend(), concurrency - lanes.size, claimAtOnce);
    if (room > 0) {
      const failing = Math.min(room, roomForFailing - [...lanes.values()].filter((lane) => lane.isFailing()).length);
      for (const claimed of await claimLanes(db, owner, { healthy: room, failing: Math.max(0, failing) })) {
        lanes.set(claimed.endpointId, createLane(claimed, performance.now()));
      }
    }
    const asked = shareOut();
    if (asked.length > 0) {
      const [due, keys] = await Promise.all([selectDue(db, asked, [...busy]), signing(db)]);
      const byLane = Map.groupBy(due, ({ endpoint_id }) => endpoint_id);
      for (const { endpointId, room } of asked) {
        const lane = lanes.get(endpointId);
        const found = byLane.get(endpointId) ?? [];
        if (!lane) continue;
        lane.learn(found);
        // No more than it allows now that it is known.
        const allowed = found.slice(0, lane.room(performance.now()));
        if (found.length < room) lane.foundNoMore(performance.now());
        for (const each of allowed) send(each, lane, keys[each.environment]);
      }
    }
    await letGo();
    const now = performance.now();
    return Math.min(pollMs, nextDueAt - now, ...[...lanes.values()].map((lane) => lane.nextLookAt(now) - now));
  }

  /** What could not be written down yet is bounded too. */
  const freeToSend = () => Math.min(concurrency - sending, 2 * concurrency - busy.size);

  /** Who may send how much: in turn, each within its share, those that fail within a quarter of all. */
  function shareOut(): { endpointId: string; epoch: string; room: number }[] {
    const now = performance.now();
    const hungry = [...lanes.values()].filter((lane) => lane.room(now) > 0);
    let free = freeToSend();
    let freeForFailing = roomForFailing - sendingToFailing;
    const each = Math.max(1, Math.floor(free / Math.max(1, hungry.length)));
    return hungry.flatMap((lane) => {
      const room = Math.min(lane.room(now), each, lane.isFailing() ? freeForFailing : free, free);
      if (room <= 0) return [];
      free -= room;
      if (lane.isFailing()) freeForFailing -= room;
      // Behind all others the next time.
      lanes.delete(lane.endpointId);
      lanes.set(lane.endpointId, lane);
      return [{ endpointId: lane.endpointId, epoch: lane.epoch, room }];
    });
  }

  function send(due: Due, lane: Lane, key: SignsWith): void {
    const failing = lane.isFailing();
    busy.add(due.id);
    busyAt.set(lane.endpointId, (busyAt.get(lane.endpointId) ?? 0) + 1);
    sending++;
    if (failing) sendingToFailing++;
    const seenAt = performance.now();
    const startsInMs = lane.began(seenAt);
    const now = () => new Date(due.now.getTime() + performance.now() - seenAt);
    void after(startsInMs)
      .then(() => attempt(due, lane.epoch, key, now()))
      .then(async (result) => {
        sending--;
        if (failing) sendingToFailing--;
        lane.ended(result);
        wake();
        if (state !== 'abandoned') await recorder.add(result);
        lane.recorded();
        busy.delete(due.id);
        const others = (busyAt.get(lane.endpointId) ?? 1) - 1;
        if (others > 0) busyAt.set(lane.endpointId, others);
        else busyAt.delete(lane.endpointId);
        wake();
        if (busy.size === 0) whenQuiet();
      });
  }

  async function letGo(): Promise<void> {
    const now = performance.now();
    const crowded = lanes.size >= concurrency;
    for (const lane of lanes.values()) if (crowded && lane.heldFor(now) > turnMs) lane.rest();
    const idle = [...lanes.values()].filter((lane) => lane.isIdle(now) && !busyAt.has(lane.endpointId));
    const { gone, dueInMs } = await releaseLanes(db, idle);
    nextDueAt = Math.min(nextDueAt, performance.now() + dueInMs);
    for (const lane of idle) {
      if (gone.has(lane.endpointId) && lanes.get(lane.endpointId) === lane) lanes.delete(lane.endpointId);
    }
  }

  async function renew(): Promise<void> {
    const all = [...lanes.values()];
    if (all.length === 0) return;
    const ours = await renewLanes(db, owner, all);
    // Somebody else owns it by now, or its endpoint is deleted: what is in flight will not be written down.
    for (const lane of all) if (!ours.has(lane.endpointId) && lanes.get(lane.endpointId) === lane) lanes.delete(lane.endpointId);
  }

  return {
    start() {
      state = 'running';
      renewal = setInterval(() => void renew().catch(onFault), renewEveryMs);
      wake();
    },
    wake,
    async stop() {
      if (state === 'running') state = 'stopping';
      clearTimeout(timer);
      await new Promise<void>((resolve) => {
        whenQuiet = () => {
          if ((busy.size === 0 || state === 'abandoned') && passing === undefined) resolve();
        };
        whenQuiet();
      });
      clearInterval(renewal);
      // Within a second: the next owner knows nothing of what we sent.
      await after(Math.max(...[...lanes.values()].map((lane) => lane.rateAllowsAt())) - performance.now());
      await releaseLanes(db, [...lanes.values()]).catch(onFault);
      lanes.clear();
    },
    abandon() {
      state = 'abandoned';
      recorder.stop();
      whenQuiet();
    },
  };
}

const after = (ms: number) => (ms > 1 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : Promise.resolve());
