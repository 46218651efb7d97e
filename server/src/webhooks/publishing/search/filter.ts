// The filters of events, from the wire to what a search needs. Pure.
import { readTimeRange, type TimeRange } from '../../../base/http/time-range.ts';
import { type Environment, environments } from '../../signing-keys/index.ts';
import type { eventList } from '../schema.ts';

export type WireFilter = { readonly [N in keyof (typeof eventList)['filters']]?: string | undefined };

/** The id is that of the wire. */
export type EventFilter = Omit<WireFilter, 'environment' | 'created_at'> &
  TimeRange & { readonly environments: readonly Environment[] };

/** @throws ServiceError invalid_request */
export const readFilter = ({ environment, created_at, ...wire }: WireFilter): EventFilter => ({
  ...wire,
  ...readTimeRange(created_at, '/filter[created_at]'),
  environments: environments.filter((each) => environment === undefined || each === environment),
});

/** Whether every event of its environments matches. */
export const isWholeFeed = ({ environments: _, ...conditions }: EventFilter): boolean =>
  Object.values(conditions).every((condition) => condition === undefined);
