// Group commit: one transaction writes the events of many requests, whatever their partners. It waits for no lock.
import type { Access, Granted } from '../../access/index.ts';
import {
  type Answer,
  beginIdempotent,
  type IdempotentRequest,
  keepAnswers,
} from '../../base/idempotency/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { selectVersions } from '../catalogue/store.ts';
import { tryHoldSubscribers } from '../endpoints/store.ts';
import { mayListDeliveries } from '../history/deliveries/deliveries.ts';
import { applyFilters } from './filtering.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';
import { toEvent, type Writing, writeEvents } from './write-events.ts';

/** In a transaction with several requests. */
const maxDeliveries = 5_000;

/** A request that publishes one event. */
export type Single = Readonly<{
  granted: Granted;
  /** Without a producer id, which would have to wait for another request with the same one. */
  draft: Draft;
  /** The version of the schema that the data fits. */
  version: string;
  idempotent: IdempotentRequest;
  traceparent: string | null;
}>;

/** `busy`: something is locked. `full`: the transaction has enough. `alone`: the request may have to wait. */
export type Outcome = { readonly answer: Answer } | { readonly error: unknown } | 'busy' | 'full' | 'alone';

type Kept = ReturnType<typeof toSent> & { answer: Answer };

/** The outcomes are in the order of the group. */
export async function publishGroup(
  tx: Transaction,
  group: readonly Single[],
  { access, ...writing }: Writing & { access: Pick<Access, 'recheckAll'> },
): Promise<Outcome[]> {
  const grants = group.map(({ granted }) => granted);
  const partnerIds = [...new Set(grants.map(({ partnerId }) => partnerId))];
  const [free, { subscribers, busy }, rechecked, begun, versions, drawn] = await Promise.all([
    store.tryLockPublishingShared(tx, partnerIds),
    tryHoldSubscribers(tx, partnerIds),
    access.recheckAll(tx, grants),
    beginIdempotent(tx, group.map(toSent)),
    selectVersions(tx, [...new Set(group.map(({ draft }) => draft.type))]),
    store.drawPositions(tx, group.length),
  ]);
  let deliveries = 0;
  const decided = group.map((single, index) => {
    const { granted, draft, version } = single;
    const again = rechecked[index] ?? 'busy';
    const kept = begun[index] ?? 'new';
    const reached = subscribers.get(granted.partnerId)?.length ?? 0;
    if (again === 'busy' || !free.has(granted.partnerId) || busy.has(granted.partnerId)) return 'busy';
    if ('error' in again) return again;
    if (versions.get(draft.type) !== version || kept === 'expired') return 'alone';
    if (kept !== 'new') return kept;
    if (deliveries > 0 && deliveries + reached > maxDeliveries) return 'full';
    deliveries += reached;
    const event = toEvent(drawn, index, { ...single, partnerId: granted.partnerId });
    return { ...toSent(single), granted: again.granted, event };
  });
  const events = decided.flatMap((each) => (typeof each === 'object' && 'event' in each ? each.event : []));
  await applyFilters(events, subscribers);
  const answers: Kept[] = [];
  const outcomes = decided.map((each): Outcome => {
    if (typeof each === 'string' || !('event' in each)) return each;
    const { event, granted, ...sent } = each;
    const json = store.toEventJson(event, mayListDeliveries(granted));
    const answer = { status: 202, headers: {}, json };
    answers.push({ ...sent, answer });
    return { answer };
  });
  await writeEvents(tx, events, subscribers, drawn, {
    ...writing,
    keepAnswers: () => keepAnswers(tx, answers),
  });
  return outcomes;
}

const toSent = ({ granted, idempotent }: Single) => ({
  request: idempotent,
  principalId: granted.actor.userId,
});
