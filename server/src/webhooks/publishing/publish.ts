// Publishing: one transaction writes events and all their deliveries (behaviour W9, W14).
import { createHash } from 'node:crypto';
import { ServiceError } from '../../base/errors.ts';
import { uuidAt } from '../../base/ids.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { holdSubscribers, type Subscriber } from '../endpoints/store.ts';
import { insertDeliveries } from '../history/deliveries/store.ts';
import type { Clock, Due, MakeOffer } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { wakeLanes } from '../lanes/store.ts';
import { environments } from '../signing-keys/index.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';

/** Written by one statement: what is computed for it must not block other requests. */
const sliceEvents = 100;
const sliceBytes = 512 * 1024;
/** Of more deliveries, lanes have no room for most, and the deliverer reads them in larger groups. */
const maxHandedOver = 1_000;

/** What a transaction that publishes has drawn under the publish lock. */
type Drawn = Clock & { positions: readonly string[] };

/** The events of these drafts, each with the body that receivers will get. */
export function toEvents(
  { now, positions }: Omit<Drawn, 'readAt'>,
  drafts: readonly { partnerId: string; draft: Draft; traceparent: string | null }[],
): store.NewEvent[] {
  return drafts.map(({ partnerId, traceparent, draft: { type, environment, producerId, data } }, index) => {
    const id = uuidAt(now.getTime());
    const event = {
      id,
      type,
      environment,
      producer_id: producerId,
      position: positions[index] ?? '',
      created_at: now,
    };
    return { ...event, partner_id: partnerId, traceparent, body: store.toBody(partnerId, event, data) };
  });
}

/**
 * Writes events with all their deliveries, and wakes the lanes. `only` is the one endpoint that gets them,
 * whatever types it wants.
 * Call it with the publish lock, after access was decided.
 */
export async function publish(
  tx: Transaction,
  { partnerId, drafts, only, traceparent, ...more }: Published,
): Promise<store.EventRow[]> {
  const drawn = await store.drawPositions(tx, drafts.length);
  const { now } = drawn;
  const events = toEvents(
    drawn,
    drafts.map((draft) => ({ partnerId, draft, traceparent })),
  );
  const sameAs = await findRepeated(tx, partnerId, now, drafts, events);
  const fresh = events.filter(({ id }) => !sameAs.has(id));
  const subscribers = (await holdSubscribers(tx, partnerId)).filter(
    ({ id }) => only === undefined || id === only,
  );
  const wanted =
    only === undefined ? subscribers : subscribers.map((each) => ({ ...each, event_types: null }));
  await write(tx, { drawn, events: fresh, subscribersOf: () => wanted, ...more });
  return resolve(tx, events, sameAs);
}

export type Published = Pick<Written, 'makeOffer' | 'observer'> & {
  partnerId: string;
  drafts: readonly Draft[];
  traceparent: string | null;
  only?: string;
};

type Written = {
  drawn: Drawn;
  events: readonly store.NewEvent[];
  subscribersOf: (partnerId: string) => readonly Subscriber[];
  makeOffer: MakeOffer;
  observer: Pick<WebhookObserver, 'published'>;
};

/**
 * Inserts events and their deliveries, and wakes or claims their lanes. What is claimed is sent from memory
 * after the commit.
 */
export async function write(
  tx: Transaction,
  { drawn, events, subscribersOf, makeOffer, observer }: Written,
): Promise<void> {
  const { now } = drawn;
  const reached = new Set<string>();
  const deliveriesIn = { live: 0, sandbox: 0 };
  const due: Due[] = [];
  let writing: Promise<unknown> = Promise.resolve();
  for (const slice of sliced(events)) {
    await writing;
    const deliveries = slice.flatMap((event, index) =>
      subscribersOf(event.partner_id)
        .filter(
          ({ environment, event_types }) =>
            environment === event.environment && (event_types?.includes(event.type) ?? true),
        )
        .map((endpoint) => ({
          id: uuidAt(now.getTime()),
          endpointId: endpoint.id,
          number: index,
          due: { event, endpoint },
        })),
    );
    writing = Promise.all([store.insertEvents(tx, slice), insertDeliveries(tx, slice, deliveries)]);
    for (const { id, endpointId, due: each } of deliveries) {
      reached.add(endpointId);
      deliveriesIn[each.event.environment]++;
      if (due.length <= maxHandedOver) due.push({ id, ...each });
    }
  }
  tx.afterCommit(() => {
    for (const environment of environments) {
      const count = events.filter((event) => event.environment === environment).length;
      if (count > 0) observer.published(environment, count, deliveriesIn[environment]);
    }
  });
  const offer = due.length > maxHandedOver ? null : makeOffer(due);
  // Publishing does not depend on signing. Without a key, the deliverer reads what is due when there is one.
  const signing = offer?.signers(tx).catch(() => null);
  const [taken, signers = null] = await Promise.all([
    wakeLanes(tx, [...reached], offer?.claim),
    signing,
    writing,
  ]);
  if (offer) tx.afterCommit(() => offer.take({ taken, signers, clock: drawn }));
}

function sliced(events: readonly store.NewEvent[]): store.NewEvent[][] {
  const slices: store.NewEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const last = slices.at(-1);
    bytes += event.body.length;
    if (last && last.length < sliceEvents && bytes <= sliceBytes) {
      last.push(event);
      continue;
    }
    slices.push([event]);
    bytes = event.body.length;
  }
  return slices;
}

/**
 * Events that were published before, or twice in this call. Maps the new id of each to the id that it already
 * has.
 */
async function findRepeated(
  tx: Transaction,
  partnerId: string,
  now: Date,
  drafts: readonly Draft[],
  events: readonly store.EventRow[],
): Promise<Map<string, string>> {
  const wanted = events.flatMap(({ id, environment, producer_id: producerId, type }, index) => {
    if (producerId === null) return [];
    const contentHash = createHash('sha256')
      .update(JSON.stringify([type, drafts[index]?.data]))
      .digest();
    return [{ index, environment, producerId, eventId: id, contentHash }];
  });
  if (wanted.length === 0) return new Map();
  const keyOf = ({ environment, producerId }: Pick<store.ProducerId, 'environment' | 'producerId'>) =>
    `${environment} ${producerId}`;
  const first = new Map(wanted.toReversed().map((each) => [keyOf(each), each]));
  const known = new Map(
    (await store.claimProducerIds(tx, partnerId, now, [...first.values()])).map((each) => [
      keyOf(each),
      each,
    ]),
  );
  const repeated = new Map<string, string>();
  for (const each of wanted) {
    const taken = known.get(keyOf(each));
    if (!taken?.contentHash.equals(each.contentHash)) {
      throw new ServiceError('producer_id_reused', {
        detail: `The producer_id ${JSON.stringify(each.producerId)} belongs to an event with other content.`,
      });
    }
    if (taken.eventId !== each.eventId) repeated.set(each.eventId, taken.eventId);
  }
  return repeated;
}

/** The events in the given order. Repeated events are read as they were first published. */
async function resolve(
  tx: Transaction,
  events: readonly store.EventRow[],
  sameAs: ReadonlyMap<string, string>,
): Promise<store.EventRow[]> {
  const before = sameAs.size === 0 ? [] : await store.selectEvents(tx, [...new Set(sameAs.values())]);
  const byId = new Map([...events, ...before].map((event) => [event.id, event]));
  return events.map(({ id }) => {
    const event = byId.get(sameAs.get(id) ?? id);
    if (!event) throw new Error('A producer_id is kept longer than its event');
    return event;
  });
}
