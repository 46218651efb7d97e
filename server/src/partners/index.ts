// The entry point of partners.
import type { Access, ReachOf } from '../access/index.ts';
import type { Feature } from '../base/feature.ts';
import type { Database, Transaction } from '../base/postgres/database.ts';
import { createPartnerOperations, createPurge, type DeleteHistory } from './partners.ts';
import { registerPartnerRoutes } from './routes.ts';

export { createOwnPartner } from './partners.ts';
export { selectPartnerNames, setSignInPolicy } from './store.ts';

type Options = {
  db: Database;
  access: Access;
  reachOf: ReachOf;
  /** Called in the transaction that restores a partner. */
  onRestored: (tx: Transaction, partnerId: string) => Promise<void>;
  /** Called before a partner is purged, until it answers true. */
  deleteHistory: DeleteHistory;
};

export function createPartners({ db, access, reachOf, onRestored, deleteHistory }: Options): Feature {
  const partners = createPartnerOperations({ db, reachOf, onRestored });
  return {
    routes(server) {
      registerPartnerRoutes(server, { partners, access });
    },
    tasks: [createPurge(deleteHistory)],
  };
}
