// The endpoints of all partners that need attention, the worst first.
import { formatId } from '../../../base/ids.ts';
import type { Queryable } from '../../../base/postgres/database.ts';
import { selectFailedLately, selectRecent } from '../../statistics/index.ts';
import type { FailingEndpoint } from './schema.ts';
import { selectSuspects } from './store.ts';

const maxShown = 50;

export async function listFailing(on: Queryable): Promise<FailingEndpoint[]> {
  const lately = await selectFailedLately(on);
  const suspects = await selectSuspects(
    on,
    lately.map(({ endpoint_id }) => endpoint_id),
  );
  const recent = await selectRecent(on, suspects);
  return suspects
    .map(
      ({ partner_id, partner_name, disabled_at, failing_since, ...endpoint }): FailingEndpoint => ({
        ...endpoint,
        partner: { id: formatId('partner', partner_id), name: partner_name },
        endpoint_id: formatId('webhook_endpoint', endpoint.endpoint_id),
        since: (disabled_at ?? failing_since)?.toISOString() ?? null,
        recent: recent.get(endpoint.endpoint_id) ?? { attempts: 0, delivered: 0 },
      }),
    )
    .filter((endpoint) => !isMended(endpoint))
    .toSorted(bySeverity)
    .slice(0, maxShown);
}

type Judged = Pick<FailingEndpoint, 'status' | 'since' | 'environment' | 'recent'>;

export const isMended = ({ status, since, recent: { attempts, delivered } }: Judged) =>
  status === 'active' && (attempts > 0 ? delivered === attempts : since === null);

/** Live before sandbox: disabled, then failing for the longest time, then the largest share of failures. */
export function bySeverity(one: Judged, other: Judged): number {
  return (
    rank(one) - rank(other) ||
    (one.since ?? '').localeCompare(other.since ?? '') ||
    deliveredShare(one) - deliveredShare(other)
  );
}

const rank = ({ status, since, environment }: Judged) =>
  (status === 'disabled' ? 0 : since !== null ? 1 : 2) + (environment === 'live' ? 0 : 3);
const deliveredShare = ({ recent: { attempts, delivered } }: Judged) =>
  attempts === 0 ? 0 : delivered / attempts;
