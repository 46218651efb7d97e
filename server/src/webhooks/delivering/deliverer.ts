// The deliverer: owns lanes, sends their due deliveries, records the results, and releases lanes. Any number
// share a database.
import { randomUUID } from 'node:crypto';
import type { Database, Queryable } from '../../base/postgres/database.ts';
import type { Due, HandOver, MakeOffer, Offer, Seen, Target } from '../lanes/hand-over.ts';
import { createLane, type Lane } from '../lanes/lane.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import {
  claimLanes,
  countClaimedByOthers,
  giveBackLanes,
  releaseLanes,
  renewEveryMs,
  renewLanes,
} from '../lanes/store.ts';
import type { Environment, Signer } from '../signing-keys/index.ts';
import type { MakeAttempt } from './attempt.ts';
import { createInFlight } from './in-flight.ts';
import { createPacer } from './pacer.ts';
import type { Recorder } from './recorder.ts';
import { shareOut } from './share-out.ts';
import { type Attempted, selectDue } from './store.ts';

/** Finds lanes whose notification was lost, and retries of lanes that other processes released. */
const pollMs = 500;
const claimAtOnce = 200;
/** A lane is released after this time if other lanes wait. */
const turnMs = 2_000;

type Signers = Record<Environment, Signer>;

type Options = {
  db: Database;
  makeAttempt: MakeAttempt;
  recorder: Recorder;
  signers: (on: Queryable) => Promise<Signers>;
  /** The most requests at the same time. Failing endpoints share a quarter of them. */
  concurrency: number;
  observer: Pick<WebhookObserver, 'leasesLost'>;
  onFault: (error: unknown) => void;
};

export type Deliverer = HandOver & {
  start(): void;
  /** Something may be due. */
  wake(): void;
  /** Something is due in these lanes, if this process has them. */
  look(endpointIds: readonly string[]): void;
  /** Sends nothing new. Resolves when every result in flight is recorded and every lane is released. */
  stop(): Promise<void>;
  /** The number of lanes that it owns. */
  lanes(): number;
  /** Gives up the requests in flight. Their deliveries will be sent again. */
  abandon(): void;
};

/**
 *   new --start--> running --stop--> stopping --nothing in flight--> stopped
 *                                        |                              ^
 *                                        +---abandon--> abandoned ------+
 *
 * running: passes claim due lanes, send, and release idle lanes. stopping: nothing new is sent; results are
 * recorded.
 * abandoned: results are dropped, so the next owner of a lane sends again. stopped: no lane is held.
 */
type State = 'new' | 'running' | 'stopping' | 'abandoned' | 'stopped';

