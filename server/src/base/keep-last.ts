/** Sets a value of a map that keeps those that were set last. */
export function keepLast<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** Keeps values for some time, at most as many as that. `nowMs`: a clock that never goes back. */
export function createKept<Value>(keptMs: number, most: number, nowMs = () => performance.now()) {
  const kept = new Map<string, { readonly value: Value; readonly untilMs: number }>();
  return {
    get(key: string): Value | undefined {
      const found = kept.get(key);
      return found && nowMs() < found.untilMs ? found.value : undefined;
    },
    /** `leftMs`: it may be over sooner. */
    set: (key: string, value: Value, leftMs = keptMs): void =>
      keepLast(kept, key, { value, untilMs: nowMs() + Math.min(keptMs, leftMs) }, most),
  };
}

/** Remembers the results of a function of a text, up to a number of them. */
export function remember<Result>(most: number, compute: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const result = compute(text);
    keepLast(known, text, result, most);
    return result;
  };
}
