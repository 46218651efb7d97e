// Simulated time, and the queues that wait in it. Nothing here reads a real clock.

type Entry = { readonly atMs: number; readonly order: number; readonly work: () => void };

export type Clock = {
  readonly nowMs: number;
  /** Works at the same time run in the order in which they were planned. */
  after(delayMs: number, work: () => void): void;
  /** Runs what is planned, until nothing is left or until this time. */
  run(untilMs?: number): void;
};

/** The entries are in a binary heap: each comes before its children. */
export function createClock(): Clock {
  const heap: Entry[] = [];
  let nowMs = 0;
  let order = 0;
  const comesFirst = (a: Entry, b: Entry) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  function push(entry: Entry): void {
    let index = heap.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !comesFirst(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  function pop(): Entry | undefined {
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      const left = heap[2 * index + 1];
      const right = heap[2 * index + 2];
      const smaller = right !== undefined && left !== undefined && comesFirst(right, left) ? right : left;
      if (smaller === undefined || !comesFirst(smaller, last)) break;
      heap[index] = smaller;
      index = 2 * index + (smaller === right ? 2 : 1);
    }
    heap[index] = last;
    return first;
  }

  return {
    get nowMs() {
      return nowMs;
    },
    after(delayMs, work) {
      push({ atMs: nowMs + delayMs, order: order++, work });
    },
    run(untilMs = Number.POSITIVE_INFINITY) {
      for (let [next] = heap; next !== undefined && next.atMs <= untilMs; [next] = heap) {
        pop();
        nowMs = next.atMs;
        next.work();
      }
      if (untilMs !== Number.POSITIVE_INFINITY) nowMs = untilMs;
    },
  };
}

/** First in, first out, without moving the rest. */
export function createFifo<T>() {
  let items: T[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    push: (item: T) => void items.push(item),
    /** The first items, at most so many. */
    take(count: number): T[] {
      const taken = items.slice(head, head + count);
      head += taken.length;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
  };
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
