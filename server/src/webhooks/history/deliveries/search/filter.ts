// The filters of deliveries, from the wire to what a search needs. Pure.
import { readTimeRange } from '../../../../base/http/time-range.ts';
import type { deliveryList } from '../schema.ts';

type Name = keyof (typeof deliveryList)['filters'];
/** As clients write them. Their forms are checked by the schemas. */
export type WireFilter = { readonly [N in Name]?: string | undefined };

/** Both ends belong to the range. */
type Range = { readonly least: number; readonly most: number };

export type DeliveryFilter = {
  readonly status?: string | undefined;
  readonly state?: string | undefined;
  readonly environment?: string | undefined;
  /** Ids of the wire. */
  readonly endpointId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly eventType?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Of the last attempt. */
  readonly statusCode?: Range | undefined;
  readonly reason?: string | undefined;
  readonly attemptCount?: Range | undefined;
  /** Of any attempt. */
  readonly attemptOutcome?: string | undefined;
  /** Ids of the wire. */
  readonly ids?: readonly string[] | undefined;
  /** Pending deliveries, and those that are as they were at this time. */
  readonly settledBy?: Date | undefined;
};

/** `pointerOf`: where the request has a filter, for the fault. @throws ServiceError invalid_request */
export function readFilter(wire: WireFilter, pointerOf: (name: Name) => string): DeliveryFilter {
  return {
    ...readState(wire),
    environment: wire.environment,
    endpointId: wire.endpoint_id,
    eventId: wire.event_id,
    eventType: wire.event_type,
    ...readTimeRange(wire.created_at, pointerOf('created_at')),
    statusCode: wire.status_code === undefined ? undefined : toStatuses(wire.status_code),
    reason: wire.reason,
    attemptCount: wire.attempt_count === undefined ? undefined : toCounts(wire.attempt_count),
    attemptOutcome: wire.attempt_outcome,
  };
}

const pendingStates = ['queued', 'retrying', 'waiting'];
/** The status that a delivery in this state has. */
export const statusOf = (state: string): string => (pendingStates.includes(state) ? 'pending' : state);

/** A state that is also a status is filtered as the status, which has an index. */
const readState = ({ status, state }: WireFilter): Pick<DeliveryFilter, 'status' | 'state'> =>
  status === undefined && state !== undefined && statusOf(state) === state
    ? { status: state }
    : { status: status ?? (state && statusOf(state)), state };

function toStatuses(text: string): Range {
  const least = Number(text.replace('xx', '00'));
  return { least, most: text.endsWith('xx') ? least + 99 : least };
}

function toCounts(text: string): Range {
  const least = Number.parseInt(text, 10);
  return { least, most: text.endsWith('..') ? maxInteger : least };
}
export const maxInteger = 2 ** 31 - 1;

/**
 * Whether an index leads to the deliveries that match, and to no others. Anything else is searched in
 * windows.
 */
export function isIndexed(filter: DeliveryFilter): boolean {
  const {
    status,
    state,
    environment,
    endpointId,
    eventId,
    eventType,
    statusCode,
    reason,
    attemptCount,
    attemptOutcome,
  } = filter;
  if (state !== undefined || attemptOutcome !== undefined) return false;
  if (statusCode !== undefined || reason !== undefined || attemptCount !== undefined) return false;
  if (eventId !== undefined) return true;
  if (eventType !== undefined || status === 'delivered') return false;
  const chosen = [status, environment, endpointId].filter((each) => each !== undefined);
  return chosen.length < 2 && environment !== 'live';
}

/** What an index has of few deliveries: all that match are among them. `every`: there is no such index. */
export type Narrowing =
  | { readonly by: 'last_status_code' | 'attempt_count'; readonly range: Range }
  | { readonly by: 'last_reason' | 'status'; readonly values: readonly string[] }
  | { readonly by: 'event_type'; readonly type: string }
  | { readonly by: 'attempt_outcome' }
  | { readonly by: 'every' };

/** Those that a delivery without an attempt can have. */
const untried = ['pending', 'cancelled'];

/**
 * The narrowest first. Most last attempts got 2xx, and most deliveries have one attempt: these have no index.
 */
export function narrowing({
  status,
  eventType,
  statusCode,
  reason,
  attemptCount,
  attemptOutcome,
}: DeliveryFilter): Narrowing {
  // What has ended stays for months. What is pending does not.
  if (status === 'pending' || status === 'cancelled') return { by: 'status', values: [status] };
  if (statusCode !== undefined && (statusCode.most < 200 || statusCode.least > 299)) {
    // The last attempt of a delivered delivery was answered with 2xx.
    return status === 'delivered'
      ? { by: 'status', values: [] }
      : { by: 'last_status_code', range: statusCode };
  }
  if (reason !== undefined) return { by: 'last_reason', values: [reason] };
  if (attemptCount !== undefined && attemptCount.least > 1)
    return { by: 'attempt_count', range: attemptCount };
  if (status !== undefined && status !== 'delivered') return { by: 'status', values: [status] };
  if (attemptOutcome !== undefined) return { by: 'attempt_outcome' };
  if (attemptCount?.most === 0) return { by: 'status', values: untried };
  if (eventType !== undefined) return { by: 'event_type', type: eventType };
  return { by: 'every' };
}
