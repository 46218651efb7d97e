// Counts of requests in fixed windows, in bounded memory.

/** An attacker with a large IPv6 network could otherwise fill the memory. About 15 MB. */
const maxKeys = 100_000;

export type WindowState = {
  readonly remaining: number;
  readonly secondsLeft: number;
  readonly exceeded: boolean;
};

type Options = { requests: number; windowSeconds: number; keys?: number; nowMs?: () => number };

export function createWindowCounts({
  requests,
  windowSeconds,
  keys = maxKeys,
  nowMs = () => Math.floor(performance.now()),
}: Options) {
  /** In the order in which windows start, and end. */
  const windows = new Map<string, { count: number; readonly endsAtMs: number }>();

  /** Two for each new window: old ones disappear sooner than new ones appear. */
  function deleteOldest(at: number): void {
    let looked = 0;
    for (const [key, { endsAtMs }] of windows) {
      if (looked++ === 2 || (endsAtMs > at && windows.size < keys)) return;
      windows.delete(key);
    }
  }

  function open(key: string, at: number) {
    windows.delete(key);
    deleteOldest(at);
    const opened = { count: 0, endsAtMs: at + windowSeconds * 1_000 };
    windows.set(key, opened);
    return opened;
  }

  function current(key: string, at: number) {
    const window = windows.get(key);
    return window !== undefined && window.endsAtMs > at ? window : undefined;
  }

  return {
    count(key: string): WindowState {
      const at = nowMs();
      const window = current(key, at) ?? open(key, at);
      window.count++;
      return {
        remaining: Math.max(0, requests - window.count),
        secondsLeft: Math.ceil((window.endsAtMs - at) / 1_000),
        exceeded: window.count > requests,
      };
    },
    isExhausted: (key: string): boolean => (current(key, nowMs())?.count ?? 0) >= requests,
  };
}
