// Denied attempts of members: recorded after the answer, and bounded, so that nobody fills the log.
import type { Database } from '../postgres/database.ts';
import { type AuditEntry, recordAction } from './store.ts';

const perUser = 10;
const inAll = 1_000;
const windowMs = 60_000;

export type Denials = {
  /** Records it, unless this minute had too many. Never fails. */
  record(entry: AuditEntry): void;
  /** Waits for rows that are being written. */
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
    if (count > perUser || total >= inAll) return false;
    counts.set(userId, count);
    total++;
    return true;
  }

  return {
    record(entry) {
      if (!mayRecord(entry.actor.userId)) return;
      // One after the other, so that denials take one connection at most.
      writing = writing.then(() => recordAction(db, { ...entry, outcome: 'denied' })).catch(onFailure);
    },
    async settle() {
      await writing;
    },
  };
}
