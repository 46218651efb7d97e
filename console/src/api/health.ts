// Whether Concord answers, for the banner. Every response and every failure of the client passes through
// here.
import { createStore } from './store.ts';

type Health =
  | { readonly state: 'ok' }
  /** Concord asked for fewer requests. Polling waits until then. */
  | { readonly state: 'slow'; readonly until: number }
  /** The last request got no answer. */
  | { readonly state: 'unreachable' };

const health = createStore<Health>({ state: 'ok' });
export const { read: readHealth, subscribe: subscribeToHealth, useValue: useHealth } = health;

function set(next: Health): void {
  if (next.state !== readHealth().state || next.state === 'slow') health.set(next);
}

export const isUnderWindow = (): boolean => readHealth().state === 'ok';

/** The default of a 429 without Retry-After. */
const defaultWaitMs = 5_000;

/**
 * To be called while the page waits. It ends when the time has passed, although nothing was asked meanwhile.
 */
export function endWait(): void {
  const health = readHealth();
  if (health.state === 'slow' && Date.now() >= health.until) set({ state: 'ok' });
}

/** Any other limit is about one form, which shows the message (L11). */
const isAboutAllRequests = ({ headers }: Response): boolean =>
  /^(?:"default"|$)/.test(headers.get('ratelimit') ?? '');

/** Of a proxy that does not reach Concord, whose own answers say their version, or of a network that wants a sign-in. */
const isOfProxy = ({ status, type, headers }: Response): boolean =>
  type === 'opaqueredirect' ||
  (!headers.has('api-version') &&
    ([502, 503, 504].includes(status) || headers.get('content-type')?.startsWith('text/html') === true));

/** A person who has waited so long wonders whether anything happens. */
const patienceMs = 8_000;
/** How many have waited longer. */
const late = createStore(0);
export const useLate = late.useValue;

/** To be called when something has been asked of Concord. Call the answer when it is there. */
export function beginWait(): () => void {
  let change = 0;
  const timer = setTimeout(() => {
    change = 1;
    late.set(late.read() + change);
  }, patienceMs);
  return () => {
    clearTimeout(timer);
    late.set(late.read() - change);
  };
}

/** The fetch of the client: it notes how Concord is, and changes nothing. */
export const watchedFetch: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, init).finally(beginWait());
    const health = readHealth();
    if (response.status === 429 && isAboutAllRequests(response)) {
      const seconds = Number(response.headers.get('retry-after'));
      set({ state: 'slow', until: Date.now() + (seconds > 0 ? seconds * 1_000 : defaultWaitMs) });
    } else if (isOfProxy(response)) set({ state: 'unreachable' });
    else if (health.state !== 'slow' || Date.now() >= health.until) set({ state: 'ok' });
    return response;
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) set({ state: 'unreachable' });
    throw error;
  }
};
