// What can be done with events: publish, and read the feed. An event and all its deliveries are one transaction (behaviour W9, W14).
import { createHash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Granted } from '../agreements/index.ts';
import { ServiceError } from '../errors.ts';
import { toFaults } from '../http/error-responses.ts';
import { type Answer, answerOnce, type Repeatable } from '../http/idempotency.ts';
import { textsOfMember } from '../http/json-body.ts';
import { isStorable } from '../http/schemas.ts';
import { formatId, parseId, uuidAt } from '../ids.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { type Environment, environments } from '../signing-keys/index.ts';
import { wakeLanes } from './deliverer/lane-store.ts';
import type { PublishEvent } from './event-schema.ts';
import * as store from './event-store.ts';
import type { EventTypes } from './event-types.ts';

const maxEventBytes = 256 * 1024;
/** Of more events than this a batch waits for its turn. */
const largeBatch = 20;
/** Of one partner, so many; beyond them it is better to say so. */
const mostWaiting = 20;

type InPartner = Granted<{ partner_id: string }>;
/** What is published: `data` as its text. */
type Draft = { type: string; environment: Environment; producerId: string | null; data: string };
export type Publish = (tx: Transaction, partnerId: string, drafts: readonly Draft[], only?: string) => Promise<store.EventRow[]>;

export type Events = ReturnType<typeof createEvents>;

export function createEvents({ db, eventTypes }: { db: Database; eventTypes: EventTypes }) {
  /** Before any lock is taken: data can be large, and schemas slow. */
  async function readDrafts(body: PublishEvent | readonly PublishEvent[]): Promise<Draft[]> {
    const events = [body].flat();
    const texts = textsOfMember(body, 'data');
    const pointer = (index: number, member: string) => (Array.isArray(body) ? `/${index}/${member}` : `/${member}`);
    const validators = await eventTypes.validators([...new Set(events.map(({ type }) => type))]);
    return events.map(({ type, data, environment = 'live', producer_id: producerId = null }, index) => {
      const validate = validators.get(type);
      if (!validate) throw invalid(pointer(index, 'type'), 'is not an event type; GET /event-types lists them');
      if (!validate(data)) {
        throw new ServiceError('invalid_request', { faults: toFaults(validate.errors, pointer(index, 'data')) });
      }
      if (!isStorable(data)) throw invalid(pointer(index, 'data'), 'has a NUL or half of a surrogate pair in a text');
      const text = texts[index] ?? '';
      if (Buffer.byteLength(text) > maxEventBytes)
        throw new ServiceError('body_too_large', { detail: `Event ${index} has more than 256 KiB.` });
      return { type, environment, producerId, data: text };
    });
  }

  /** One that is large holds a connection for seconds: few at once, and of a partner one after the other. */
  const small = pLimit(6);
  const large = pLimit(2);
  const ofPartner = new Map<string, LimitFunction>();
  async function inTurn<T>(partnerId: string, count: number, work: () => Promise<T>): Promise<T> {
    if (count <= largeBatch) return small(work);
    const turns = ofPartner.get(partnerId) ?? pLimit(1);
    // Each that waits is held in memory.
    if (turns.pendingCount >= mostWaiting) throw new ServiceError('rate_limited', { headers: { 'retry-after': '5' } });
    ofPartner.set(partnerId, turns);
    try {
      return await turns(() => large(work));
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) ofPartner.delete(partnerId);
    }
  }

  const publishAll = async (
    granted: InPartner,
    body: PublishEvent | readonly PublishEvent[],
    repeatable: Repeatable,
    write: (texts: string[]) => string,
  ): Promise<Answer> => {
    const drafts = await readDrafts(body);
    const { partner_id: partnerId } = granted.row;
    return inTurn(partnerId, drafts.length, () =>
      db.transaction(async (tx) => {
        await store.beginPublishing(tx, partnerId);
        const { actor } = await granted.again(tx);
        return answerOnce(tx, repeatable, actor.userId, async () => {
          const events = await publish(tx, partnerId, drafts);
          return { status: 202, headers: {}, body: { text: write(events.map(store.toEventText)) } };
        });
      }),
    );
  };

  return {
    publish: (granted: InPartner, body: PublishEvent, repeatable: Repeatable): Promise<Answer> =>
      publishAll(granted, body, repeatable, ([text = '']) => text),

    publishBatch: (granted: InPartner, bodies: readonly PublishEvent[], repeatable: Repeatable): Promise<Answer> =>
      publishAll(granted, bodies, repeatable, (texts) => `[${texts.join(',')}]`),

    /** `environment` undefined: of both. */
    feed: ({ row }: InPartner, environment: string | undefined) => ({
      mayBeShort: true,
      async page({ direction }: { direction: 'asc' | 'desc' }, after: { id: string } | null, limit: number) {
        const of = environments.filter((each) => environment === undefined || each === environment);
        const rows = await store.selectFeed(db, row.partner_id, of, {
          after: after && parseId('event', after.id),
          descending: direction === 'desc',
          limit,
        });
        return rows.map((event) => ({ id: formatId('event', event.id), text: store.toEventText(event) }));
      },
    }),
  };
}

/**
 * Writes events and their deliveries, and wakes the lanes. `only`: to this endpoint alone. After beginPublishing, and
 * when whoever publishes has been let in.
 */
export const publish: Publish = async (tx, partnerId, drafts, only) => {
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
  const fresh = events.filter(({ id }) => !sameAs.has(id));
  await store.insertEvents(tx, partnerId, fresh);
  const subscribers = (await store.holdSubscribers(tx, partnerId)).filter(({ id }) => only === undefined || id === only);
  const deliveries = fresh.flatMap((event) =>
    subscribers
      .filter(
        ({ environment, event_types }) =>
          environment === event.environment && (only !== undefined || (event_types?.includes(event.type) ?? true)),
      )
      .map(({ id: endpointId }) => ({ id: uuidAt(now.getTime()), endpointId, event })),
  );
  await store.insertDeliveries(tx, partnerId, deliveries);
  await wakeLanes(tx, [...new Set(deliveries.map(({ endpointId }) => endpointId))]);
  return resolve(tx, events, sameAs);
};

/** Those that were published before, or twice here: the id that was drawn for each, and the id that it has already. */
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
  const key = ({ environment, producerId }: Pick<store.Known, 'environment' | 'producerId'>) => `${environment} ${producerId}`;
  const first = new Map(wanted.toReversed().map((each) => [key(each), each]));
  const known = new Map((await store.takeProducerIds(tx, partnerId, now, [...first.values()])).map((each) => [key(each), each]));
  const repeated = new Map<string, string>();
  for (const each of wanted) {
    const taken = known.get(key(each));
    if (!taken?.contentHash.equals(each.contentHash)) {
      throw new ServiceError('producer_id_reused', {
        detail: `The producer_id ${JSON.stringify(each.producerId)} belongs to an event with other content.`,
      });
    }
    if (taken.eventId !== each.eventId) repeated.set(each.eventId, taken.eventId);
  }
  return repeated;
}

/** The events in the order in which they were given: those that were there before as they are. */
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

const invalid = (pointer: string, message: string) =>
  new ServiceError('invalid_request', { faults: [{ pointer: pointer.slice(0, 200), code: 'invalid_value', message }] });
