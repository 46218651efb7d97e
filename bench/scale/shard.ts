// One Concord: a database with the processes that publish and send. An event takes the same way as in
// ARCHITECTURE.md, "Flows".
import { bounds, type Costs, chosen } from './assumptions.ts';
import { type Clock, createFifo } from './clock.ts';
import {
  costOf,
  createBatches,
  createDatabase,
  createHost,
  createThread,
  type Database,
  type Host,
  type Worker,
} from './machines.ts';

export type Event = {
  readonly partner: number;
  /** Of its partner: each gets a delivery. */
  readonly endpoints: number;
  /** When the producer first sent it. */
  readonly sentAtMs: number;
  /** Called with false when the request is refused: nothing was written. */
  answer(accepted: boolean): void;
};

type Delivery = { readonly event: Event; readonly lane: Lane };
type Lane = {
  sending: number;
  readonly waiting: ReturnType<typeof createFifo<Delivery>>;
  readonly room: number;
  readonly strict: boolean;
};

type Shape =
  /** What `npm start` is: one process, its database, the receiver and the load share the cores. */
  | { readonly kind: 'one machine'; readonly cores: number }
  /**
   * PostgreSQL on a host of its own; each process on two cores of others, since signatures are made beside
   * its main thread.
   */
  | {
      readonly kind: 'hosts';
      readonly postgresCores: number;
      readonly apis: number;
      readonly workers: number;
    };

export type ShardOptions = {
  readonly clock: Clock;
  readonly shape: Shape;
  readonly costs: Costs;
  readonly fsyncMs: number;
  readonly receiverAnswerMs: number;
  /** How many requests at the same time an endpoint of this partner allows; 0: its deliveries are strict. */
  readonly concurrencyOf: (partner: number) => number;
  readonly onArrival: (event: Event) => void;
  readonly onGroup: () => void;
};

export type Shard = {
  readonly database: Database;
  readonly apis: readonly Worker[];
  readonly workers: readonly Worker[];
  publish(event: Event): void;
  /**
   * The database stops, and comes back with everything that was committed. Meanwhile, requests are refused.
   */
  fail(): void;
  recover(): void;
};

type Waiting = { readonly event: Event; readonly sinceMs: number };
type Process = { readonly host: Host; readonly thread: Worker };

