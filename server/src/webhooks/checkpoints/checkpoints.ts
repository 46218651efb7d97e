// What can be done with checkpoints: make those that are due, and read them (behaviour W77).
import { requireFound } from '../../base/errors.ts';
import type { ListSource } from '../../base/http/lists.ts';
import { formatId, uuidAt } from '../../base/ids.ts';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import type { ScheduledTask } from '../../base/postgres/scheduled-tasks.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { deletionTask } from '../../base/postgres/sql/deletion.ts';
import { checkpointType } from '../catalogue/checkpoint-type.ts';
import type { GrantedEndpoint } from '../endpoints/store.ts';
import { type Horizon, readHorizon } from '../publishing/horizon.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Signer, SigningKeys } from '../signing-keys/index.ts';
import { createMerkleTree } from './merkle.ts';
import type { Checkpoint, CheckpointDelivery } from './schema.ts';
import * as store from './store.ts';

/** Per checkpoint. */
const mostDeliveries = 100_000;
/** Read and hashed at once: it blocks other work for some milliseconds. */
const pageSize = 2_000;
/** How many chains a step looks at, and how many it extends at once. */
const stepSize = 100;
const concurrency = 4;
/** How long a run takes new steps. Its transaction must not be idle for 15 seconds. */
const runMs = 5_000;
/** How long a step waits for publishers, and how long the last step of a run does. */
const patienceMs = { step: 250, last: 4_000 };
/** When a chain that has to wait is looked at again. */
const waitSeconds = { forDelivery: 60, forPublishers: 10, afterFault: 60 };

export type Checkpoints = ReturnType<typeof createCheckpoints>;

type Options = {
  db: Database;
  keys: Pick<SigningKeys, 'signers'>;
  publisher: Pick<Publisher, 'own'>;
  retentionMs: number;
  onFault: (error: unknown) => void;
};

export function createCheckpoints({ db, retentionMs, ...making }: Options) {
  const make = createMaker({ db, ...making });
  const find = async (granted: GrantedEndpoint, id: string) =>
    requireFound(await store.selectCheckpoint(db, granted, id));
  return {
    list: (granted: GrantedEndpoint): ListSource<'id', Checkpoint> => ({
      page: (...asked) => store.selectCheckpoints(db, granted, ...asked),
    }),

    get: async (granted: GrantedEndpoint, id: string): Promise<Checkpoint> => (await find(granted, id)).shown,

    async deliveries(
      granted: GrantedEndpoint,
      id: string,
    ): Promise<ListSource<'id', CheckpointDelivery & { id: string }>> {
      const range = await find(granted, id);
      return {
        page: (...asked) => store.selectDeliveriesOf(db, granted, range, ...asked),
      };
    },

    tasks: [
      { name: 'make checkpoints', intervalMs: 2_000, hasWork: store.hasDue, run: make },
      deletionTask({
        name: 'delete old checkpoints',
        intervalMs: 60_000,
        of: [store.oldCheckpoints(retentionMs)],
      }),
    ] satisfies readonly ScheduledTask[],
  };
}

/** The chain was extended by another process, or has ended. */
class ChainMoved extends Error {}

type DueChains = readonly store.DueChain[];
type Step = Readonly<{
  horizon: Horizon;
  signers: Awaited<ReturnType<SigningKeys['signers']>>;
  deadline: number;
}>;

