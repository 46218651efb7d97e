// Writes down what came of attempts, many at a time: one transaction for all that ended while the one before was written.
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../postgres/database.ts';
import type { NoticeDisabled } from './disabled-notice.ts';
import { disableEndpoints, type Result, recordResults, updateFailing } from './queue-store.ts';

const gatherMs = 4;
const batch = 500;
const retryMs = 500;
const dayMs = 86_400_000;
/** An endpoint whose every attempt failed for so long is disabled (behaviour W16). */
const patienceMs = 5 * dayMs;

type Options = { db: Database; noticeDisabled: NoticeDisabled; onFault: (error: unknown) => void };

export type Recorder = {
  /** Resolves when it is written down, or when nothing can be any more. */
  add(result: Result): Promise<void>;
  /** From now on what cannot be written at once is left: the attempt is then made again. */
  stop(): void;
};

export function createRecorder({ db, noticeDisabled, onFault }: Options): Recorder {
  const waiting: { result: Result; done: () => void }[] = [];
  let writing = false;
  let stopped = false;

  const record = (results: Result[]) =>
    db.transaction(async (tx) => {
      await recordResults(tx, results);
      const lanes = [...Map.groupBy(results, ({ endpointId }) => endpointId).values()].flatMap(toLane);
      await updateFailing(
        tx,
        lanes.filter(({ failing, failingSince }) => failing !== (failingSince !== null)),
      );
      const gone = results.filter((result) => result.gone).map(({ endpointId }) => endpointId);
      const failing = lanes.filter((lane) => lane.failing && isOld(lane)).map(({ endpointId }) => endpointId);
      if (gone.length + failing.length === 0) return;
      for (const endpoint of await disableEndpoints(tx, gone, failing, patienceMs)) await noticeDisabled(tx, endpoint);
    });

  async function writeAll(): Promise<void> {
    writing = true;
    await wait(gatherMs);
    while (waiting.length > 0) {
      const some = waiting.splice(0, batch);
      await writeDown(some.map(({ result }) => result));
      for (const { done } of some) done();
    }
    writing = false;
  }

  async function writeDown(results: Result[]): Promise<void> {
    for (;;) {
      try {
        return await record(results);
      } catch (error) {
        onFault(error);
        if (stopped) return;
        if (isAboutValues(error) && results.some(hasTexts)) return writeSingly(results);
        // The database is away, it seems. What was known of the leases guards whatever is written later.
        await wait(retryMs);
      }
    }
  }

  /** One that the database does not take must not hold up the others: its texts go, which came from outside. */
  async function writeSingly(results: Result[]): Promise<void> {
    const [first, ...others] = results;
    if (!first) return;
    if (others.length === 0)
      return writeDown([{ ...first, error: 'internal: what came back could not be kept', responseBody: null }]);
    for (const result of results) await writeDown([result]);
  }

  return {
    add: (result) =>
      new Promise((done) => {
        waiting.push({ result, done });
        if (!writing) void writeAll();
      }),
    stop() {
      stopped = true;
    },
  };
}

/** SQLSTATE class 22: data exceptions. */
const isAboutValues = (error: unknown) => String((error as { code?: unknown }).code).startsWith('22');
const hasTexts = ({ responseBody, error }: Result) =>
  responseBody !== null || (error !== null && !error.startsWith('internal: '));

/** One lane's part of a batch: it is failing when nothing in it succeeded. */
function toLane(results: Result[]) {
  const [first] = results;
  if (!first) return [];
  const failing = results.every(({ status }) => status !== 'delivered');
  return [{ endpointId: first.endpointId, epoch: first.epoch, failing, failingSince: first.failingSince, at: first.startedAt }];
}

const isOld = ({ failingSince, at }: { failingSince: Date | null; at: Date }) =>
  failingSince !== null && at.getTime() - failingSince.getTime() >= patienceMs;
