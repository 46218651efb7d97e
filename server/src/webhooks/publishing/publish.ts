// Publishes the events of one request, or of the service, in a transaction of its own, which may wait for locks (W9).
import { hash } from 'node:crypto';
import type { Granted } from '../../access/index.ts';
import { ServiceError } from '../../base/errors.ts';
import {
  type Answer,
  beginIdempotent,
  type IdempotentRequest,
  keepAnswers,
} from '../../base/idempotency/index.ts';
import type { Transaction } from '../../base/postgres/database.ts';
import { holdSubscribers, type Subscriber } from '../endpoints/store.ts';
import { mayListDeliveries } from '../history/deliveries/deliveries.ts';
import { applyFilters } from './filtering.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';
import { toEvent, type Writing, writeEvents } from './write-events.ts';

export type Publication<Row = unknown> = Readonly<{
  granted: Granted<Row>;
  drafts: readonly Draft[];
  idempotent: IdempotentRequest;
  answer: 'event' | 'list';
  /** The one endpoint that gets the events, whatever types it wants and whatever its filter is. */
  only?: string | undefined;
  /** Runs before events are written, when access was decided and nothing was published before. */
  before?(tx: Transaction, again: Granted<Row>): Promise<void>;
}>;

/** In the name of the service, which needs no access. Leaves out events with a published producer id. */
export type OwnPublication = Readonly<{
  partnerId: string;
  drafts: readonly Draft[];
  only?: string | undefined;
  before?(tx: Transaction): Promise<void>;
}>;

export type Traced = Writing & { traceparent: string | null };

export async function publish(
  tx: Transaction,
  { granted, drafts, idempotent, answer: kind, before, only }: Publication,
  writing: Traced,
): Promise<Answer> {
  const { partnerId } = granted;
  const sent = { request: idempotent, principalId: granted.actor.userId };
  const [, again, [begun], drawn] = await Promise.all([
    store.lockPublishingShared(tx, partnerId),
    granted.recheck(tx),
    beginIdempotent(tx, [sent]),
    store.drawPositions(tx, drafts.length),
  ]);
  if (typeof begun === 'object') {
    if ('error' in begun) throw begun.error;
    return begun.answer;
  }
  await before?.(tx, again);
  const { events, fresh, sameAs, subscribers } = await prepare(
    tx,
    { partnerId, drafts, only },
    drawn,
    writing,
  );
  const showsFiltered = mayListDeliveries(again);
  const published = await resolveRepeated(tx, events, sameAs);
  const shown = published.map((event) => store.toEventJson(event, showsFiltered));
  const json = kind === 'list' ? `[${shown.join(',')}]` : shown.join('');
  const answer = { status: 202, headers: {}, json };
  await writeEvents(tx, fresh, subscribers, drawn, {
    ...writing,
    keepAnswers: () => keepAnswers(tx, [{ ...sent, answer }]),
  });
  return answer;
}

export async function publishOwn(
  tx: Transaction,
  { before, ...own }: OwnPublication,
  writing: Traced,
): Promise<void> {
  const [, drawn] = await Promise.all([
    store.lockPublishingShared(tx, own.partnerId),
    store.drawPositions(tx, own.drafts.length),
  ]);
  await before?.(tx);
  const { fresh, subscribers } = await prepare(tx, own, drawn, writing);
  await writeEvents(tx, fresh, subscribers, drawn, writing);
}

/** `sameAs` maps the new ids of repeated events to those that they have. The others are `fresh`. */
async function prepare(
  tx: Transaction,
  { partnerId, drafts, only }: Omit<OwnPublication, 'before'>,
  drawn: store.Drawn,
  { traceparent }: Traced,
) {
  const events = drafts.map((draft, index) => toEvent(drawn, index, { partnerId, draft, traceparent }));
  // Their claims can wait for another request, so no lane is held yet.
  const sameAs = await findRepeated(tx, drawn.now, partnerId, drafts, events);
  const held = await holdSubscribers(tx, partnerId, only ?? null);
  const takesAll = (each: Subscriber) => ({ ...each, event_types: null, filter: null });
  const subscribers = new Map([[partnerId, only === undefined ? held : held.map(takesAll)]]);
  const fresh = events.filter(({ id }) => !sameAs.has(id));
  await applyFilters(fresh, subscribers);
  return { events, fresh, sameAs, subscribers };
}

/** Events that were published before, or twice in this request: maps their new ids to those they have. */
async function findRepeated(
  tx: Transaction,
  now: Date,
  partnerId: string,
  drafts: readonly Draft[],
  events: readonly store.NewEvent[],
): Promise<Map<string, string>> {
  const wanted = events.flatMap((event, index) => {
    const { id: eventId, environment, producer_id: producerId, type } = event;
    if (producerId === null) return [];
    const contentHash = hash('sha256', JSON.stringify([type, drafts[index]?.data]), 'buffer');
    return [{ environment, producerId, eventId, contentHash }];
  });
  if (wanted.length === 0) return new Map();
  const first = new Map(wanted.toReversed().map((each) => [nameOf(each), each]));
  const claimed = await store.claimProducerIds(tx, partnerId, now, [...first.values()]);
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