function createMaker({ db, keys, publisher, onFault }: Omit<Options, 'retentionMs'>) {
  /**
   * A checkpoint and its event commit together, so neither is there without the other. Returns the chain if it
   * does not reach the horizon yet.
   */
  async function extend(chain: store.DueChain, { horizon, signers }: Step): Promise<store.DueChain | null> {
    const { endpoint_id, partner_id, environment, previous_id } = chain;
    const range = await summarize(db, chain, horizon);
    const created_at = await readClock(db);
    const id = uuidAt(created_at.getTime());
    // `covers_from` and `covers_until` are about when the first and the last event could be published.
    const statement = {
      checkpoint_id: formatId('checkpoint', id),
      endpoint_id: formatId('webhook_endpoint', endpoint_id),
      partner_id: formatId('partner', partner_id),
      environment,
      previous_id: previous_id && formatId('checkpoint', previous_id),
      covers_from: chain.reached_at.toISOString(),
      covers_until: range.reached_at.toISOString(),
      created_at: created_at.toISOString(),
      ...range.summary,
    };
    const jws = await toJws(statement, signers[environment]);
    const draft = { type: checkpointType.name, environment, producerId: null };
    await publisher.own({
      partnerId: partner_id,
      drafts: [{ ...draft, data: JSON.stringify({ ...statement, jws }) }],
      only: endpoint_id,
      async before(tx) {
        if (!(await store.extendChain(tx, chain, { ...range, id, jws, created_at }))) throw new ChainMoved();
      },
    });
    if (!range.isCut) return null;
    return { ...chain, position: range.until, reached_at: range.reached_at, previous_id: id };
  }

  async function extendToHorizon(chain: store.DueChain, step: Step): Promise<void> {
    try {
      for (let next: store.DueChain | null = chain; next !== null; next = await extend(next, step))
        if (performance.now() > step.deadline) return;
    } catch (error) {
      if (error instanceof ChainMoved) return;
      onFault(error);
      await store.postpone(db, [chain.endpoint_id], waitSeconds.afterFault);
    }
  }

  /** Returns the chains whose partners have publishers that take longer. */
  async function step(chains: DueChains, patience: number, deadline: number): Promise<DueChains> {
    const partnerIds = [...new Set(chains.map(({ partner_id }) => partner_id))];
    const horizon = await readHorizon(db, partnerIds, patience);
    const { late = [], ready = [] } = Object.groupBy(chains, ({ partner_id }) =>
      horizon.late.has(partner_id) ? 'late' : 'ready',
    );
    await store.postpone(db, idsOf(late), waitSeconds.forPublishers);
    const signers = await keys.signers(db);
    const line = ready.values();
    const work = async () => {
      for (const chain of line) await extendToHorizon(chain, { horizon, signers, deadline });
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return late;
  }

  return async (tx: Transaction): Promise<void> => {
    const deadline = performance.now() + runMs;
    const late: store.DueChain[] = [];
    while (performance.now() < deadline) {
      const due = await store.selectDue(tx, stepSize);
      if (due.length === 0) break;
      const waiting = due.filter(({ waits }) => waits);
      await store.postpone(db, idsOf(waiting), waitSeconds.forDelivery);
      const chains = due.filter(({ waits }) => !waits);
      if (chains.length > 0) late.push(...(await step(chains, patienceMs.step, deadline)));
    }
    // One wait for all of them.
    if (late.length > 0) await step(late.slice(0, stepSize), patienceMs.last, deadline + patienceMs.last);
  };
}

const idsOf = (chains: readonly store.Chain[]) => chains.map(({ endpoint_id }) => endpoint_id);

/** A compact JWS (RFC 7515). The keys sign as ES384 of RFC 7518 does. */
async function toJws(statement: object, { kid, sign }: Signer): Promise<string> {
  // The type tells a checkpoint from anything else that the key signs.
  const signed = `${encode({ alg: 'ES384', kid, typ: 'concord-checkpoint+jws' })}.${encode(statement)}`;
  return `${signed}.${(await sign(Buffer.from(signed))).toString('base64url')}`;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Everything up to the horizon has committed, so the pages are those of one moment, except for the status. */
async function summarize(
  on: Queryable,
  { endpoint_id, position }: store.Chain,
  { position: horizon, now }: Horizon,
): Promise<store.Reached> {
  const tree = createMerkleTree();
  const counts = { count: 0, delivered: 0, pending: 0, failed: 0, cancelled: 0 };
  let last: store.Covered | undefined;
  while (counts.count < mostDeliveries) {
    const after = last?.position ?? position;
    const page = await store.selectCovered(on, endpoint_id, after, horizon, pageSize);
    for (const { event_id, status } of page) {
      tree.add(formatId('event', event_id));
      counts.count++;
      counts[status]++;
    }
    last = page.at(-1) ?? last;
    if (page.length < pageSize) break;
  }
  const summary = { ...counts, root: tree.root() };
  return last && counts.count >= mostDeliveries
    ? { summary, until: last.position, reached_at: last.created_at, isCut: true }
    : { summary, until: horizon, reached_at: now, isCut: false };
}
