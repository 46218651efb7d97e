// Several Concords behind a router by partner: a skewed load, a shard that fails, and twice as many shards.
import { bounds, chosen, costsWith, move, recorded } from './assumptions.ts';
import { createClock, createRandom } from './clock.ts';
import { createProbe, type Phase } from './report.ts';
import { createShard, type Event, type Shard } from './shard.ts';

export type Plan = {
  readonly seed: number;
  readonly shards: number;
  /** Of each shard. */
  readonly postgresCores: number;
  readonly apis: number;
  readonly workers: number;
  readonly eventsPerSecond: number;
  /** How long producers send. */
  readonly seconds: number;
  readonly partners: number;
  /** The partner of rank k sends in proportion to 1 / k ** zipf: 0 makes all equal. */
  readonly zipf: number;
  readonly fsyncMs: number;
  readonly receiverAnswerMs: number;
  /** The first partner's deliveries go one after the other. */
  readonly strict: boolean;
  /** The busiest shard's database is away from the third second on, for so long. 0: never. */
  readonly failSeconds: number;
  /** From the third second on, half of each shard's partners move to a new shard, one after the other. */
  readonly grow: boolean;
};

export type Outcome = {
  readonly phases: readonly Phase[];
  /** From the return of the database until everything has arrived that was sent before. */
  readonly recoverySeconds?: number;
  readonly moved?: { readonly partners: number; readonly seconds: number };
  readonly busiestPartner: { readonly share: number; readonly backlog: number };
};

const warmUpMs = 500;
const changeAtMs = 3_000;

export function runSharded(plan: Plan): Outcome {
  const clock = createClock();
  const random = createRandom(plan.seed);
  const costs = costsWith({ signatureMs: recorded.nativeSignatureMs, publishMs: recorded.publishMs });
  const { cumulative, total } = loadsOf(plan);
  // A hash of the id: evenly over the shards, whatever the load of the partner.
  const hashes = Array.from({ length: plan.partners }, () => Math.floor(random() * 2 ** 30));
  const placement = hashes.map((hash) => hash % plan.shards);
  const moving = new Set<number>();
  let failedAtMs = Number.POSITIVE_INFINITY;
  let returnedAtMs: number | undefined;
  let recoveredAtMs: number | undefined;
  let oldInFlight = 0;
  let busiestBacklog = 0;
  let moved: Outcome['moved'];

  const shards: Shard[] = Array.from({ length: plan.grow ? 2 * plan.shards : plan.shards }, () =>
    createShard({
      clock,
      shape: { kind: 'hosts', postgresCores: plan.postgresCores, apis: plan.apis, workers: plan.workers },
      costs,
      fsyncMs: plan.fsyncMs,
      receiverAnswerMs: plan.receiverAnswerMs,
      concurrencyOf: (partner) => (plan.strict && partner === 0 ? 0 : bounds.maxConcurrencyOfEndpoint),
      onArrival,
      onGroup: () => probe.grouped(),
    }),
  );
  const probe = createProbe(clock, shards, 'warm-up');

  function onArrival({ partner, sentAtMs }: Event): void {
    probe.arrived(clock.nowMs - sentAtMs);
    if (partner === 0) busiestBacklog--;
    if (returnedAtMs === undefined || recoveredAtMs !== undefined) {
      oldInFlight--;
    } else if (sentAtMs <= returnedAtMs && --oldInFlight === 0) {
      recoveredAtMs = clock.nowMs;
      probe.next('recovered');
    }
  }

  function send(partner: number): void {
    const sentAtMs = clock.nowMs;
    probe.sent();
    if (returnedAtMs === undefined) oldInFlight++;
    if (partner === 0) busiestBacklog++;
    const event: Event = {
      partner,
      endpoints: 1,
      sentAtMs,
      answer(accepted) {
        if (accepted) return probe.acknowledged(clock.nowMs - sentAtMs);
        probe.refused();
        clock.after(chosen.retryMs, attempt);
      },
    };
    function attempt(): void {
      if (moving.has(partner)) event.answer(false);
      else shards[placement[partner] ?? 0]?.publish(event);
    }
    attempt();
  }

  function produce(): void {
    if (clock.nowMs >= plan.seconds * 1_000) return;
    send(find(cumulative, random() * total));
    clock.after((-Math.log(1 - random()) * 1_000) / plan.eventsPerSecond, produce);
  }

  function fail(): void {
    const loadOf = (shard: Shard) => shard.database.host.busyMs;
    const busiest = shards.reduce((a, b) => (loadOf(b) > loadOf(a) ? b : a));
    busiest.fail();
    failedAtMs = clock.nowMs;
    probe.next('database away');
    clock.after(plan.failSeconds * 1_000, () => {
      busiest.recover();
      returnedAtMs = clock.nowMs;
      probe.next('recovering');
    });
  }

  function grow(): void {
    probe.next('moving');
    const startedAtMs = clock.nowMs;
    const leaving = hashes
      .map((hash, partner) => ({ partner, to: hash % (2 * plan.shards) }))
      .filter(({ to }) => to >= plan.shards);
    let left = leaving.length;
    const moveNext = (queue: typeof leaving): void => {
      const [next, ...rest] = queue;
      if (next === undefined) return;
      const { partner, to } = next;
      moving.add(partner);
      for (const shard of [shards[placement[partner] ?? 0], shards[to]])
        shard?.database.host.run(move.postgresMs, () => {});
      clock.after(move.totalMs, () => {
        placement[partner] = to;
        moving.delete(partner);
        if (--left === 0) {
          moved = { partners: leaving.length, seconds: (clock.nowMs - startedAtMs) / 1_000 };
          probe.next('moved');
        }
        moveNext(rest);
      });
    };
    for (let from = 0; from < plan.shards; from++)
      moveNext(leaving.filter(({ partner }) => placement[partner] === from));
  }

  produce();
  clock.after(warmUpMs, () => probe.next('steady'));
  if (plan.failSeconds > 0) clock.after(changeAtMs, fail);
  if (plan.grow) clock.after(changeAtMs, grow);
  clock.run(plan.seconds * 1_000);
  const phases = probe.end().slice(1);
  const busiestPartner = { share: (cumulative[0] ?? 0) / total, backlog: busiestBacklog };
  const recoverySeconds = ((recoveredAtMs ?? Number.POSITIVE_INFINITY) - (returnedAtMs ?? 0)) / 1_000;
  return {
    phases,
    busiestPartner,
    ...(Number.isFinite(failedAtMs) && { recoverySeconds }),
    ...(moved && { moved }),
  };
}

/** The load of each partner, added up in the order of ranks. */
function loadsOf({ partners, zipf }: Plan): { cumulative: number[]; total: number } {
  let total = 0;
  const cumulative = Array.from({ length: partners }, (_, rank) => {
    total += 1 / (rank + 1) ** zipf;
    return total;
  });
  return { cumulative, total };
}

/** The first rank whose sum is above this value. */
function find(cumulative: readonly number[], value: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
