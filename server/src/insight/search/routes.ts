// The HTTP of search.
import { Type } from 'typebox';
import { type Access, createRoutes } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { SearchQuery, SearchResult } from './schema.ts';
import type { Search } from './search.ts';

type Options = { search: Search; access: Access };

export function registerSearchRoutes(server: HttpServer, { search, access }: Options): void {
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
  });
}
