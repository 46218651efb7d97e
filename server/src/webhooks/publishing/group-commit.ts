// Group commit: events that arrive while a transaction is under way are written together by the next one,
// whatever their partners.
import type { Access, Granted } from '../../access/index.ts';
import {
  type Answer,
  beginIdempotent,
  type IdempotentRequest,
  keepAnswers,
} from '../../base/idempotency/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import type { Span, Tracing } from '../../base/tracing/index.ts';
import { selectVersions } from '../catalogue/store.ts';
import { tryHoldSubscribers } from '../endpoints/store.ts';
import type { HandOver, MakeOffer } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { toEvents, write } from './publish.ts';
import type { Draft } from './read-drafts.ts';
import * as store from './store.ts';

/** The bounds of one transaction. An event beyond them waits for the next one. */
const maxEvents = 64;
const maxBytes = 512 * 1024;
const maxDeliveries = 5_000;
/**
 * In how many groups an event finds something locked before it is written alone. Most locks last a few
 * milliseconds.
 */
const maxTries = 3;

/** An event to publish. Its data fits this version of the schema of its type. */
export type Single = {
  readonly granted: Granted;
  readonly draft: Draft;
  readonly version: string;
  readonly idempotent: IdempotentRequest;
};

/**
 * `alone`: it needs a transaction of its own, since something is locked, or the schema of its type is another
 * one by now.
 */
type Outcome = { readonly answer: Answer } | { readonly error: unknown } | 'alone' | 'next';

type Member = Single & {
  readonly since: number;
  readonly span: Span;
  tries: number;
  resolve(answer: Answer | 'alone'): void;
  reject(error: unknown): void;
};

type Options = {
  db: Database;
  access: Pick<Access, 'recheckAll'>;
  handOver: HandOver;
  observer: Pick<WebhookObserver, 'published'>;
  tracing: Tracing;
};

export function createGroupCommit({ db, access, handOver, observer, tracing }: Options) {
  let waiting: Member[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      waiting = waiting.filter(isInTime);
      const group = takeGroup(waiting);
      waiting = waiting.slice(group.length);
      if (!isFilled(group)) break;
      // The statements of a group are in the trace of its first event.
      const [{ span }] = group;
      const outcomes = await span
        .run(() =>
          handOver.publishing((makeOffer) =>
            db.transaction((tx) => writeGroup(tx, group, makeOffer), { lookUps: true }),
          ),
        )
        .catch((error: unknown) => failed(group, error));
      const next = group.filter((member, index) => !settle(member, outcomes[index]));
      waiting = [...next, ...waiting];
    }
    writing = false;
  }

  /**
   * Access is decided, and schemas are compared, inside the transaction that writes the events. Nothing here
   * waits for a lock.
   */
  async function writeGroup(
    tx: Transaction,
    group: readonly Member[],
    makeOffer: MakeOffer,
  ): Promise<Outcome[]> {
    const partnerIds = [...new Set(group.map(({ granted }) => granted.partnerId))];
    const [free, { subscribers, busy }, rechecked, begun, versions, drawn] = await Promise.all([
      store.tryLockPublishing(tx, partnerIds),
      tryHoldSubscribers(tx, partnerIds),
      access.recheckAll(
        tx,
        group.map(({ granted }) => granted),
      ),
      beginIdempotent(tx, group.map(toSent)),
      selectVersions(tx, [...new Set(group.map(({ draft }) => draft.type))]),
      store.drawPositions(tx, group.length),
    ]);
    const accepted: Member[] = [];
    let deliveries = 0;
    const outcomes = group.map((member, index): Outcome | null => {
      const { partnerId } = member.granted;
      const again = rechecked[index] ?? 'busy';
      const repeated = begun[index] ?? 'new';
      if (again === 'busy' || !free.has(partnerId) || busy.has(partnerId))
        return ++member.tries < maxTries ? 'next' : 'alone';
      if ('error' in again) return again;
      if (versions.get(member.draft.type) !== member.version) return 'alone';
      if (repeated === 'expired') return 'alone';
      if (repeated !== 'new') return repeated;
      deliveries += subscribers.get(partnerId)?.length ?? 0;
      if (accepted.length > 0 && deliveries > maxDeliveries) return 'next';
      accepted.push(member);
      return null;
    });
    const events = toEvents(
      drawn,
      accepted.map(({ granted: { partnerId }, draft, span }) => ({
        partnerId,
        draft,
        traceparent: span.traceparent,
      })),
    );
    if (events.length === 0) return outcomes.map((outcome) => outcome ?? missing());
    const answers = events.map(toAnswer);
    const keeping = keepAnswers(
      tx,
      accepted.map((member, index) => ({ ...toSent(member), answer: answers[index] ?? missing() })),
    );
    const subscribersOf = (partnerId: string) => subscribers.get(partnerId) ?? [];
    await Promise.all([keeping, write(tx, { drawn, events, subscribersOf, makeOffer, observer })]);
    const written = answers.values();
    return outcomes.map((outcome) => outcome ?? { answer: written.next().value ?? missing() });
  }

  return {
    /**
     * Resolves when the event and its deliveries are committed, or to `alone`: nothing was written, and the
     * caller publishes it.
     */
    add: (single: Single): Promise<Answer | 'alone'> =>
      new Promise((resolve, reject) => {
        waiting.push({
          ...single,
          since: performance.now(),
          span: startPublish(tracing),
          tries: 0,
          resolve,
          reject,
        });
        if (writing) return;
        writing = true;
        // What else arrives in this turn of the event loop belongs to the group.
        db.forAll(() => setImmediate(() => void writeAll()));
      }),
  };
}

