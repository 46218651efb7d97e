// The deliverer: owns lanes, sends their due deliveries, records the results, and releases lanes. Any number
// share a database.
import type { Database, Queryable } from '../../base/postgres/database.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { renewEveryMs } from '../lanes/store.ts';
import type { MakeAttempt } from './attempt.ts';
import { readDue } from './due.ts';
import { createHandOver } from './hand-over.ts';
import { createOwnedLanes, type OwnedLanes } from './owned-lanes.ts';
import { createPacer } from './pacer.ts';
import type { Recorder } from './recorder.ts';
import { createSender, delay, type Sender } from './sender.ts';
import { shareOut } from './share-out.ts';
import type { Signers } from './sign.ts';

/** Finds lanes whose notification was lost, and retries of lanes that other processes released. */
const pollMs = 500;

type Options = {
  db: Database;
  /** Claims lanes in this name. */
  owner: string;
  makeAttempt: MakeAttempt;
  recorder: Recorder;
  signers: (on: Queryable) => Promise<Signers>;
  /** The most requests at the same time. Failing endpoints share a quarter of them. */
  concurrency: number;
  observer: Pick<WebhookObserver, 'leasesLost'>;
  onFault: (error: unknown) => void;
};

export type Deliverer = ReturnType<typeof createDeliverer>;

/**
 *   new --start--> running --stop--> stopping --nothing in flight--> stopped
 *                                        |                              ^
 *                                        +---abandon--> abandoned ------+
 *
 * running: passes claim due lanes, send, and release idle lanes. stopping: nothing new is sent; results are
 * recorded.
 * abandoned: results are dropped, so the next owner of a lane sends again. stopped: no lane is held.
 */
export function createDeliverer(options: Options) {
  const { concurrency, onFault } = options;
  let isRunning = false;
  const lanes = createOwnedLanes(options);
  const pacer = createPacer({ pass, onFault });
  const { wake } = pacer;
  const sender = createSender({
    ...options,
    isOurs: (lane) => isRunning && lanes.get(lane.endpointId) === lane,
    wake,
  });
  const handOver = createHandOver({
    ...options,
    lanes,
    sender,
    capacity: () => (isRunning ? Math.min(sender.free(), concurrency - lanes.size()) : 0),
    isRunning: () => isRunning,
    wake,
  });
  let renewal: NodeJS.Timeout | undefined;
  /**
   * The earliest due time among the lanes that this process released. Others release lanes or crash, so it
   * also polls.
   */
  let nextDueAt = Number.POSITIVE_INFINITY;

  async function pass(): Promise<number> {
    if (performance.now() >= nextDueAt) nextDueAt = Number.POSITIVE_INFINITY;
    await lanes.adopt(handOver.isClaiming);
    await lanes.claim(sender.free(), sender.mostFailing);
    await sendDue({ ...options, lanes, sender });
    const dueInMs = await lanes.release(sender.inFlight.includes);
    const now = performance.now();
    nextDueAt = Math.min(nextDueAt, now + dueInMs);
    return Math.min(pollMs, nextDueAt - now, ...lanes.all().map((lane) => lane.nextLookAt(now) - now));
  }

  return {
    start() {
      isRunning = true;
      renewal = setInterval(() => void lanes.renew().catch(onFault), renewEveryMs);
      pacer.start();
    },
    /** Something may be due. */
    wake,
    /** Something is due in these lanes, if this process has them. */
    look(endpointIds: readonly string[]) {
      for (const endpointId of endpointIds) lanes.get(endpointId)?.look();
      wake();
    },
    publishing: handOver.publishing,
    /** Sends nothing new. Resolves when every result in flight is recorded and every lane is released. */
    async stop() {
      isRunning = false;
      await pacer.stop();
      await Promise.race([handOver.settled().then(sender.inFlight.empty), sender.abandoned]);
      clearInterval(renewal);
      // A second at most. The next owner of a lane with a rate limit does not know our requests.
      await delay(Math.max(...lanes.all().map((lane) => lane.rateAllowsAt())) - performance.now());
      await lanes.releaseAll().catch(onFault);
    },
    lanes: lanes.size,
    abandon: sender.abandon,
  };
}

type Sending = Pick<Options, 'db' | 'signers'> & { lanes: OwnedLanes; sender: Sender };

/** Reads what is due in the lanes that have capacity, and sends it. */
async function sendDue({ db, signers, lanes, sender }: Sending): Promise<void> {
  const free = { all: sender.free(), failing: sender.freeForFailing() };
  const shares = shareOut(lanes.all(), free, performance.now());
  if (shares.length === 0) return;
  for (const { lane } of shares) {
    lanes.serveLast(lane);
    lane.looking();
  }
  const asked = shares.map(({ lane: { endpointId, epoch }, share }) => ({ endpointId, epoch, share }));
  const { inFlight } = sender;
  await inFlight.during(async (begun) => {
    const [due, keys] = await Promise.all([
      readDue({ on: db, transact: db.transaction }, asked, inFlight.ids()),
      signers(db),
    ]);
    for (const { endpointId, share } of asked) {
      // The lane can have been lost during the read.
      const lane = lanes.get(endpointId);
      if (!lane) continue;
      const { requests = [], terms, waitMs } = due.get(endpointId) ?? {};
      lane.looked();
      lane.learn(terms);
      // The new terms can allow less than was asked for.
      const allowed = requests.filter(({ id }) => !begun.has(id)).slice(0, lane.capacity(performance.now()));
      if (requests.length < share) lane.foundAll(performance.now(), waitMs);
      for (const each of allowed) void sender.send(each, lane, keys);
    }
  });
}
