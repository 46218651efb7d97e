// Publishing: one transaction writes the events of one or more requests with all their deliveries (W9, W14).
import { hash } from 'node:crypto';
import type { Access, Granted } from '../../access/index.ts';
import { ServiceError } from '../../base/errors.ts';
import {
  type Answer,
  beginIdempotent,
  type IdempotentRequest,
  keepAnswers,
} from '../../base/idempotency/index.ts';
import { uuidAt } from '../../base/ids.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { columnOf } from '../../base/postgres/sql/rows.ts';
import { checkpointType } from '../catalogue/checkpoint-type.ts';
import { selectVersions } from '../catalogue/store.ts';
import { holdSubscribers, type Subscriber, tryHoldSubscribers } from '../endpoints/store.ts';
import { mayListDeliveries } from '../history/deliveries/deliveries.ts';
import { insertDeliveries, type Proof } from '../history/deliveries/store.ts';
import type { Due, Wake } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { environments } from '../signing-keys/index.ts';
import { insertFiltered } from '../statistics/index.ts';
import { applyFilters, countFiltered, wants } from './filtering.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';

/** Written by one statement: what is computed for it must not block other requests. */
const sliceEvents = 100;
const sliceBytes = 512 * 1024;
/** Lanes have no capacity for most of more deliveries. */
const maxHandedOver = 1_000;
/** In a transaction with several requests. */
const maxDeliveries = 5_000;

export type Publication<Row = unknown> = Readonly<{
  granted: Granted<Row>;
  drafts: readonly Draft[];
  idempotent: IdempotentRequest;
  /** The version of the schema that the data of an event fits. Only for a group. */
  version?: string;
  /** The one endpoint that gets the events, whatever types it wants and whatever its filter is. */
  only?: string;
  /** Runs before events are written, when access was decided and nothing was published before. */
  before?(tx: Transaction, again: Granted<Row>): Promise<void>;
  /** `none`: nobody reads the answer. */
  answer: 'event' | 'list' | 'none';
}>;

export type Traced = Publication & { readonly traceparent: string | null };

/** `busy`: something is locked. `full`: the transaction has enough. `alone`: the request may have to wait. */
export type Outcome = { readonly answer: Answer } | { readonly error: unknown } | 'busy' | 'full' | 'alone';

export type Terms = {
  access: Pick<Access, 'recheckAll'>;
  observer: Pick<WebhookObserver, 'published'>;
  wake: Wake;
  /** The group has one request, which may wait for locks. Otherwise nothing waits. */
  mayWait: boolean;
};

/** The outcomes are in the order of the group. */
export async function publish(
  tx: Transaction,
  group: readonly Traced[],
  terms: Terms,
): Promise<readonly Outcome[]> {
  const begun = await begin(tx, group, terms);
  const accepted = group.filter((_, index) => begun.outcomes[index] === null);
  const answers = accepted.length === 0 ? [] : await write(tx, accepted, begun, terms);
  const written = answers.values();
  return begun.outcomes.map((outcome) => outcome ?? { answer: written.next().value ?? missing() });
}

/** An outcome is null if the request is accepted. `subscribers` null: they are not held yet. */
type Begun = Readonly<{
  outcomes: readonly (Outcome | null)[];
  /** Those of the accepted requests. */
  grants: readonly Granted[];
  drawn: store.Drawn;
  subscribers: ReadonlyMap<string, readonly Subscriber[]> | null;
}>;

