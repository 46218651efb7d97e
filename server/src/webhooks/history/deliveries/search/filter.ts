// The filters of deliveries, from the wire to what a search needs. Pure.
import { readTimeRange } from '../../../../base/http/time-range.ts';
import type { deliveryList } from '../schema.ts';

type Name = keyof (typeof deliveryList)['filters'];
export type GivenDeliveryFilter = { readonly [N in Name]?: string | undefined };

/** Both ends belong to the range. */
export type Range = Readonly<{ least: number; most: number }>;

/** Ids are those of the wire. */
export type DeliveryFilter = Omit<GivenDeliveryFilter, 'created_at' | 'status_code' | 'attempt_count'> &
  Readonly<{
    from?: Date | undefined;
    to?: Date | undefined;
    status_code?: Range | undefined;
    attempt_count?: Range | undefined;
    ids?: readonly string[] | undefined;
    /** Pending deliveries, and those that are as they were at this time. */
    settledBy?: Date | undefined;
  }>;

/** `pointer`: where the request has `created_at`, for the fault. @throws ServiceError invalid_request */
export const readDeliveryFilter = (
  { created_at, status_code, attempt_count, ...wire }: GivenDeliveryFilter,
  pointer = '/filter[created_at]',
): DeliveryFilter => ({
  ...wire,
  ...readState(wire),
  ...readTimeRange(created_at, pointer),
  status_code: status_code === undefined ? undefined : toStatuses(status_code),
  attempt_count: attempt_count === undefined ? undefined : toCounts(attempt_count),
});

const pendingStates = ['queued', 'retrying', 'waiting'];

/** A state that is also a status is filtered as the status, which has an index. */
function readState({ status, state }: GivenDeliveryFilter): Pick<DeliveryFilter, 'status' | 'state'> {
  if (state === undefined) return { status };
  const implied = pendingStates.includes(state) ? 'pending' : state;
  return { status: status ?? implied, state: status === undefined && implied === state ? undefined : state };
}

function toStatuses(text: string): Range {
  const least = Number(text.replace('xx', '00'));
  return { least, most: text.endsWith('xx') ? least + 99 : least };
}

function toCounts(text: string): Range {
  const least = Number.parseInt(text, 10);
  return { least, most: text.endsWith('..') ? maxInteger : least };
}
export const maxInteger = 2 ** 31 - 1;

/** Whether an index has the deliveries that match, and no others. The rest is searched in windows. */
export function isIndexed(filter: DeliveryFilter): boolean {
  const { status, environment, endpoint_id, event_id, event_type } = filter;
  const unindexed = ['state', 'attempt_outcome', 'status_code', 'reason', 'attempt_count'] as const;
  if (unindexed.some((name) => filter[name] !== undefined)) return false;
  if (event_id !== undefined) return true;
  if (event_type !== undefined || status === 'delivered') return false;
  const chosen = [status, environment, endpoint_id].filter((each) => each !== undefined);
  return chosen.length < 2 && environment !== 'live';
}
