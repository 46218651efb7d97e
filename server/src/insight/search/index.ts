// The entry point of search.
import type { Access, ReachOf } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Database } from '../../base/postgres/database.ts';
import { registerSearchRoutes } from './routes.ts';
import { createSearchOperation } from './search.ts';

type Options = { db: Database; access: Access; reachOf: ReachOf };

export function createSearch({ db, access, reachOf }: Options): Feature {
  const search = createSearchOperation({ db, reachOf });
  return { routes: (server) => registerSearchRoutes(server, { search, access }) };
}
