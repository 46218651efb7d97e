// The HTTP of search.
import { Type } from 'typebox';
import type { Access } from '../../access/index.ts';
import type { HttpServer } from '../../base/http/server.ts';
import { SearchQuery, SearchResult } from './schema.ts';
import type { Search } from './search.ts';

type Options = { search: Search; access: Access };

export function registerSearchRoutes(server: HttpServer, { search, access }: Options): void {
  server.get(
    '/search',
    {
      onRequest: access.signedIn.hook,
      schema: {
        tags: ['Search'],
        security: [{ bearer: [] }],
        operationId: 'search',
        summary: 'Search what you can list',
        description:
          'Finds partners by name, agreements and (operators, in a session) users by e-mail address, endpoints by URL and description, ' +
          'event types by name and description, and these (but types), events and deliveries by id. At most 20 of each kind.',
        querystring: SearchQuery,
        response: { 200: Type.Array(SearchResult) },
      },
    },
    (request) => search(access.signedIn.granted(request), request.query.q),
  );
}
