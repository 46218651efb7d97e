// The client of this page: the same operations as the API, below /console/api, with the session in a cookie that no script can read.
import { createClient } from '@concord/client';
import { watchedFetch } from './health.ts';

const listeners = new Set<() => void>();
/** Called when Concord says that there is no session any more. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Another tab can have changed the session's token while a request was under way. The new cookie is here by now, so one more try works. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await watchedFetch(request);
  if (response.status !== 401 || isSignIn(request)) return response;
  await response.body?.cancel();
  const second = await watchedFetch(again);
  if (second.status === 401) for (const listener of listeners) listener();
  return second;
}

/** There, 401 means a wrong password or code. */
const isSignIn = ({ url }: Request): boolean => /\/api\/auth\/(sign-in|two-factor\/verify|set-up|step-up)/.test(url);

export const client = createClient({
  baseUrl: `${window.location.origin}/console/api`,
  fetch: (input, init) => {
    const request = new Request(input, init);
    // For browsers that send no Fetch Metadata.
    request.headers.set('concord-console', '1');
    return send(request);
  },
});
