// The replay guard: a delivery is claimed, then committed or released, so that each is handled once and none is lost.

/**
 * Where claims are kept. Each method is one atomic step, also between processes that share the store; keys are opaque.
 * Over Redis, `claim` is `SET key owner NX PX leaseMs`; in SQL, an insert that wins or tells who did.
 */
export type ReplayStore = {
  /** Claims the key for `leaseMs`, unless it is committed (`done`) or claimed by someone whose lease still runs. */
  claim(key: string, owner: string, leaseMs: number): Promise<'claimed' | 'in_progress' | 'done'>;
  /** Marks the key as done for `keepMs`. */
  commit(key: string, owner: string, keepMs: number): Promise<void>;
  /** Gives the key up, if this owner still has it. */
  release(key: string, owner: string): Promise<void>;
};

export type MemoryReplayStoreOptions = {
  /** How many keys are kept at most; 100,000 by default. When all are needed, claims fail: none is forgotten early. */
  readonly maxKeys?: number;
  /** The time in milliseconds since 1970; Date.now by default. */
  readonly now?: () => number;
};

type Entry = { owner: string; done: boolean; until: number };

/**
 * Keeps claims in this process: enough for one instance. What it knew is gone after a restart, and a retry passes then.
 *
 * @throws {Error} `claim` throws when `maxKeys` are in use
 * @example
 * const replay = createMemoryReplayStore({ maxKeys: 10_000 });
 */
export function createMemoryReplayStore({ maxKeys = 100_000, now = Date.now }: MemoryReplayStoreOptions = {}): ReplayStore {
  const entries = new Map<string, Entry>();

  function set(key: string, entry: Entry): void {
    entries.delete(key);
    entries.set(key, entry);
  }

  /** The oldest come first, so this mostly ends at once; leases among them are shorter, so a full store is swept whole. */
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
      if (!entry && entries.size >= maxKeys) throw new Error('The replay store is full');
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
