// Denied attempts of members, limited per minute so that no caller can fill the log.
import { createWindowCounts } from '../base/limits/index.ts';
import type { Database } from '../base/postgres/database.ts';
import { type AuditEntry, recordAction } from './store.ts';

const maxPerUser = 10;
const maxTotal = 1_000;
const windowSeconds = 60;

export type Denials = {
  /** Never throws. */
  record(entry: AuditEntry): void;
  settle(): Promise<void>;
};

type Options = { db: Database; onFailure: (error: unknown) => void; nowMs?: () => number };

export function createDenials({ db, onFailure, ...clock }: Options): Denials {
  const ofUsers = createWindowCounts({ requests: maxPerUser, windowSeconds, ...clock });
  const all = createWindowCounts({ requests: maxTotal, windowSeconds, ...clock });
  let writing: Promise<unknown> = Promise.resolve();

  return {
    record(entry) {
      if (ofUsers.count(entry.actor.userId).exceeded || all.count('').exceeded) return;
      // One write at a time, so that denials use at most one connection.
      writing = writing
        .then(() => db.forAll(() => recordAction(db, { ...entry, outcome: 'denied' })))
        .catch(onFailure);
    },
    async settle() {
      await writing;
    },
  };
}
