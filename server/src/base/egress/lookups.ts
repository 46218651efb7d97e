// Looks up names, a few at a time. Each look-up blocks a thread that signing also needs, for as long as the
// resolver hangs.
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { keepLast } from '../keep-last.ts';

/**
 * Slots by resolver speed: slow resolvers cannot delay quick ones. Node looks up in half of its threads
 * (UV_THREADPOOL_SIZE): unknown and slow names together leave some of those free. So a process has one `LookUp`.
 */
const slots = { quick: 6, unknown: 4, slow: 2 };
type Speed = keyof typeof slots;
const slowMs = 1_000;
const maxRemembered = 10_000;

type LookedUp = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;
export type LookUp = (
  hostname: string,
  options: Pick<LookupOptions, 'family' | 'hints' | 'order'>,
  callback: LookedUp,
) => void;
type Waiting = { key: string; speed: Speed; since: number; start: () => void };

/** Asks the resolver of this machine: `lookup` of node:dns. */
type Ask = (hostname: string, options: LookupOptions & { all: true }, callback: LookedUp) => void;

/**
 * Finds every address of a name. Simultaneous look-ups of a name share the answer. A look-up that waits for
 * `patienceMs` fails.
 */
export function createLookups(patienceMs: number, ask: Ask = lookup): LookUp {
  const speeds = new Map<string, Speed>();
  const asking = new Map<string, LookedUp[]>();
  const running = { quick: 0, unknown: 0, slow: 0 };
  const waiting: Record<Speed, Waiting[]> = { quick: [], unknown: [], slow: [] };

  function answer(key: string, ...result: Parameters<LookedUp>): void {
    const callbacks = asking.get(key) ?? [];
    asking.delete(key);
    for (const callback of callbacks) callback(...result);
  }

  function startNext(speed: Speed): void {
    while (running[speed] < slots[speed]) {
      const next = waiting[speed].shift();
      if (!next) return;
      if (performance.now() - next.since < patienceMs) next.start();
      else
        answer(
          next.key,
          Object.assign(new Error('too many names are being looked up'), { code: 'EAI_AGAIN' }),
          [],
        );
    }
  }

  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options.family, options.hints, options.order]);
    const others = asking.get(key);
    if (others) return void others.push(callback);
    asking.set(key, [callback]);
    const speed = speeds.get(hostname) ?? 'unknown';
    const start = () => {
      running[speed]++;
      const since = performance.now();
      ask(hostname, { ...options, all: true }, (error, addresses) => {
        running[speed]--;
        keepLast(speeds, hostname, performance.now() - since < slowMs ? 'quick' : 'slow', maxRemembered);
        answer(key, error, addresses);
        startNext(speed);
      });
    };
    waiting[speed].push({ key, speed, since: performance.now(), start });
    startNext(speed);
  };
}
