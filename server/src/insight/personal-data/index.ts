// The export of everything about a person, which the features contribute: GET /me/export.
import type { Access } from '../../access/index.ts';
import type { Feature } from '../../base/feature.ts';
import type { Database } from '../../base/postgres/database.ts';
import type { Accounts } from '../../people/index.ts';
import { registerExportRoute } from './routes.ts';

type Options = {
  db: Database;
  access: Access;
  accounts: Pick<Accounts, 'readVerifiedEmail' | 'countExport'>;
  features: readonly Feature[];
};

export function createExport({ db, access, accounts, features }: Options): Feature {
  const parts = features.flatMap(({ personalData = [] }) => personalData);
  return { routes: (server) => registerExportRoute(server, { db, access, accounts, parts }) };
}
