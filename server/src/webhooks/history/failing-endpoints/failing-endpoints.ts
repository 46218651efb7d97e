// The endpoints of all partners that need attention, the worst first.
import { formatId } from '../../../base/ids.ts';
import type { Database } from '../../../base/postgres/database.ts';
import { selectFailedLately, selectRecent } from '../../statistics/index.ts';
import type { FailingEndpoint } from './schema.ts';
import { bySeverity, isMended } from './severity.ts';
import { selectSuspects } from './store.ts';

const maxShown = 50;

export const createListFailing =
  ({ db }: { db: Database }) =>
  async (): Promise<FailingEndpoint[]> => {
    const lately = await selectFailedLately(db);
    const suspects = await selectSuspects(
      db,
      lately.map(({ endpoint_id }) => endpoint_id),
    );
    const recent = await selectRecent(db, suspects);
    return suspects
      .map(
        (row): FailingEndpoint => ({
          partner: { id: formatId('partner', row.partner_id), name: row.partner_name },
          endpoint_id: formatId('webhook_endpoint', row.endpoint_id),
          url: row.url,
          description: row.description,
          environment: row.environment,
          status: row.status,
          disabled_reason: row.disabled_reason,
          since: (row.disabled_at ?? row.failing_since)?.toISOString() ?? null,
          recent: recent.get(row.endpoint_id) ?? { attempts: 0, delivered: 0 },
        }),
      )
      .filter((endpoint) => !isMended(endpoint))
      .toSorted(bySeverity)
      .slice(0, maxShown);
  };