async function begin(tx: Transaction, group: readonly Traced[], terms: Terms): Promise<Begun> {
  const { mayWait } = terms;
  const grants = group.map(({ granted }) => granted);
  const partnerIds = [...new Set(grants.map(({ partnerId }) => partnerId))];
  const count = group.reduce((sum, { drafts }) => sum + drafts.length, 0);
  const [free, held, rechecked, repeated, versions, drawn] = await Promise.all([
    store.lockPublishingShared(tx, partnerIds, mayWait),
    mayWait ? null : tryHoldSubscribers(tx, partnerIds),
    mayWait
      ? Promise.all(grants.map(async (each) => ({ granted: await each.recheck(tx) })))
      : terms.access.recheckAll(tx, grants),
    beginIdempotent(tx, group.map(toSent)),
    mayWait
      ? null
      : selectVersions(tx, [...new Set(group.flatMap(({ drafts }) => columnOf(drafts)('type')))]),
    store.drawPositions(tx, count),
  ]);
  const outcomes: (Outcome | null)[] = [];
  const again: Granted[] = [];
  let deliveries = 0;
  for (const [index, { granted, drafts, version, before }] of group.entries()) {
    const { partnerId } = granted;
    const decided = rechecked[index] ?? 'busy';
    const kept = repeated[index] ?? 'new';
    const reached = drafts.length * (held?.subscribers.get(partnerId)?.length ?? 0);
    const isOld = versions !== null && drafts.some(({ type }) => versions.get(type) !== version);
    if (decided === 'busy' || !free.has(partnerId) || held?.busy.has(partnerId)) outcomes.push('busy');
    else if ('error' in decided) outcomes.push(decided);
    else if (isOld || (kept === 'expired' && !mayWait)) outcomes.push('alone');
    else if (typeof kept === 'object') outcomes.push(kept);
    else if (deliveries > 0 && deliveries + reached > maxDeliveries) outcomes.push('full');
    else {
      await before?.(tx, decided.granted);
      deliveries += reached;
      again.push(decided.granted);
      outcomes.push(null);
    }
  }
  return { outcomes, grants: again, drawn, subscribers: held?.subscribers ?? null };
}

const toSent = ({ granted, idempotent }: Traced) => ({
  request: idempotent,
  principalId: granted.actor.userId,
});

function missing(): never {
  throw new Error('A written event is missing');
}

async function write(
  tx: Transaction,
  accepted: readonly Traced[],
  { grants, drawn, subscribers: held }: Begun,
  terms: Terms,
): Promise<Answer[]> {
  const events = toEvents(drawn, accepted);
  // Their claims can wait for another request, so no lane is held yet.
  const sameAs = await findRepeated(tx, drawn.now, accepted, events);
  const subscribers = held ?? (await holdSubscribersOf(tx, accepted));
  const fresh = events.filter(({ id }) => !sameAs.has(id));
  await applyFilters(fresh, subscribers);
  const published = (await resolveRepeated(tx, events, sameAs)).values();
  const answers = accepted.map(({ drafts, answer }, index): Answer => {
    const showsFiltered = answer !== 'none' && mayListDeliveries(grants[index] ?? missing());
    const shown = drafts.map(() => store.toEventJson(published.next().value ?? missing(), showsFiltered));
    return { status: 202, headers: {}, json: answer === 'list' ? `[${shown.join(',')}]` : shown.join('') };
  });
  const kept = accepted.map((each, index) => ({ ...toSent(each), answer: answers[index] ?? missing() }));
  await writeEvents(tx, fresh, subscribers, drawn, { ...terms, keepAnswers: () => keepAnswers(tx, kept) });
  return answers;
}

function toEvents({ now, positions }: store.Drawn, accepted: readonly Traced[]): store.NewEvent[] {
  const position = positions.values();
  return accepted.flatMap(({ granted: { partnerId }, drafts, traceparent }) =>
    drafts.map(({ type, environment, producerId, data }) => {
      const event = {
        id: uuidAt(now.getTime()),
        type,
        environment,
        producer_id: producerId,
        position: position.next().value ?? missing(),
        created_at: now,
        filtered_for: null,
      };
      return { ...event, partner_id: partnerId, traceparent, body: store.toBody(partnerId, event, data) };
    }),
  );
}

async function holdSubscribersOf(
  tx: Transaction,
  accepted: readonly Traced[],
): Promise<ReadonlyMap<string, readonly Subscriber[]>> {
  const held = accepted.map(async ({ granted: { partnerId }, only }) => {
    const held = await holdSubscribers(tx, partnerId, only ?? null);
    const takesAll = (each: Subscriber) => ({ ...each, event_types: null, filter: null });
    return [partnerId, only === undefined ? held : held.map(takesAll)] as const;
  });
  return new Map(await Promise.all(held));
}

