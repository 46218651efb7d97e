// Records results of attempts in batches: one transaction for the results that arrived during the previous
// transaction. It also reads what strict lanes send next.
import { setTimeout as wait } from 'node:timers/promises';
import { isAboutRows } from '../../base/errors.ts';
import { keepLast } from '../../base/keep-last.ts';
import type { Database, Queryable, Transaction } from '../../base/postgres/database.ts';
import { disableEndpoints } from '../endpoints/store.ts';
import type { WebhookObserver } from '../lanes/observer.ts';
import { correctFailing, keepLanes, updateFailing } from '../lanes/store.ts';
import type { NotifyDisabled } from './disabled-notice.ts';
import { readDue } from './due.ts';
import type { Signers } from './sign.ts';
import { type AttemptResult, type DueRequest, recordResults } from './store.ts';

const gatherMs = 4;
const rowsAtOnce = 500;
const retryMs = 500;
const setAsideMs = 5_000;
const stripped = 'internal: the answer could not be stored';
const maxFailingHere = 10_000;

/** The next request of a strict lane, read in the transaction that recorded the one before. */
export type Next = { due: DueRequest; readAt: number; keys: Signers };

type Entry = { result: AttemptResult; done: (next?: Next) => void };
export type RecorderOptions = {
  db: Database;
  /** Whose requests have the results. */
  owner: string;
  signers: (on: Queryable) => Promise<Signers>;
  notifyDisabled: NotifyDisabled;
  observer: WebhookObserver;
  onFault: (error: unknown) => void;
};

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder({ onFault, ...options }: RecorderOptions) {
  const record = createRecord(options);
  const judge = createJudge(options);
  const waiting: Entry[] = [];
  let writing = false;
  let stopped = false;

  async function writeAll(): Promise<void> {
    writing = true;
    // The next delivery of a strict lane waits for this.
    if (!waiting.some(({ result }) => isStrictSuccess(result))) await wait(gatherMs);
    while (waiting.length > 0) await write(takeSome(waiting));
    writing = false;
  }

  async function write(entries: Entry[]): Promise<void> {
    const results = entries.map(({ result }) => result);
    let next: Map<string, Next> | undefined;
    for (let readsNext = results.some(isStrictSuccess); next === undefined; readsNext = false) {
      try {
        next = await record(results, readsNext);
      } catch (error) {
        onFault(error);
        if (stopped) break;
        // The results must not wait for what comes next: the deliverer reads it later.
        if (readsNext) continue;
        if (isAboutRows(error)) return setAside(entries);
        // The database seems to be unavailable. The lane and the attempt count guard a later write too.
        await wait(retryMs);
      }
    }
    // An endpoint that is not judged now is judged after its next attempt.
    await judge(results).catch(onFault);
    for (const { result, done } of entries) done(next?.get(result.endpointId));
  }

  /**
   * Records results one by one, so that a refused result does not block the others. It loses its texts and is
   * tried again.
   */
  async function setAside(entries: Entry[]): Promise<void> {
    const [first, ...others] = entries;
    if (first && others.length === 0) {
      const result = { ...first.result, error: stripped, responseBody: null };
      setTimeout(() => add({ ...first, result }), first.result.error === stripped ? setAsideMs : 0).unref();
    } else {
      for (const entry of entries) await write([entry]);
    }
  }

  function add(entry: Entry): void {
    waiting.push(entry);
    if (!writing) void writeAll();
  }

  return {
    /**
     * Resolves when the result is recorded, or after `stop` if it cannot be recorded. After a success in a strict
     * lane it has the next delivery, if one is due.
     */
    add: (result: AttemptResult) => new Promise<Next | undefined>((done) => add({ result, done })),
    /** From now on, a result that cannot be recorded at once is dropped. The delivery is then sent again. */
    stop() {
      stopped = true;
    },
  };
}

