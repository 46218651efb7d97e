// Writes events with all their deliveries, in the transaction that publishes them (W9, W14).
import { uuidAt } from '../../base/ids.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { checkpointType } from '../catalogue/checkpoint-type.ts';
import type { Subscriber } from '../endpoints/store.ts';
import { environments } from '../environments.ts';
import { insertDeliveries, type Proof } from '../history/deliveries/store.ts';
import type { Due, Wake } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { insertFiltered } from '../statistics/index.ts';
import { countFiltered, wants } from './filtering.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';

/** Written by one statement: what is computed for it must not block other requests. */
const sliceEvents = 100;
const sliceBytes = 512 * 1024;
/** Lanes have no capacity for most of more deliveries. */
const maxHandedOver = 1_000;

export type Writing = { wake: Wake; observer: Pick<WebhookObserver, 'published'> };

/** `index`: which of the drawn positions it gets. */
export function toEvent(
  { now, positions }: store.Drawn,
  index: number,
  { partnerId, draft, traceparent }: { partnerId: string; draft: Draft; traceparent: string | null },
): store.NewEvent {
  const position = positions[index];
  if (position === undefined) throw new Error('A position is missing');
  const { type, environment, producerId, data } = draft;
  const id = uuidAt(now.getTime());
  const event = { id, type, environment, producer_id: producerId, created_at: now };
  const body = store.toBody(partnerId, event, data);
  return { ...event, partner_id: partnerId, position, traceparent, filtered_for: null, body };
}

/** `subscribers`: by partner. `keepAnswers` is written with the last events, and the commit is sent with them. */
export async function writeEvents(
  tx: Transaction,
  events: readonly store.NewEvent[],
  subscribers: ReadonlyMap<string, readonly Subscriber[]>,
  drawn: store.Drawn,
  { wake, observer, keepAnswers }: Writing & { keepAnswers?: () => Promise<void> },
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
    return Promise.all([keepAnswers?.(), insertFiltered(tx, countFiltered(events)), ...writing, waking]);
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
