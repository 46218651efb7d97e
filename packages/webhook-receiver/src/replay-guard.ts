// The replay store: a delivery is claimed, then committed or released, so that copies of one request are
// handled once.

/**
 * Stores claims on deliveries for as long as a captured request verifies. `HandledStore` remembers handled
 * events for longer. Each method must be atomic, also between processes that share the store. Keys are
 * opaque. In Redis, `claim` is `SET key owner NX PX leaseMs`; in SQL, an insert with `on conflict`.
 */
export type ReplayStore = {
  /**
   * Claims the key for `leaseMs`. Returns `done` when it is committed, `in_progress` while another claim's
   * lease runs.
   */
  claim(key: string, owner: string, leaseMs: number): Promise<'claimed' | 'in_progress' | 'done'>;
  /** Marks the key as done and keeps it for `keepMs`. */
  commit(key: string, owner: string, keepMs: number): Promise<void>;
  /** Deletes the claim if it still belongs to this owner and is not done. */
  release(key: string, owner: string): Promise<void>;
};

export type MemoryReplayStoreOptions = {
  /**
   * The maximum number of keys; 100,000 by default. A full store refuses claims and never forgets a key
   * early.
   */
  readonly maxKeys?: number;
  /** Returns the current time in Unix milliseconds; `Date.now` by default. */
  readonly now?: () => number;
};

type Entry = { owner: string; done: boolean; until: number };

/**
 * Creates a store in the memory of this process, for a single instance. It is empty after a restart: a
 * request that somebody captured less than 10 minutes earlier could then be handled again.
 *
 * @throws {RangeError} when `maxKeys` is not at least 1
 * @throws {Error} `claim` throws when the store is full
 * @example
 * const replay = createMemoryReplayStore({ maxKeys: 10_000 });
 */
export function createMemoryReplayStore({
  maxKeys = 100_000,
  now = Date.now,
}: MemoryReplayStoreOptions = {}): ReplayStore {
  if (!(maxKeys >= 1)) throw new RangeError('maxKeys must be at least 1');
  const entries = new Map<string, Entry>();

  function set(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
  }

  /**
   * Entries are in the order of their last change, so this stops at the first live one. Leases can expire
   * behind a done entry, so a full store is searched whole.
   */
  function removeExpired(): void {
    const isFull = entries.size >= maxKeys;
    for (const [key, { until }] of entries) {
      if (until <= now()) entries.delete(key);
      else if (!isFull) return;
    }
  }

  return {
    async claim(key, owner, leaseMs) {
      removeExpired();
      const entry = entries.get(key);
      if (entry && entry.until > now()) return entry.done ? 'done' : 'in_progress';
      if (!entry && entries.size >= maxKeys)
        throw new Error(`The replay store is full: maxKeys is ${maxKeys}`);
      set(key, { owner, done: false, until: now() + leaseMs });
      return 'claimed';
    },
    async commit(key, owner, keepMs) {
      set(key, { owner, done: true, until: now() + keepMs });
    },
    async release(key, owner) {
      const entry = entries.get(key);
      if (entry && entry.owner === owner && !entry.done) entries.delete(key);
    },
  };
}
