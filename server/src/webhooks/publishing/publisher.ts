// Puts requests to publish into transactions. Those that arrive while a transaction is under way are written
// together by the next one, whatever their partners.
import type { Access, Granted } from '../../access/index.ts';
import { systemActor } from '../../audit/index.ts';
import type { Answer } from '../../base/idempotency/index.ts';
import { createFairLine } from '../../base/limits/index.ts';
import type { Database } from '../../base/postgres/database.ts';
import { inSpan, type Span, type Tracing } from '../../base/tracing/index.ts';
import type { HandOver } from '../lanes/hand-over.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { UnreadableFilter } from './filtering.ts';
import { type Outcome, type Publication, publish, type Traced } from './publish.ts';
import type { Draft } from './read-drafts.ts';

/** Per transaction. A request beyond them waits for the next one. */
const maxRequests = 64;
const maxBytes = 512 * 1024;
/** In how many groups a request finds something locked before it is written alone. */
const maxTries = 3;
/** As long as a request waits for a connection. */
const patienceMs = 5_000;

type Member = Traced & {
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

  const transact = (group: readonly Traced[], { mayWait }: { mayWait: boolean }) =>
    handOver.publishing((wake) =>
      db.transaction((tx) => publish(tx, group, { access, observer, wake, mayWait }), { lookUps: !mayWait }),
    );

  function takeGroup(): Member[] {
    const group: Member[] = [];
    let bytes = 0;
    while (group.length < maxRequests) {
      const member = line.next();
      if (!member) break;
      if (isLate(member)) continue;
      for (const { data } of member.drafts) bytes += data.length;
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
        .run(() => transact(group, { mayWait: false }))
        .catch((error: unknown) => failed(group, error));
      const left = group.filter((member, index) => !settle(member, outcomes[index]));
      for (const member of left.toReversed()) line.putBack(member.granted.partnerId, member);
    }
    writing = false;
  }

  const startSpan = () => tracing.start('publish', { kind: 'producer' });

  function alone(publication: Publication): Promise<Answer> {
    const span = startSpan();
    const one = { ...publication, traceparent: span.traceparent };
    return inSpan(span, async () => {
      const [outcome] = await transact([one], { mayWait: true });
      if (typeof outcome === 'object' && 'answer' in outcome) return outcome.answer;
      throw typeof outcome === 'object' ? outcome.error : new Error(`A request that waits is ${outcome}`);
    });
  }

  return {
    /** Publishes in a transaction of its own, which may wait for locks. */
    alone,

    /** In the name of the service, which needs no access. */
    async own(partnerId: string, drafts: readonly Draft[], terms: Pick<Publication, 'only' | 'before'> = {}) {
      const actor = systemActor('publish own events');
      // What publishing alone reads of a grant.
      const granted = { partnerId, actor, recheck: async () => granted } as unknown as Granted;
      await alone({ ...terms, granted, drafts, idempotent: null, answer: 'none' });
    },

    /** Resolves when the events and their deliveries are committed. `alone`: nothing was written. */
    inGroup: (publication: Publication) =>
      new Promise<Answer | 'alone'>((resolve, reject) => {
        const span = startSpan();
        const { traceparent } = span;
        const since = performance.now();
        const member = { ...publication, traceparent, since, span, tries: 0, resolve, reject };
        line.add(publication.granted.partnerId, member);
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
  group.map(() => (group.length > 1 && isAboutRows(error) ? 'alone' : { error }));
/** SQLSTATE classes 22 and 23, data exceptions and violated constraints, and locks that took too long. */
const isAboutRows = (error: unknown) =>
  error instanceof UnreadableFilter ||
  /^(2[23]|55P03|57014|40P01)/.test(String((error as { code?: unknown } | null)?.code));

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
