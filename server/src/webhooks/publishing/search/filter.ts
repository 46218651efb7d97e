// The filters of events, from the wire to what a search needs. Pure.
import { readTimeRange, type TimeRange } from '../../../base/http/time-range.ts';
import { type Environment, environments } from '../../signing-keys/index.ts';
import type { eventList } from '../schema.ts';

export type WireFilter = { readonly [N in keyof (typeof eventList)['filters']]?: string | undefined };

export type EventFilter = TimeRange & {
  readonly environments: readonly Environment[];
  readonly type?: string | undefined;
  /** Id of the wire. */
  readonly id?: string | undefined;
  readonly producerId?: string | undefined;
  readonly text?: string | undefined;
};

/** @throws ServiceError invalid_request */
export const readFilter = (wire: WireFilter): EventFilter => ({
  environments: environments.filter((each) => wire.environment === undefined || each === wire.environment),
  type: wire.type,
  id: wire.id,
  producerId: wire.producer_id,
  text: wire.text,
  ...readTimeRange(wire.created_at, '/filter[created_at]'),
});

/** Whether every event of its environments matches. */
export const isWholeFeed = ({ environments: _, ...conditions }: EventFilter): boolean =>
  Object.values(conditions).every((condition) => condition === undefined);
