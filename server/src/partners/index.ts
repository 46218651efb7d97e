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
  /** Called when a partner is restored, in its transaction. */
  onRestored: (tx: Transaction, partnerId: string) => Promise<void>;
  /** Called until nothing is left, before a partner is purged. */
  deleteHistory: DeleteHistory;
};

export function createPartners({ db, access, visiblePartners, onRestored, deleteHistory }: Options): Feature {
  const partners = createPartnerOperations({ db, visiblePartners, onRestored });
  return {
    routes: (server) => registerPartnerRoutes(server, { partners, access }),
    tasks: [createPurge(deleteHistory)],
  };
}