/** `keepAnswers` is written with the last events, and the commit is sent with them. */
async function writeEvents(
  tx: Transaction,
  events: readonly store.NewEvent[],
  subscribers: ReadonlyMap<string, readonly Subscriber[]>,
  drawn: store.Drawn,
  { wake, observer, keepAnswers }: Terms & { keepAnswers: () => Promise<void> },
): Promise<void> {
  const reached = new Set<string>();
  const deliveriesIn = { live: 0, sandbox: 0 };
  const due: Due[] = [];
  const insert = async (slice: readonly store.NewEvent[]) => {
    const deliveries = slice.flatMap((event) =>
      (subscribers.get(event.partner_id) ?? [])
        .filter((endpoint) => wants(endpoint, event) && !event.filtered_for?.includes(endpoint.id))
        .map((endpoint) => {
          const delivery = { id: uuidAt(drawn.now.getTime()), event_id: event.id, endpoint_id: endpoint.id };
          const wait = endpoint.batch?.max_wait_seconds ?? 0;
          return { ...delivery, proof: proofOf(endpoint, event), wait, event, endpoint };
        }),
    );
    for (const { id, event, endpoint } of deliveries) {
      reached.add(endpoint.id);
      deliveriesIn[event.environment]++;
      if (due.length <= maxHandedOver) due.push({ id, event, endpoint });
    }
    await Promise.all([store.insertEvents(tx, slice), insertDeliveries(tx, slice, deliveries)]);
  };
  const slices = sliced(events, (event) => event.body.length, { items: sliceEvents, bytes: sliceBytes });
  for (const slice of slices.slice(0, -1)) await insert(slice);
  tx.afterCommit(() => {
    for (const environment of environments) {
      const count = events.filter((event) => event.environment === environment).length;
      if (count > 0) observer.published(environment, count, deliveriesIn[environment]);
    }
  });
  await tx.finish(() => {
    const writing = slices.slice(-1).map(insert);
    const handedOver = due.length > maxHandedOver ? [] : due;
    const waking = wake(tx, { endpointIds: [...reached], due: handedOver, clock: drawn });
    return Promise.all([keepAnswers(), insertFiltered(tx, countFiltered(events)), ...writing, waking]);
  });
}

const proofOf = ({ covered }: Subscriber, { type }: store.NewEvent): Proof =>
  covered ? (type === checkpointType.name ? 'checkpoint' : 'covered') : null;

/** Slices with at most so many items and bytes each, unless one item has more. */
export function sliced<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  most: Readonly<{ items: number; bytes: number }>,
): Item[][] {
  const slices: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const last = slices.at(-1);
    bytes += bytesOf(item);
    if (last && last.length < most.items && bytes <= most.bytes) {
      last.push(item);
      continue;
    }
    slices.push([item]);
    bytes = bytesOf(item);
  }
  return slices;
}

/** Events that were published before, or twice in this request: maps their new ids to those they have. */
async function findRepeated(
  tx: Transaction,
  now: Date,
  accepted: readonly Traced[],
  events: readonly store.NewEvent[],
): Promise<Map<string, string>> {
  const drafts = accepted.flatMap((each) => each.drafts);
  const wanted = events.flatMap((event, index) => {
    const { id: eventId, partner_id: partnerId, environment, producer_id: producerId, type } = event;
    if (producerId === null) return [];
    const contentHash = hash('sha256', JSON.stringify([type, drafts[index]?.data]), 'buffer');
    return [{ partnerId, environment, producerId, eventId, contentHash }];
  });
  const [one] = wanted;
  if (!one) return new Map();
  const first = new Map(wanted.toReversed().map((each) => [nameOf(each), each]));
  const claimed = await store.claimProducerIds(tx, one.partnerId, now, [...first.values()]);
  const owners = new Map(claimed.map((each) => [nameOf(each), each]));
  const repeated = new Map<string, string>();
  for (const each of wanted) {
    const owner = owners.get(nameOf(each));
    if (!owner?.contentHash.equals(each.contentHash)) {
      throw new ServiceError('producer_id_reused', {
        detail: `The producer_id ${JSON.stringify(each.producerId)} belongs to an event with other content.`,
      });
    }
    if (owner.eventId !== each.eventId) repeated.set(each.eventId, owner.eventId);
  }
  return repeated;
}

const nameOf = ({ environment, producerId }: Pick<store.ProducerId, 'environment' | 'producerId'>) =>
  `${environment} ${producerId}`;

async function resolveRepeated(
  tx: Transaction,
  events: readonly store.EventRow[],
  sameAs: ReadonlyMap<string, string>,
): Promise<store.EventRow[]> {
  if (sameAs.size === 0) return [...events];
  const before = await store.selectEvents(tx, [...new Set(sameAs.values())]);
  const byId = new Map([...events, ...before].map((event) => [event.id, event]));
  return events.map(({ id }) => {
    const event = byId.get(sameAs.get(id) ?? id);
    if (!event) throw new Error('A producer_id is kept longer than its event');
    return event;
  });
}