export function createDeliverer({
  db,
  makeAttempt,
  recorder,
  signers,
  concurrency,
  observer,
  onFault,
}: Options): Deliverer {
  const owner = randomUUID();
  const maxSendingToFailing = Math.floor(concurrency / 4);
  const lanes = new Map<string, Lane>();
  const inFlight = createInFlight();
  const pacer = createPacer({ pass, onFault });
  const abandoned = Promise.withResolvers<void>();
  let state: State = 'new';
  let renewal: NodeJS.Timeout | undefined;
  /**
   * The earliest due time among the lanes that this process released. Others release lanes or crash, so it
   * also polls.
   */
  let nextDueAt = Number.POSITIVE_INFINITY;
  /** Deliveries that were handed over while due ones are being read: what was read can have them too. */
  let handedOver: Set<string> | undefined;
  /** The lanes that are being released. */
  let releasing = new Set<string>();
  /** The transactions that can hand over. */
  const publishers = new Set<Promise<unknown>>();
  /** Endpoints whose lanes this process may have claimed without knowing. */
  const doubtful = new Set<string>();

  /** Unrecorded results take capacity too, so their number is bounded. */
  const free = () => Math.min(concurrency - inFlight.sending(), 2 * concurrency - inFlight.size());

  async function pass(): Promise<number> {
    if (performance.now() >= nextDueAt) nextDueAt = Number.POSITIVE_INFINITY;
    await claim();
    await sendDue();
    await release();
    const now = performance.now();
    return Math.min(
      pollMs,
      nextDueAt - now,
      ...[...lanes.values()].map((lane) => lane.nextLookAt(now) - now),
    );
  }

  async function claim(): Promise<void> {
    const room = Math.min(free(), concurrency - lanes.size, claimAtOnce);
    if (room <= 0) return;
    const failing = [...lanes.values()].filter((lane) => lane.isFailing()).length;
    const roomForFailing = Math.max(0, Math.min(room, maxSendingToFailing - failing));
    for (const claimed of await claimLanes(db, owner, { healthy: room, failing: roomForFailing })) {
      lanes.set(claimed.endpointId, createLane(claimed, performance.now()));
    }
  }

  async function sendDue(): Promise<void> {
    const capacity = { free: free(), freeForFailing: maxSendingToFailing - inFlight.sendingToFailing() };
    const shares = shareOut(lanes.values(), capacity, performance.now());
    if (shares.length === 0) return;
    for (const { lane } of shares) {
      // The next pass serves it after all others.
      lanes.delete(lane.endpointId);
      lanes.set(lane.endpointId, lane);
    }
    const asked = shares.map(({ lane: { endpointId, epoch }, room }) => ({ endpointId, epoch, room }));
    const begun = new Set<string>();
    handedOver = begun;
    const [due, keys] = await Promise.all([selectDue(db, asked, inFlight.ids()), signers(db)]);
    handedOver = undefined;
    const byEndpoint = Map.groupBy(due, ({ endpoint_id }) => endpoint_id);
    for (const { endpointId, room } of asked) {
      // The lane can have been lost during the read.
      const lane = lanes.get(endpointId);
      if (!lane) continue;
      const found = byEndpoint.get(endpointId) ?? [];
      lane.looked(performance.now());
      lane.learn(found[0]);
      // The new terms can allow less than the room that was asked for.
      const allowed = found.filter(({ id }) => !begun.has(id)).slice(0, lane.room(performance.now()));
      if (found.length < room) lane.foundAll(performance.now());
      for (const each of allowed) void send(each, lane, keys);
    }
  }

  /** `readAt`: when `due.now` was read. */
  async function send(due: Attempted, lane: Lane, keys: Signers, readAt = performance.now()): Promise<void> {
    const request = inFlight.begin(due.id, lane.endpointId, lane.isFailing());
    await delay(lane.began(performance.now()));
    const now = new Date(due.now.getTime() + performance.now() - readAt);
    const result = await makeAttempt(due, lane.epoch, keys[due.environment], now);
    request.sent();
    lane.ended(result);
    pacer.wake();
    if (state === 'running' || state === 'stopping') await recorder.add(result);
    lane.recorded();
    request.recorded();
    pacer.wake();
  }

  async function release(): Promise<void> {
    const now = performance.now();
    const crowded = lanes.size >= concurrency;
    for (const lane of lanes.values()) if (crowded && lane.heldForMs(now) > turnMs) lane.rest();
    const isSpare = (lane: Lane) => lanes.size > concurrency / 2 || !lane.isWarm(now);
    const idle = [...lanes.values()].filter(
      (lane) => lane.isIdle(now) && isSpare(lane) && !inFlight.includes(lane.endpointId),
    );
    releasing = new Set(idle.map(({ endpointId }) => endpointId));
    const { gone, dueInMs } = await releaseLanes(db, idle).finally(() => releasing.clear());
    nextDueAt = Math.min(nextDueAt, performance.now() + dueInMs);
    for (const lane of idle) if (gone.has(lane.endpointId)) forget(lane);
  }

  async function renew(): Promise<void> {
    const unknown = [...doubtful].filter((endpointId) => !lanes.has(endpointId));
    doubtful.clear();
    if (unknown.length > 0) {
      await giveBackLanes(db, owner, unknown).catch((error) => {
        for (const endpointId of unknown) doubtful.add(endpointId);
        throw error;
      });
      pacer.wake();
    }
    const all = [...lanes.values()];
    if (all.length === 0) return;
    const ours = await renewLanes(db, owner, all);
    // Another process owns the lane by now, or its endpoint is deleted. Results of its requests in flight
    // will be refused.
    const gone = all.filter(({ endpointId }) => !ours.has(endpointId));
    const forgotten = gone.filter((lane) => forget(lane));
    if (forgotten.length > 0) observer.leasesLost(await countClaimedByOthers(db, owner, forgotten));
  }

  async function publishing<T>(transaction: (makeOffer: MakeOffer) => Promise<T>): Promise<T> {
    const wanted = new Set<string>();
    const running = transaction((due) => offer(due, wanted));
    publishers.add(running);
    try {
      return await running;
    } catch (error) {
      // The answer to its commit can have been lost. Then it has claimed lanes that nobody here knows.
      for (const endpointId of wanted) doubtful.add(endpointId);
      throw error;
    } finally {
      publishers.delete(running);
    }
  }

  function offer(due: readonly Due[], wanted: Set<string>): Offer | null {
    const room = Math.min(free(), concurrency - lanes.size);
    if (state !== 'running' || room <= 0) return null;
    const simple = new Set(due.flatMap(({ endpoint }) => (isSimple(endpoint) ? endpoint.id : [])));
    const claim = { owner, endpointIds: [...simple].slice(0, room) };
    const since = performance.now();
    for (const endpointId of claim.endpointIds) wanted.add(endpointId);
    return {
      claim,
      signers,
      take(seen) {
        try {
          take(due, seen, since);
        } catch (error) {
          onFault(error);
        }
      },
    };
  }

  /**
   * Sends what the lanes have room for now. What they have no room for is read later, as if it had not been
   * handed over.
   */
  function take(due: readonly Due[], { taken, signers: keys, clock }: Seen, since: number): void {
    const now = performance.now();
    for (const each of taken.claimed) {
      const lane = createLane(each, now);
      lane.foundAll(now);
      lanes.set(each.endpointId, lane);
    }
    // A deliverer that stops releases its lanes at the end.
    if (state !== 'running') return;
    const claimed = new Set(taken.claimed.map(({ endpointId }) => endpointId));
    const seenOf = new Map([...taken.claimed, ...taken.kept].map((each) => [each.endpointId, each]));
    for (const { id, event, endpoint } of due) {
      const lane = lanes.get(endpoint.id);
      const seen = seenOf.get(endpoint.id);
      // A release and a claim that are under way read what is due, so they find the delivery.
      const isOurs = claimed.has(endpoint.id) || !releasing.has(endpoint.id);
      if (!lane || !isOurs || lane.epoch !== seen?.epoch) continue;
      if (claimed.has(endpoint.id)) lane.learn({ ...endpoint, failing_since: null });
      const isUnchanged = isSimple(endpoint) && seen.version === endpoint.version;
      if (
        keys === null ||
        !isUnchanged ||
        lane.isFailing() ||
        free() <= 0 ||
        !lane.takesHandedOver(now, since)
      ) {
        lane.look();
        pacer.wake();
        continue;
      }
      handedOver?.add(id);
      const { url, sealed_headers } = endpoint;
      const attempts = { attempt_count: 0, round_attempts: 0, failing_since: null };
      const first = {
        id,
        event_id: event.id,
        endpoint_id: endpoint.id,
        environment: event.environment,
        body: event.body,
        traceparent: event.traceparent,
      };
      void send({ ...first, url, sealed_headers, ...attempts, now: clock.now }, lane, keys, clock.readAt);
    }
  }

  /** Keeps a lane that was claimed again meanwhile. Returns whether it is gone. */
  function forget(lane: Lane): boolean {
    return lanes.get(lane.endpointId) === lane && lanes.delete(lane.endpointId);
  }

  return {
    start() {
      state = 'running';
      renewal = setInterval(() => void renew().catch(onFault), renewEveryMs);
      pacer.start();
    },
    wake: pacer.wake,
    look(endpointIds) {
      for (const endpointId of endpointIds) lanes.get(endpointId)?.look();
      pacer.wake();
    },
    publishing,
    async stop() {
      if (state === 'running') state = 'stopping';
      await pacer.stop();
      await Promise.race([Promise.allSettled([...publishers]).then(inFlight.empty), abandoned.promise]);
      clearInterval(renewal);
      // A second at most. The next owner of a lane with a rate limit does not know our requests.
      await delay(Math.max(...[...lanes.values()].map((lane) => lane.rateAllowsAt())) - performance.now());
      await releaseLanes(db, [...lanes.values()]).catch(onFault);
      lanes.clear();
      state = 'stopped';
    },
    lanes: () => lanes.size,
    abandon() {
      state = 'abandoned';
      recorder.stop();
      abandoned.resolve();
    },
  };
}

/** A strict lane may have an earlier delivery, and a paused endpoint gets none. */
const isSimple = ({ ordering, status }: Target) => ordering === 'none' && status === 'active';

const delay = (ms: number) =>
  ms > 1 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
