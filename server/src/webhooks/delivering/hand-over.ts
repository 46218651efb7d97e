// Takes deliveries from publishers of this process: claims their lanes in the publisher's transaction, and
// sends them after its commit.
import type { Queryable, Transaction } from '../../base/postgres/database.ts';
import type { Due, Target, Wake, Written } from '../lanes/hand-over.ts';
import { type Taken, wakeLanes } from '../lanes/store.ts';
import type { OwnedLanes } from './owned-lanes.ts';
import type { Sender } from './sender.ts';
import type { Signers } from './sign.ts';
import { alone } from './store.ts';

type Options = {
  lanes: OwnedLanes;
  sender: Sender;
  signers: (on: Queryable) => Promise<Signers>;
  /** How many more lanes the deliverer may claim now. */
  capacity: () => number;
  isRunning: () => boolean;
  /** Makes the deliverer look for what is due. */
  wake: () => void;
  onFault: (error: unknown) => void;
};

/** What the last statements of the transaction saw. `keys` null: no key can sign. */
type Seen = { taken: readonly Taken[]; keys: Signers | null };

export function createHandOver(options: Options) {
  const { lanes, sender, signers, capacity, onFault } = options;
  /** The transactions that run, each with the endpoints whose lanes it may claim. */
  const publishers = new Map<Promise<unknown>, ReadonlySet<string>>();

  async function claim(
    tx: Transaction,
    written: Written,
    { wanted, begun }: { wanted: Set<string>; begun: ReadonlySet<string> },
  ): Promise<void> {
    const { endpointIds, due } = written;
    const most = due.length === 0 ? 0 : capacity();
    if (most <= 0) return void (await wakeLanes(tx, endpointIds));
    const simple = new Set(due.flatMap(({ endpoint }) => (isSimple(endpoint) ? endpoint.id : [])));
    const claimed = [...simple].slice(0, most);
    for (const endpointId of claimed) wanted.add(endpointId);
    // Publishing does not depend on signing. Without a key, the deliverer reads what is due when there is one.
    const signing = signers(tx).catch(() => null);
    const waking = wakeLanes(tx, endpointIds, { owner: lanes.owner, endpointIds: claimed });
    const [taken, keys] = await Promise.all([waking, signing]);
    tx.afterCommit(() => {
      try {
        take(options, written, { taken, keys }, begun);
      } catch (error) {
        onFault(error);
      }
    });
  }

  return {
    async publishing<T>(transaction: (wake: Wake) => Promise<T>): Promise<T> {
      const wanted = new Set<string>();
      const running = sender.inFlight.during((begun) =>
        transaction((tx, written) => claim(tx, written, { wanted, begun })),
      );
      publishers.set(running, wanted);
      try {
        return await running;
      } catch (error) {
        // The answer to its commit can have been lost.
        if (wanted.size > 0) lanes.doubt();
        throw error;
      } finally {
        publishers.delete(running);
      }
    },

    /** Whether a transaction that runs may have claimed the lane. */
    isClaiming: (endpointId: string) => [...publishers.values()].some((wanted) => wanted.has(endpointId)),

    /** Resolves when the transactions that run now have ended. */
    settled: () => Promise.allSettled(publishers.keys()),
  };
}

/**
 * Sends what the lanes have capacity for now. The rest is read later, as if it had not been handed over.
 * `begun`: what a look has found since it was written.
 */
function take(
  options: Options,
  { due, clock }: Written,
  { taken, keys }: Seen,
  begun: ReadonlySet<string>,
): void {
  const { lanes, sender, isRunning, wake } = options;
  const now = performance.now();
  for (const each of taken) if (each.state === 'claimed') lanes.add(each).foundAll(now);
  // A deliverer that stops releases its lanes at the end.
  if (!isRunning()) return;
  const seenOf = new Map(taken.map((each) => [each.endpointId, each]));
  for (const each of due) {
    const { endpoint } = each;
    const lane = lanes.get(endpoint.id);
    const seen = seenOf.get(endpoint.id);
    // A release and a claim that are under way read what is due, so they find the delivery.
    const isOurs = seen?.state === 'claimed' || !lanes.isReleasing(endpoint.id);
    if (!lane || !isOurs || lane.epoch !== seen?.epoch || begun.has(each.id)) continue;
    const isUnchanged = seen.version === endpoint.version;
    if (isUnchanged) lane.learn({ ...endpoint, failing_since: seen.failingSince });
    const mayTake = isUnchanged && isSimple(endpoint) && !lane.isFailing() && sender.free() > 0;
    if (keys !== null && mayTake && lane.takesHandedOver(now)) {
      void sender.send(firstAttempt(each, clock.now), lane, keys, clock.readAt);
      continue;
    }
    lane.look();
    wake();
  }
}

const firstAttempt = ({ id, event, endpoint }: Due, now: Date) =>
  alone({
    ...endpoint,
    id,
    event_id: event.id,
    endpoint_id: endpoint.id,
    environment: event.environment,
    body: event.body,
    traceparent: event.traceparent,
    attempt_count: 0,
    round_attempts: 0,
    failing_since: null,
    now,
  });

/** A strict lane may have an earlier delivery, a batch needs others, and a paused endpoint gets none. */
const isSimple = ({ ordering, batch, status }: Target) =>
  ordering === 'none' && batch === null && status === 'active';
