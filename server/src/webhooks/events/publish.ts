// Publishing: one transaction writes events and all their deliveries (behaviour W9, W14).
import { createHash } from 'node:crypto';
import { ServiceError } from '../../errors.ts';
import { uuidAt } from '../../ids.ts';
import type { Transaction } from '../../postgres/database.ts';
import { insertDeliveries } from '../deliveries/store.ts';
import { holdSubscribers } from '../endpoints/store.ts';
import { wakeLanes } from '../lanes/store.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';

/** Written by one statement: what is computed for it must not block other requests. */
const sliceEvents = 100;
const sliceBytes = 512 * 1024;

/**
 * Writes events with all their deliveries, and wakes the lanes. `only` is the one endpoint that gets them, whatever types it wants.
 * Call it with the publish lock, after access was decided.
 */
export async function publish(
  tx: Transaction,
  partnerId: string,
  drafts: readonly Draft[],
  only?: string,
): Promise<store.EventRow[]> {
  const { now, positions } = await store.drawPositions(tx, drafts.length);
  const events = drafts.map(({ type, environment, producerId, data }, index): store.EventRow => {
    const event = {
      id: uuidAt(now.getTime()),
      type,
      environment,
      producer_id: producerId,
      position: positions[index] ?? '',
      created_at: now,
    };
    return { ...event, body: store.toBody(partnerId, event, data) };
  });
  const sameAs = await findRepeated(tx, partnerId, now, drafts, events);
  const slices = sliced(events.filter(({ id }) => !sameAs.has(id)));
  for (const slice of slices) await store.insertEvents(tx, partnerId, slice);
  const subscribers = (await holdSubscribers(tx, partnerId)).filter(({ id }) => only === undefined || id === only);
  const reached = new Set<string>();
  for (const slice of slices) {
    const deliveries = slice.flatMap((event) =>
      subscribers
        .filter(
          ({ environment, event_types }) =>
            environment === event.environment && (only !== undefined || (event_types?.includes(event.type) ?? true)),
        )
        .map(({ id: endpointId }) => ({ id: uuidAt(now.getTime()), endpointId, event })),
    );
    await insertDeliveries(tx, partnerId, deliveries);
    for (const { endpointId } of deliveries) reached.add(endpointId);
  }
  await wakeLanes(tx, [...reached]);
  return resolve(tx, events, sameAs);
}

function sliced(events: readonly store.EventRow[]): store.EventRow[][] {
  const slices: store.EventRow[][] = [];
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

/** Events that were published before, or twice in this call. Maps the new id of each to the id that it already has. */
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
    (await store.claimProducerIds(tx, partnerId, now, [...first.values()])).map((each) => [keyOf(each), each]),
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
