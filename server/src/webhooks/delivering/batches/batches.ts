// Forms the batches that are sent next, and finds those that are repeated (behaviour W70).
import { timeOf, uuidAt } from '../../../base/ids.ts';
import type { Transaction } from '../../../base/postgres/database.ts';
import type { DueDelivery, DueRequest } from '../store.ts';
import { choose } from './choose.ts';
import * as store from './store.ts';

/** `first`: one of the pending deliveries, with the terms of its endpoint. */
type BatchingLane = Readonly<{ epoch: string; share: number; first: DueDelivery }>;
/** `waitMs`: until a batch that is not full is due. */
export type Formed = Readonly<{ requests: readonly DueRequest[]; waitMs: number }>;

/** By endpoint. Send them after the commit. `busy`: the batches in flight. */
export async function formBatches(
  tx: Transaction,
  lanes: readonly BatchingLane[],
  busy: readonly string[],
): Promise<Map<string, Formed>> {
  const asked = lanes.map(({ epoch, share, first }) => ({
    first,
    endpointId: first.endpoint_id,
    epoch,
    ordering: first.ordering,
    maxEvents: first.batch?.max_events ?? 1,
    share: first.ordering === 'strict' ? 1 : share,
  }));
  const candidates = Map.groupBy(
    await store.selectCandidates(tx, asked, busy),
    ({ endpoint_id }) => endpoint_id,
  );
  const inFlight = new Set(busy);
  const chosen = asked.map((lane) => {
    const all = candidates.get(lane.endpointId) ?? [];
    // A strict lane can have been lost, and claimed again, during a request.
    const isInFlight =
      lane.ordering === 'strict' &&
      all.some(({ id, batch_id }) => inFlight.has(id) || inFlight.has(batch_id ?? ''));
    const { formed, ...choice } = choose(isInFlight ? [] : all, lane);
    return { terms: lane.first, ...choice, formed: formed.map(toBatch) };
  });
  const repeated = await repeat(
    tx,
    chosen.flatMap(({ resent }) => resent),
  );
  const inserted = await insert(
    tx,
    chosen.flatMap(({ formed }) => formed),
  );
  return new Map(
    chosen.map(({ terms, resent, formed, waitMs }) => {
      const whole = resent.flatMap((id) => repeated.get(id) ?? []);
      const fresh = formed.flatMap(({ id }) => inserted.get(id) ?? []);
      const requests = [...whole, ...fresh].map((batch) => toRequest(terms, batch));
      // What is left of a dissolved batch is looked for at once.
      return [terms.endpoint_id, { requests, waitMs: whole.length < resent.length ? 0 : waitMs }];
    }),
  );
}

type Member = Pick<
  DueDelivery,
  'id' | 'event_id' | 'attempt_count' | 'round_attempts' | 'body' | 'traceparent'
>;
type Batch = Readonly<{ id: string; members: readonly Member[] }>;

/**
 * A batch repeats whole. One with a delivery that has completed otherwise, or that was sent alone meanwhile, is
 * dissolved.
 */
async function repeat(tx: Transaction, batchIds: readonly string[]): Promise<Map<string, Batch>> {
  if (batchIds.length === 0) return new Map();
  const byBatch = Map.groupBy(await store.selectMembers(tx, batchIds), ({ batch_id }) => batch_id);
  const whole = [...byBatch].flatMap(([id, all]) => {
    const members = all.flatMap(({ id, ...member }) => (id === null ? [] : [{ ...member, id }]));
    const attempts = new Set(members.map(({ attempt_count }) => attempt_count));
    return members.length === all.length && attempts.size === 1 ? [[id, { id, members }] as const] : [];
  });
  const kept = new Map(whole);
  const broken = batchIds.filter((batchId) => !kept.has(batchId));
  if (broken.length > 0) await store.dissolveBatches(tx, broken);
  return kept;
}

/** Not in an earlier week than its deliveries, so that it is not dropped before them. */
const toBatch = (members: readonly (Member & Pick<DueDelivery, 'now'>)[]): Batch => ({
  id: uuidAt(Math.max(...members.map(({ id, now }) => Math.max(timeOf(id), now.getTime())))),
  members,
});

/** Leaves out deliveries that have completed meanwhile, and batches that have none left. */
async function insert(tx: Transaction, batches: readonly Batch[]): Promise<Map<string, Batch>> {
  const rows = batches.flatMap(({ id: batchId, members }) =>
    members.map(({ id }, number) => ({ id, batchId, number })),
  );
  if (rows.length === 0) return new Map();
  const left = new Map(
    (await store.insertBatches(tx, rows)).map(({ id, delivery_ids }) => [id, delivery_ids]),
  );
  return new Map(
    batches.flatMap(({ id, members }) => {
      const kept = new Set(left.get(id));
      return kept.size === 0 ? [] : [[id, { id, members: members.filter((each) => kept.has(each.id)) }]];
    }),
  );
}

function toRequest(terms: DueDelivery, { id: batchId, members }: Batch): DueRequest {
  const [first] = members;
  if (!first) throw new Error('A batch has no delivery');
  return { ...terms, ...first, batch_id: batchId, deliveries: members };
}
