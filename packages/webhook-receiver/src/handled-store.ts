// The store of handled events: a delivery that arrives again, for example because its answer was lost, is not
// handled again.

/**
 * Remembers handled events for as long as the sender may send them again. Keys are opaque. It is asked only
 * while the replay store holds a claim on the same key, so the methods need not be atomic together. It may
 * forget: the event is then handled again. In Redis, `has` is `EXISTS` and `add` is `SET key 1 PX keepMs`; in
 * SQL, a table that your handler's transaction can also write.
 */
export type HandledStore = {
  has(key: string): Promise<boolean>;
  /** Remembers the key for `keepMs`, if there is room for it. */
  add(key: string, keepMs: number): Promise<void>;
};

export type MemoryHandledStoreOptions = {
  /**
   * The maximum number of keys; 100,000 by default, which take about 20 MB. A full store forgets the oldest
   * key.
   */
  readonly maxKeys?: number;
  /** Returns the current time in Unix milliseconds; `Date.now` by default. */
  readonly now?: () => number;
};

/**
 * Creates a store in the memory of this process. It is empty after a restart.
 *
 * @throws {RangeError} when `maxKeys` is not at least 1
 * @example
 * const handled = createMemoryHandledStore({ maxKeys: 10_000 });
 */
export function createMemoryHandledStore({
  maxKeys = 100_000,
  now = Date.now,
}: MemoryHandledStoreOptions = {}): HandledStore {
  if (!(maxKeys >= 1)) throw new RangeError('maxKeys must be at least 1');
  /** When each key expires. The oldest key comes first. */
  const expiries = new Map<string, number>();

  return {
    async has(key) {
      return (expiries.get(key) ?? 0) > now();
    },
    async add(key, keepMs) {
      expiries.delete(key);
      expiries.set(key, now() + keepMs);
      for (const [oldest, expiry] of expiries) {
        if (expiries.size <= maxKeys && expiry > now()) return;
        expiries.delete(oldest);
      }
    },
  };
}
