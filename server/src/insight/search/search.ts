// Search: what a caller may list, found by an id or by a text (behaviour Q3).
import type { Caller, Reach, ReachOf } from '../../access/index.ts';
import type { Permission } from '../../access/permissions/index.ts';
import { invalidRequest } from '../../base/errors.ts';
import { parseId } from '../../base/ids.ts';
import type { Database } from '../../base/postgres/database.ts';
import { type Kind, kinds, type SearchResult } from './schema.ts';
import { type Place, selectById, selectByText } from './store.ts';

/** What lists each kind of a partner's objects. */
const permissions: Readonly<
  Record<Exclude<Kind, 'user' | 'event_type'>, readonly [Permission, ...Permission[]]>
> = {
  partner: [
    { resource: 'partner', method: 'query' },
    { resource: 'partner', method: 'get' },
  ],
  agreement: [{ resource: 'agreements', method: 'query' }],
  webhook_endpoint: [{ resource: 'webhook_endpoints', method: 'query' }],
  event: [{ resource: 'events', method: 'query' }],
  delivery: [{ resource: 'deliveries', method: 'query' }],
};

export function createSearchOperation({ db, reachOf }: { db: Database; reachOf: ReachOf }) {
  /** @throws ServiceError invalid_request, mfa_required */
  return async (caller: Caller, q: string): Promise<SearchResult[]> => {
    const text = q.trim();
    const length = [...text].length;
    if (length < 2 || length > 100) {
      throw invalidRequest(
        '/q',
        `must have 2 to 100 characters, without the space around them, but has ${length}`,
      );
    }
    const reach = await reachOf(caller);
    const places = kinds.flatMap((kind) => placeOf(reach, kind));
    for (const kind of kinds) {
      if (kind === 'event_type') continue;
      const id = parseId(kind, text);
      const place = places.find((each) => each.kind === kind);
      // The table of users has the id with its prefix.
      if (id !== null) return place ? selectById(db, place, kind === 'user' ? text : id) : [];
    }
    return selectByText(db, places, text);
  };
}

function placeOf(reach: Reach, kind: Kind): Place[] {
  if (kind === 'user') return reach.platform() ? [{ kind, partnerIds: null }] : [];
  // Everybody who is signed in can list them, private ones of their own partners only.
  if (kind === 'event_type') return [{ kind, partnerIds: reach.anything() }];
  const partnerIds = reach.partners(...permissions[kind]);
  return partnerIds?.length === 0 ? [] : [{ kind, partnerIds }];
}
