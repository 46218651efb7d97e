// The entry point of search.

import { Type } from 'typebox';
import { type Access, createRoutes, type ReachOf } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Database } from '../../base/postgres/database.ts';
import { SearchQuery, SearchResult } from './schema.ts';
import { createSearchOperation } from './search.ts';

type Options = { db: Database; access: Access; reachOf: ReachOf };

export function createSearch({ db, access, reachOf }: Options): Feature {
  const search = createSearchOperation({ db, reachOf });
  return {
    routes: (server) =>
      createRoutes(server, 'Search').plain('GET', '/search', {
        operationId: 'search',
        summary: 'Search what you can list',
        description:
          'Finds partners by name, agreements and (operators, in a session) users by e-mail address, endpoints by URL and description, ' +
          'event types by name and description, and these (but types), events and deliveries by id. At most 20 of each kind.',
        access: access.signedIn,
        query: SearchQuery,
        answer: Type.Array(SearchResult),
        run: ({ granted, query }) => search(granted, query.q),
      }),
  };
}
