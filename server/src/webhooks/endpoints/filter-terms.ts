// What an endpoint may filter by: what the schemas of its event types know (behaviour W69).
import type { Queryable } from '../../base/postgres/database.ts';
import { selectEventTypes, selectSchemas } from '../catalogue/store.ts';
import { readFilter } from '../filters/filter.ts';
import { requireKnownPaths } from '../filters/known-paths.ts';
import type { EventFilter } from '../filters/schema.ts';

/** `pointer`: as in `requireKnownPaths`. @throws ServiceError invalid_request */
export async function requireFilter(
  on: Queryable,
  partnerId: string,
  filter: EventFilter | null,
  eventTypes: readonly string[] | null,
  pointer?: string,
): Promise<void> {
  if (filter === null) return;
  const { conditions } = readFilter(filter);
  const types =
    eventTypes === null
      ? await selectEventTypes(on, [partnerId], { archived: false })
      : await selectSchemas(on, partnerId, eventTypes);
  requireKnownPaths(
    conditions,
    types.map(({ schema }) => schema),
    pointer,
  );
}
