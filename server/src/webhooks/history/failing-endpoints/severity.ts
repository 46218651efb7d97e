// How bad it is that an endpoint fails. Pure.
import type { FailingEndpoint } from './schema.ts';

type Judged = Pick<FailingEndpoint, 'status' | 'since' | 'environment' | 'recent'>;

export const isMended = ({ status, since, recent: { attempts, delivered } }: Judged): boolean =>
  status === 'active' && (attempts > 0 ? delivered === attempts : since === null);

/** Live before sandbox: disabled, then failing for the longest time, then the largest share of failures. */
export function bySeverity(one: Judged, other: Judged): number {
  return (
    rank(one) - rank(other) ||
    (one.since ?? '').localeCompare(other.since ?? '') ||
    deliveredShare(one) - deliveredShare(other)
  );
}

const rank = ({ status, since, environment }: Judged): number =>
  (status === 'disabled' ? 0 : since !== null ? 1 : 2) + (environment === 'live' ? 0 : 3);
const deliveredShare = ({ recent: { attempts, delivered } }: Judged): number =>
  attempts === 0 ? 0 : delivered / attempts;
