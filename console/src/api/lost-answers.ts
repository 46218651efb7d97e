// Changes whose answer was lost on the way: Concord may have done them.
import {
  type BanUserData,
  type Concord,
  ConcordError,
  type PauseWebhookEndpointData,
  type UnbanUserData,
} from '@concord/client';

const header = 'idempotency-key';
/** Later, the same change is another wish of the person. */
const keptMs = 15 * 60_000;
const maxKept = 100;

/** They do no more a second time, and somebody else can have undone them: who is banned again must be banned. */
const states: ReadonlySet<string> = new Set<(BanUserData | UnbanUserData | PauseWebhookEndpointData)['url']>([
  '/users/{id}/ban',
  '/users/{id}/unban',
  '/partners/{id}/webhook-endpoints/{endpoint_id}/pause',
]);

/** The keys of changes without an answer, by what they change. */
const kept = new Map<string, { readonly key: string; readonly until: number }>();
const changes = new WeakMap<Request, string>();
const doubtful = new WeakSet<ConcordError>();

/** There was no answer, or not Concord's. */
const isLost = ({ status, code }: ConcordError): boolean => status === null || code === 'invalid_answer';

/** Also: Concord failed, or an earlier request with the key is still under way. */
export const isUnanswered = (error: unknown): error is ConcordError =>
  error instanceof ConcordError &&
  (isLost(error) || (error.status ?? 0) >= 500 || error.code === 'idempotency_in_flight');

/** It may be done, and a second request would do it once more. */
export const isDoubtful = (error: unknown): error is ConcordError => doubtful.has(error as ConcordError);

/** A change that is sent again after its answer was lost has the same key, so that it is done once (C2). */
export function keepKeys({ interceptors }: Concord): void {
  interceptors.request.use(async (request, { url }) => {
    const key = request.headers.get(header);
    if (key === null || states.has(url)) return request;
    const change = `${request.method} ${request.url} ${await request.clone().text()}`;
    changes.set(request, change);
    const before = kept.get(change);
    if (before !== undefined && before.until > Date.now()) request.headers.set(header, before.key);
    return request;
  });
  interceptors.response.use((response, request) => {
    const change = changes.get(request);
    // It may have undone another change, which the person can then want again.
    if (response.ok && (change !== undefined || /^(DELETE|PUT)$/.test(request.method)))
      for (const each of kept.keys())
        if (each === change || !each.startsWith(`${request.method} ${request.url} `)) kept.delete(each);
    return response;
  });
  interceptors.error.use((error, _, request) => {
    if (request === undefined) return error;
    const change = changes.get(request);
    if (change === undefined) {
      if (request.method === 'POST' && error instanceof ConcordError && isLost(error)) doubtful.add(error);
      return error;
    }
    // Concord can refuse a request before it looks at the key: the change before may still be done.
    if (!isUnanswered(error)) return error;
    kept.delete(change);
    kept.set(change, { key: request.headers.get(header) ?? '', until: Date.now() + keptMs });
    const [oldest = ''] = kept.keys();
    if (kept.size > maxKept) kept.delete(oldest);
    return error;
  });
}
