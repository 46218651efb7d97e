// The client of this page: the same operations as the API, below /console/api, with the session in a cookie
// that no script can read.
import { createClient } from '@concord/client';
import { watchedFetch } from './health.ts';
import { keepKeys } from './lost-answers.ts';

const listeners = new Set<() => void>();
/** Called when Concord says that there is no session any more. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Who is signed in, without the 401 that browsers write to their console: settings, which answer 200, say
 * whether there is a cookie.
 * Null: there is one, or it is not known.
 */
async function answerStranger(request: Request): Promise<Response | null> {
  if (request.method !== 'GET' || new URL(request.url).pathname !== '/console/api/me') return null;
  const { headers, signal } = request;
  const settings = await watchedFetch('/console/api/console/settings', { headers, signal });
  if (!settings.ok || (await settings.json()).session_cookie !== false) return null;
  return Response.json(
    { code: 'unauthenticated', message: 'Sign in first.', request_id: '' },
    { status: 401 },
  );
}

/**
 * Another tab can have changed the session's token while a request was under way. The new cookie is here by
 * now, so one more try works.
 */
async function send(request: Request): Promise<Response> {
  const stranger = await answerStranger(request);
  if (stranger) {
    for (const listener of listeners) listener();
    return stranger;
  }
  const again = request.clone();
  const response = await watchedFetch(request);
  if (response.status !== 401 || isSignIn(request)) return response;
  await response.body?.cancel();
  const second = await watchedFetch(again);
  if (second.status === 401) for (const listener of listeners) listener();
  return second;
}

/** There, 401 means a wrong password or code. */
const isSignIn = ({ url }: Request): boolean =>
  /\/api\/auth\/(sign-in|two-factor\/verify|set-up|step-up)/.test(url);

export const client = createClient({
  baseUrl: `${window.location.origin}/console/api`,
  // The window of the limit of all requests, for which the banner says that the page waits (L1, L11).
  maxWaitMs: 10_000,
  fetch: (input, init) => {
    const request = new Request(input, init);
    // For browsers that send no Fetch Metadata.
    request.headers.set('concord-console', '1');
    return send(request);
  },
});
keepKeys(client);