export function createShard(options: ShardOptions): Shard {
  const { clock, shape, costs, fsyncMs, receiverAnswerMs, concurrencyOf, onArrival, onGroup } = options;
  const alone = shape.kind === 'one machine';
  const databaseHost = createHost(clock, alone ? shape.cores : shape.postgresCores);
  const newProcess = (host: Host): Process => ({ host, thread: createThread(host) });
  const own = () => newProcess(createHost(clock, 2));
  const apis = alone ? [newProcess(databaseHost)] : Array.from({ length: shape.apis }, own);
  const workers = alone ? apis : Array.from({ length: shape.workers }, own);
  const receiver = createThread(databaseHost);
  const load = createThread(databaseHost);
  const database = createDatabase(clock, databaseHost, fsyncMs);
  const lanes = new Map<number, Lane>();
  let turn = 0;
  let failing = false;
  const networkMs = alone ? 0 : chosen.networkMs;

  const publishers = apis.map((api) =>
    createBatches<Waiting>(bounds.eventsInGroup, (group, done) => {
      const inTime: Event[] = [];
      for (const { event, sinceMs } of group) {
        if (clock.nowMs - sinceMs < bounds.patienceMs) inTime.push(event);
        else event.answer(false);
      }
      if (inTime.length === 0) return done();
      onGroup();
      api.thread.run(costs.publish.service.fixedMs, () =>
        clock.after(2 * networkMs, () =>
          database.commit(costOf(costs.publish.postgres, inTime.length), () => {
            for (const event of inTime) {
              clock.after(networkMs, () => event.answer(true));
              handOver(event);
            }
            done();
          }),
        ),
      );
    }),
  );

  const senders = workers.map((worker) => {
    const ready = createFifo<Delivery>();
    let sending = 0;
    let unrecorded = 0;
    const records = createBatches<Delivery>(
      bounds.resultsInBatch,
      (results, done) =>
        worker.thread.run(costOf(costs.record.service, results.length), () =>
          clock.after(2 * networkMs, () =>
            database.commit(costOf(costs.record.postgres, results.length), () => {
              unrecorded -= results.length;
              for (const { lane } of results) {
                if (lane.strict) free(lane);
              }
              // The next batch begins before more is sent, as in the recorder.
              done();
              sendReady();
            }),
          ),
        ),
      (work) => clock.after(bounds.resultsGatherMs, work),
    );
    function free(lane: Lane): void {
      lane.sending--;
      for (const next of lane.waiting.take(1)) deliver(next);
    }
    function deliver(delivery: Delivery): void {
      const { lane } = delivery;
      if (lane.sending < lane.room) {
        lane.sending++;
        ready.push(delivery);
        sendReady();
      } else lane.waiting.push(delivery);
    }
    function sendReady(): void {
      while (sending < bounds.concurrency && unrecorded < 2 * bounds.concurrency) {
        const [delivery] = ready.take(1);
        if (delivery === undefined) return;
        sending++;
        unrecorded++;
        worker.thread.run(costs.send.serviceMs, () =>
          worker.host.run(costs.send.signatureMs, () => arrive(delivery)),
        );
      }
    }
    function arrive(delivery: Delivery): void {
      const { event, lane } = delivery;
      const work = () => {
        onArrival(event);
        clock.after(alone ? 0 : receiverAnswerMs, () => {
          sending--;
          if (!lane.strict) free(lane);
          records.add(delivery);
          sendReady();
        });
      };
      if (alone) receiver.run(costs.receiverMs, work);
      else clock.after(networkMs, work);
    }
    const fetches = createBatches<Event>(bounds.resultsInBatch, (events, done) =>
      worker.thread.run(costOf(costs.fetch.service, events.length), () =>
        clock.after(2 * networkMs, () =>
          database.commit(costOf(costs.fetch.postgres, events.length), () => {
            for (const event of events) sendAll(event);
            done();
          }),
        ),
      ),
    );
    function sendAll(event: Event): void {
      for (let index = 0; index < event.endpoints; index++)
        deliver({ event, lane: laneOf(event.partner, index) });
    }
    return { sendAll, fetch: (event: Event) => fetches.add(event) };
  });

  /**
   * A process that publishes and sends keeps its events in memory. Others hear of them by a notification, and
   * read them.
   */
  function handOver(event: Event): void {
    // The lanes of a partner belong to one worker at a time.
    const sender = senders[event.partner % senders.length];
    if (alone) sender?.sendAll(event);
    else clock.after(2 * networkMs, () => sender?.fetch(event));
  }

  function laneOf(partner: number, index: number): Lane {
    const key = partner * 1_000 + index;
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const concurrency = concurrencyOf(partner);
    const lane = {
      sending: 0,
      waiting: createFifo<Delivery>(),
      room: Math.max(concurrency, 1),
      strict: concurrency === 0,
    };
    lanes.set(key, lane);
    return lane;
  }

  return {
    database,
    apis: apis.map(({ thread }) => thread),
    workers: workers.map(({ thread }) => thread),
    publish(event) {
      const index = turn++ % apis.length;
      const join = () =>
        clock.after(networkMs, () => {
          if (failing) return event.answer(false);
          apis[index]?.thread.run(costs.publish.service.eachMs, () =>
            publishers[index]?.add({ event, sinceMs: clock.nowMs }),
          );
        });
      if (alone) load.run(costs.loadMs, join);
      else join();
    },
    fail() {
      failing = true;
      databaseHost.stop();
    },
    recover() {
      failing = false;
      databaseHost.start();
    },
  };
}
