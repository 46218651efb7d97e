// Denied attempts of members, limited per minute so that no caller can fill the log.
import type { Database } from '../base/postgres/database.ts';
import { type AuditEntry, recordAction } from './store.ts';

const maxPerUser = 10;
const maxTotal = 1_000;
const windowMs = 60_000;

export type Denials = {
  /** Never throws. */
  record(entry: AuditEntry): void;
  settle(): Promise<void>;
};

type Options = { db: Database; onFailure: (error: unknown) => void; now?: () => number };

export function createDenials({ db, onFailure, now = Date.now }: Options): Denials {
  let windowStart = 0;
  let counts = new Map<string, number>();
  let total = 0;
  let writing: Promise<unknown> = Promise.resolve();

  function mayRecord(userId: string): boolean {
    if (now() - windowStart >= windowMs) {
      windowStart = now();
      counts = new Map();
      total = 0;
    }
    const count = (counts.get(userId) ?? 0) + 1;
    if (count > maxPerUser || total >= maxTotal) return false;
    counts.set(userId, count);
    total++;
    return true;
  }

  return {
    record(entry) {
      if (!mayRecord(entry.actor.userId)) return;
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
