// The filters of deliveries, from the wire to what a search needs. Pure.
import { readTimeRange } from '../../../../base/http/time-range.ts';
import type { deliveryList } from '../schema.ts';

type Name = keyof (typeof deliveryList)['filters'];
export type WireFilter = { readonly [N in Name]?: string | undefined };

/** Both ends belong to the range. */
type Range = { readonly least: number; readonly most: number };

/** Ids are those of the wire. */
export type DeliveryFilter = Omit<WireFilter, 'created_at' | 'status_code' | 'attempt_count'> & {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly status_code?: Range | undefined;
  readonly attempt_count?: Range | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Pending deliveries, and those that are as they were at this time. */
  readonly settledBy?: Date | undefined;
};

/** `pointerOf`: where the request has a filter, for the fault. @throws ServiceError invalid_request */
export const readFilter = (
  { created_at, status_code, attempt_count, ...wire }: WireFilter,
  pointerOf: (name: Name) => string,
): DeliveryFilter => ({
  ...wire,
  ...readState(wire),
  ...readTimeRange(created_at, pointerOf('created_at')),
  status_code: status_code === undefined ? undefined : toStatuses(status_code),
  attempt_count: attempt_count === undefined ? undefined : toCounts(attempt_count),
});

const pendingStates = ['queued', 'retrying', 'waiting'];

/** A state that is also a status is filtered as the status, which has an index. */
function readState({ status, state }: WireFilter): Pick<DeliveryFilter, 'status' | 'state'> {
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

/** What an index has of few deliveries: all that match are among them. `every`: there is no such index. */
type Narrowing =
  | { readonly by: 'last_status_code' | 'attempt_count'; readonly range: Range }
  | { readonly by: 'last_reason' | 'status'; readonly values: readonly string[] }
  | { readonly by: 'event_type'; readonly type: string }
  | { readonly by: 'attempt_outcome' }
  | { readonly by: 'every' };

/** The narrowest first. Last attempts with 2xx and deliveries with one attempt are many, so have no index. */
export function narrowing(filter: DeliveryFilter): Narrowing {
  const { status, event_type, status_code, reason, attempt_count, attempt_outcome } = filter;
  // What has ended stays for months. What is pending does not.
  if (status === 'pending' || status === 'cancelled') return { by: 'status', values: [status] };
  if (status_code !== undefined && (status_code.most < 200 || status_code.least > 299)) {
    // The last attempt of a delivered delivery was answered with 2xx.
    return status === 'delivered'
      ? { by: 'status', values: [] }
      : { by: 'last_status_code', range: status_code };
  }
  if (reason !== undefined) return { by: 'last_reason', values: [reason] };
  if (attempt_count !== undefined && attempt_count.least > 1)
    return { by: 'attempt_count', range: attempt_count };
  if (status !== undefined && status !== 'delivered') return { by: 'status', values: [status] };
  if (attempt_outcome !== undefined) return { by: 'attempt_outcome' };
  if (attempt_count?.most === 0) return { by: 'status', values: ['pending', 'cancelled'] };
  if (event_type !== undefined) return { by: 'event_type', type: event_type };
  return { by: 'every' };
}