/** Takes the first entries, with about as many deliveries as one statement records. */
function takeSome(waiting: Entry[]): Entry[] {
  let rows = 0;
  const end = waiting.findIndex(({ result }) => {
    rows += result.deliveries.length;
    return rows >= rowsAtOnce;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end + 1);
}

function createRecord({ db, owner, signers, observer }: Omit<RecorderOptions, 'onFault'>) {
  /** By endpoint. */
  async function selectNext(tx: Transaction, results: AttemptResult[]): Promise<Map<string, Next>> {
    const lanes = results.filter(isStrictSuccess).map((result) => ({ ...result, share: 1 }));
    const readAt = performance.now();
    // Without a key, the deliverer reads what is due when there is one.
    const [due, keys] = await Promise.all([
      readDue({ on: tx, transact: (work) => work(tx) }, lanes, []),
      signers(tx).catch(() => null),
    ]);
    if (keys === null) return new Map();
    return new Map(
      [...due].flatMap(([endpointId, { requests }]) =>
        requests
          .filter(({ ordering }) => ordering === 'strict')
          .map((each) => [endpointId, { due: each, readAt, keys }] as const),
      ),
    );
  }

  /** In one transaction. Returns what strict lanes send next, by endpoint. */
  return async (results: AttemptResult[], readsNext: boolean): Promise<Map<string, Next>> => {
    const { recorded, next } = await db.transaction(async (tx) => {
      // Every transaction locks lanes before deliveries, and forming a batch keeps its lane.
      if (readsNext)
        await keepLanes(
          tx,
          results.filter((each) => isStrictSuccess(each) && each.batchId !== null),
        );
      return {
        recorded: await recordResults(tx, owner, results),
        next: readsNext ? await selectNext(tx, results) : new Map<string, Next>(),
      };
    });
    for (const each of recorded) observer.attempted(each);
    return next;
  };
}

/** Records which endpoints are failing, and disables those that have failed for too long. */
function createJudge({ db, owner, notifyDisabled }: Omit<RecorderOptions, 'onFault'>) {
  /** Endpoints that this process recorded as failing lately, since an attempt can have begun before that. */
  const failingHere = new Map<string, true>();

  /** In a transaction of its own, since transactions lock endpoints and lanes before deliveries. */
  return async (results: AttemptResult[]) => {
    // A lane is failing if none of its results is a success.
    const delivered = new Set(
      results.flatMap(({ endpointId, status }) => (status === 'delivered' ? endpointId : [])),
    );
    const first = new Map(results.toReversed().map((each) => [each.endpointId, each]));
    const lanes = [...first.values()].map((each) => ({ ...each, failing: !delivered.has(each.endpointId) }));
    const changed = lanes.filter(({ endpointId, failing, failingSince }) =>
      failing ? failingSince === null : failingSince !== null || failingHere.has(endpointId),
    );
    const gone = results.filter((result) => result.gone);
    const old = lanes.filter((lane) => lane.failing && isOld(lane));
    if (changed.length + gone.length + old.length === 0) return;
    await db.transaction(async (tx) => {
      if (gone.length + old.length > 0)
        for (const endpoint of await disableEndpoints(tx, gone, old)) await notifyDisabled(tx, endpoint);
      await correctFailing(tx, old, changed);
      await updateFailing(tx, owner, changed);
    });
    for (const { endpointId, failing } of changed) {
      if (failing) keepLast(failingHere, endpointId, true, maxFailingHere);
      else failingHere.delete(endpointId);
    }
  };
}

/** A failure can disable the endpoint, or make it wait. */
const isStrictSuccess = ({ ordering, status }: AttemptResult) =>
  ordering === 'strict' && status === 'delivered';

/** It is disabled then (behaviour W16). */
const isOld = ({ failingSince, startedAt, disableAfterMs }: AttemptResult) =>
  failingSince !== null && startedAt.getTime() - failingSince.getTime() >= disableAfterMs;