const isFilled = (group: readonly Member[]): group is readonly [Member, ...Member[]] => group.length > 0;

export const startPublish = (tracing: Tracing): Span => tracing.start('publish', { kind: 'producer' });

/** The first event, and those after it that fit the bounds. */
function takeGroup(waiting: readonly Member[]): Member[] {
  let bytes = 0;
  const end = waiting.findIndex(({ draft }, index) => {
    bytes += draft.data.length;
    return index > 0 && (index === maxEvents || bytes > maxBytes);
  });
  return end < 0 ? [...waiting] : waiting.slice(0, end);
}

/** As long as a request waits for a connection. Its client may have given up, and may publish again. */
const patienceMs = 5_000;
function isInTime({ since, span, reject }: Member): boolean {
  if (performance.now() - since < patienceMs) return true;
  const error = new Error('Earlier events took too long to publish');
  span.end(error);
  reject(error);
  return false;
}

/** A failure that can be about one event: each is then written alone, so that it fails alone. */
const failed = (group: readonly Member[], error: unknown): Outcome[] =>
  group.map(() => (group.length > 1 && isAboutRows(error) ? 'alone' : { error }));
/**
 * SQLSTATE classes 22 and 23: data exceptions and violated constraints; and locks that were waited for too
 * long.
 */
const isAboutRows = (error: unknown) =>
  /^(2[23]|55P03|57014|40P01)/.test(String((error as { code?: unknown } | null)?.code));

/** False: the event waits for the next group. */
function settle({ span, resolve, reject }: Member, outcome: Outcome | undefined): boolean {
  if (outcome === 'next') return false;
  span.end(typeof outcome === 'object' && 'error' in outcome ? outcome.error : undefined);
  if (outcome === undefined) reject(new Error('An event of a group has no outcome'));
  else if (outcome === 'alone') resolve('alone');
  else if ('error' in outcome) reject(outcome.error);
  else resolve(outcome.answer);
  return true;
}

const toSent = ({ granted, idempotent }: Single) => ({
  request: idempotent,
  principalId: granted.actor.userId,
});

const toAnswer = (event: store.EventRow): Answer => ({
  status: 202,
  headers: {},
  json: store.toEventJson(event),
});

function missing(): never {
  throw new Error('A written event is missing');
}
