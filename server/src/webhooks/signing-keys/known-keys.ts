// The keys of one environment as the database last showed them, for the time while it is away (behaviour
// W27).
import { within } from '../../base/within.ts';

/** How long the JWKS waits for the database. */
const patienceMs = 1_000;
/**
 * How long the memory answers before the database is asked again. After it is back, a change is seen within
 * this time.
 */
const pauseMs = 1_000;
/** Receivers keep a JWKS for as long while Concord cannot be reached. */
const maxAgeMs = 24 * 60 * 60_000;

type Read<Keys> = Readonly<{ keys: Keys; now: number }>;
type Options<Keys> = {
  read: () => Promise<Read<Keys>>;
  /** A clock that never goes back, in milliseconds. */
  elapsedMs?: () => number;
};

export function createKnownKeys<Keys>({ read, elapsedMs = () => performance.now() }: Options<Keys>) {
  let known: (Read<Keys> & { readonly at: number }) | undefined;
  let awayUntil = Number.NEGATIVE_INFINITY;
  let running: Promise<Read<Keys>> | undefined;
  let next: Promise<Read<Keys>> | undefined;

  function start(): Promise<Read<Keys>> {
    const at = elapsedMs();
    const reading = read()
      .then((answer) => {
        known = { ...answer, at };
        return answer;
      })
      .finally(() => {
        running = undefined;
      });
    running = reading;
    return reading;
  }

  /**
   * One read at a time. A read that began earlier may miss a change, so those who come meanwhile share the
   * next one.
   */
  function readAfter(): Promise<Read<Keys>> {
    const startNext = () => {
      next = undefined;
      return start();
    };
    if (!running) return start();
    next ??= running.then(startNext, startNext);
    return next;
  }

  const remembered = (): Read<Keys> | undefined => {
    if (!known) return undefined;
    const age = elapsedMs() - known.at;
    return age <= maxAgeMs ? { keys: known.keys, now: known.now + age } : undefined;
  };

  return {
    /** The present keys. If the database does not answer, the last known ones, at most a day old. */
    async get(): Promise<Read<Keys>> {
      const before = remembered();
      if (before && elapsedMs() < awayUntil) return before;
      try {
        const reading = readAfter();
        return await (before ? within(patienceMs, reading, late) : reading);
      } catch (error) {
        const last = remembered();
        if (!last) throw error;
        awayUntil = elapsedMs() + pauseMs;
        return last;
      }
    },
    /**
     * This process has changed the keys. Reads them, so that a revoked key does not come back when the
     * database is away later.
     */
    changed(): void {
      awayUntil = Number.NEGATIVE_INFINITY;
      // A failure leaves what is known. The next request reads again.
      readAfter().catch(() => {});
    },
  };
}

function late(): never {
  throw new Error('The database has not answered in time');
}
