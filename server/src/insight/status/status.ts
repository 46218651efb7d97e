// The state of the whole installation, in a few short reads (behaviour I3).
import type { Database } from '../../base/postgres/database.ts';
import { readClock } from '../../base/postgres/sql/clock.ts';
import { version } from './heartbeat.ts';
import type { PlatformStatus } from './schema.ts';
import { selectDatabaseState, selectInstances } from './store.ts';

export type StatusOptions = {
  db: Database;
  mailQueue: () => Promise<PlatformStatus['mail']>;
  backlog: () => Promise<PlatformStatus['backlog']>;
};

export const createReadStatus =
  ({ db, mailQueue, backlog }: StatusOptions) =>
  async (): Promise<PlatformStatus> => ({
    // First: a wait for a connection would look like a difference.
    clock_difference_ms: await readClockDifference(db),
    version,
    database: await selectDatabaseState(db),
    instances: (await selectInstances(db)).map(({ started_at, seen_at, ...instance }) => ({
      ...instance,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
    })),
    mail: await mailQueue(),
    backlog: await backlog(),
  });

/** The middle of the two times is compared. */
async function readClockDifference(db: Database): Promise<number> {
  const before = Date.now();
  const there = await readClock(db);
  return Math.round((before + Date.now()) / 2 - there.getTime());
}
