// The door of partners.
import type { Access, VisiblePartners } from '../access/index.ts';
import type { Feature } from '../feature.ts';
import type { Database, Transaction } from '../postgres/database.ts';
import { createPartnerOperations, createPurge, type DeleteHistory } from './partners.ts';
import { registerPartnerRoutes } from './routes.ts';

type Options = {
  db: Database;
  access: Access;
  visiblePartners: VisiblePartners;
  /** Called in the transaction that restores a partner. */
  onRestored: (tx: Transaction, partnerId: string) => Promise<void>;
  /** Called before a partner is purged, until it answers true. */
  deleteHistory: DeleteHistory;
};

export function createPartners({ db, access, visiblePartners, onRestored, deleteHistory }: Options): Feature {
  const partners = createPartnerOperations({ db, visiblePartners, onRestored });
  return {
    routes: (server) => registerPartnerRoutes(server, { partners, access }),
    tasks: [createPurge(deleteHistory)],
  };
}
