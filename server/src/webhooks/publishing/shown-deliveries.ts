// Who may know where an event goes (behaviour W30, W69).
import type { Granted } from '../../access/index.ts';
import { holds } from '../../access/permissions/index.ts';

/** Otherwise an event would show what the list of deliveries refuses. */
export const mayListDeliveries = ({ principal, membership }: Granted): boolean =>
  holds(principal, membership, [{ resource: 'deliveries', method: 'query' }]);
