// Puts requests to publish into transactions. Those that arrive while a transaction is under way are written
// together by the next one, whatever their partners.
import type { Access } from '../../access/index.ts';
import { hasCode, isAboutRows } from '../../base/errors.ts';
import type { Answer } from '../../base/idempotency/index.ts';
import { createFairLine } from '../../base/limits/index.ts';
import type { Database, Transaction } from '../../base/postgres/database.ts';
import { inSpan, type Span, type Tracing } from '../../base/tracing/index.ts';
import type { HandOver } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { UnreadableFilter } from './filtering.ts';
import { type OwnPublication, type Publication, publish, publishOwn, type Traced } from './publish.ts';
import { type Outcome, publishGroup, type Single } from './publish-group.ts';
import type { Writing } from './write-events.ts';

/** Per transaction. A request beyond them waits for the next one. */
const maxRequests = 64;
const maxBytes = 512 * 1024;
/** In how many groups a request finds something locked before it is written alone. */
const maxTries = 3;
/** As long as a request waits for a connection. */
const patienceMs = 5_000;

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

export type Publisher = ReturnType<typeof createPublisher>;

export function createPublisher({ db, access, handOver, observer, tracing }: Options) {
  /** Partners take turns, so a flood of one delays no other. */
  const line = createFairLine<Member>();
  let writing = false;

  const transact = <T>(work: (tx: Transaction, writing: Writing) => Promise<T>, { lookUps = false } = {}) =>
    handOver.publishing((wake) => db.transaction((tx) => work(tx, { observer, wake }), { lookUps }));

  function takeGroup(): Member[] {
    const group: Member[] = [];
    let bytes = 0;
    while (group.length < maxRequests) {
      const member = line.next();
      if (!member) break;
      if (isLate(member)) continue;
      bytes += member.draft.data.length;
      if (group.length > 0 && bytes > maxBytes) {
        line.putBack(member.granted.partnerId, member);
        break;
      }
      group.push(member);
    }
    return group;
  }

  async function writeAll(): Promise<void> {
    for (let group = takeGroup(); group[0]; group = takeGroup()) {
      // The statements of a group are in the trace of its first request.
      const outcomes = await group[0].span
        .run(() =>
          transact((tx, writing) => publishGroup(tx, group, { access, ...writing }), { lookUps: true }),
        )
        .catch((error: unknown) => failed(group, error));
      const left = group.filter((member, index) => !settle(member, outcomes[index]));
      for (const member of left.toReversed()) line.putBack(member.granted.partnerId, member);
    }
    writing = false;
  }

  const startSpan = () => tracing.start('publish', { kind: 'producer' });

  function inOwnTransaction<T>(work: (tx: Transaction, writing: Traced) => Promise<T>): Promise<T> {
    const span = startSpan();
    const { traceparent } = span;
    return inSpan(span, () => transact((tx, writing) => work(tx, { ...writing, traceparent })));
  }

  return {
    /** Publishes in a transaction of its own, which may wait for locks. */
    alone: (publication: Publication): Promise<Answer> =>
      inOwnTransaction((tx, writing) => publish(tx, publication, writing)),

    own: (publication: OwnPublication): Promise<void> =>
      inOwnTransaction((tx, writing) => publishOwn(tx, publication, writing)),

    /** Resolves when the event and its deliveries are committed. `alone`: nothing was written. */
    inGroup: (single: Omit<Single, 'traceparent'>) =>
      new Promise<Answer | 'alone'>((resolve, reject) => {
        const span = startSpan();
        const { traceparent } = span;
        const since = performance.now();
        const member = { ...single, traceparent, since, span, tries: 0, resolve, reject };
        line.add(single.granted.partnerId, member);
        if (writing) return;
        writing = true;
        // What else arrives in this turn of the event loop belongs to the group.
        db.forAll(() => setImmediate(() => void writeAll()));
      }),
  };
}

function isLate({ since, span, reject }: Member): boolean {
  if (performance.now() - since < patienceMs) return false;
  const error = new Error('Earlier events took too long to publish');
  span.end(error);
  reject(error);
  return true;
}

/** A failure that can be about one request: each is then written alone, so that it fails alone. */
const failed = (group: readonly Member[], error: unknown): Outcome[] =>
  group.map(() => (group.length > 1 && isAboutOne(error) ? 'alone' : { error }));
/** Also locks that took too long. */
const isAboutOne = (error: unknown) =>
  error instanceof UnreadableFilter || isAboutRows(error) || hasCode(error, '55P03', '57014', '40P01');

/** False: the request waits for the next group. */
function settle(member: Member, outcome: Outcome | undefined): boolean {
  if (outcome === 'full' || (outcome === 'busy' && ++member.tries < maxTries)) return false;
  const { span, resolve, reject } = member;
  const error = typeof outcome === 'object' && 'error' in outcome ? outcome.error : undefined;
  span.end(error);
  if (outcome === undefined) reject(new Error('A request of a group has no outcome'));
  else if (outcome === 'busy' || outcome === 'alone') resolve('alone');
  else if ('error' in outcome) reject(error);
  else resolve(outcome.answer);
  return true;
}
