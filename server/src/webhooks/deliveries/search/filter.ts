// The filters of deliveries, from the wire to what a search needs. Pure.
import { readTimeRange } from '../../../http/time-range.ts';
import type { deliveryList } from '../schema.ts';

type Name = keyof (typeof deliveryList)['filters'];
/** As clients write them. Their forms are checked by the schemas. */
export type WireFilter = { readonly [N in Name]?: string | undefined };

/** Both ends belong to the range. */
type Range = { readonly least: number; readonly most: number };

export type DeliveryFilter = {
  readonly status?: string | undefined;
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
  /** Pending deliveries, and those that are as they were at this time. */
  readonly settledBy?: Date | undefined;
};

/** `pointerOf`: where the request has a filter, for the fault. @throws ServiceError invalid_request */
export function readFilter(wire: WireFilter, pointerOf: (name: Name) => string): DeliveryFilter {
  return {
    status: wire.status,
    environment: wire.environment,
    endpointId: wire.endpoint_id,
    eventId: wire.event_id,
    eventType: wire.event_type,
    ...readTimeRange(wire.created_at, pointerOf('created_at')),
    statusCode: wire.status_code === undefined ? undefined : toStatuses(wire.status_code),
    reason: wire.reason,
    attemptCount: wire.attempt_count === undefined ? undefined : toCounts(wire.attempt_count),
  };
}

function toStatuses(text: string): Range {
  const least = Number(text.replace('xx', '00'));
  return { least, most: text.endsWith('xx') ? least + 99 : least };
}

function toCounts(text: string): Range {
  const least = Number.parseInt(text, 10);
  return { least, most: text.endsWith('..') ? maxInteger : least };
}
const maxInteger = 2 ** 31 - 1;

/** Whether an index leads to the deliveries that match, and to few others. Anything else is searched in windows. */
export function isIndexed(filter: DeliveryFilter): boolean {
  const { status, environment, endpointId, eventId, eventType, statusCode, reason, attemptCount } = filter;
  if (statusCode !== undefined || reason !== undefined || attemptCount !== undefined) return false;
  if (eventId !== undefined) return true;
  const withIndex = status === undefined || (status !== 'delivered' && endpointId === undefined);
  return withIndex && environment === undefined && eventType === undefined;
}

const undelivered = ['pending', 'failed', 'cancelled'];

/**
 * The statuses that matching deliveries can have, if `delivered` is not one of them. The last attempt of a delivered delivery was
 * answered with 2xx. An answer that could not be stored is `internal`, whatever its status was.
 */
export function undeliveredStatuses({ status, statusCode, reason }: DeliveryFilter): readonly string[] | null {
  const failed = (statusCode !== undefined && statusCode.least >= 300) || (reason !== undefined && reason !== 'internal');
  if (status !== undefined) return status === 'delivered' ? (failed ? [] : null) : [status];
  return failed ? undelivered : null;
}
