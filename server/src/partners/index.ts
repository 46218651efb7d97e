// The entry point of partners.
import type { Feature } from '../base/feature.ts';
import { createPurge, type DeleteHistory, type Options } from './partners.ts';
import { registerPartnerRoutes } from './routes.ts';

export { createOwnPartner } from './partners.ts';
export { selectPartnerNames, setSignInPolicy } from './store.ts';

/** `deleteHistory`: called before a partner is purged, until it answers true. */
export const createPartners = (options: Options & { deleteHistory: DeleteHistory }): Feature => ({
  routes: (server) => registerPartnerRoutes(server, options),
  tasks: [createPurge(options.deleteHistory)],
});
