// The wire of replays of all deliveries that match a filter (behaviour W31).
import { type Static, Type } from 'typebox';
import { filterMembers } from '../../../base/http/lists.ts';
import {
  Closed,
  Count,
  NullableInteger,
  NullableMoment,
  Text,
  Timestamp,
} from '../../../base/http/schemas.ts';
import { deliveryList } from '../deliveries/schema.ts';

/**
 * Most deliveries with a failed attempt have been delivered since, so `attempt_outcome` chooses none to
 * replay.
 */
const { attempt_outcome: _, ...filters } = deliveryList.filters;
const filter = filterMembers(filters);
const example = { status: 'failed', status_code: '5xx', created_at: '2026-01-30T08:00:00Z..' };

export const StartReplay = Closed('StartReplay', filter, example);
export type StartReplay = Static<typeof StartReplay>;

const chosen = {
  delivery_ids: Type.Optional(
    Type.Array(Text(255), {
      minItems: 1,
      maxItems: 200,
      description: 'Only these deliveries. Default: all that match the filters',
    }),
  ),
};
export const StartSendNow = Closed(
  'StartSendNow',
  {
    ...filter,
    status: Type.Optional(
      Type.Literal('pending', { description: 'Only pending deliveries can be sent now' }),
    ),
    ...chosen,
  },
  { endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41' },
);
export type StartSendNow = Static<typeof StartSendNow>;

export const Replay = Closed(
  'Replay',
  {
    id: Type.String(),
    action: Type.Enum(['replay', 'send_now'], {
      description:
        '`replay`: each delivery gets a new round of attempts. `send_now`: the next attempt of each pending delivery is due',
    }),
    status: Type.Enum(['running', 'completed', 'stopped']),
    filter: Type.Object(
      { ...filter, ...chosen },
      { additionalProperties: false, description: 'The filters of the request' },
    ),
    total: NullableInteger(
      'How many deliveries matched when it was requested. It grows if more match later. null: more than Concord counts',
    ),
    examined: Count(
      'How many of them the replay has gone through so far: those that it has replayed, or sent now, and those that it has skipped',
    ),
    replayed: Count('How many matching deliveries got a new round, or were sent now, so far'),
    skipped: Count(
      'How many matching deliveries stayed as they are. `replay`: they are pending, had 200 attempts, or their endpoint is disabled or deleted. ' +
        '`send_now`: they are held, have completed meanwhile, or their endpoint is paused or disabled',
    ),
    filtered: NullableInteger(
      'How many deliveries filters of endpoints prevented, of the same events and endpoints, when it was requested. A replay does not send them. null: a send-now',
    ),
    created_at: Timestamp(),
    completed_at: NullableMoment(
      'When the last delivery was examined, or somebody stopped it. null: it is running',
    ),
  },
  {
    id: 'rpl_01h2xcejqtf2nbrexx3vqjhp41',
    action: 'replay',
    status: 'running',
    filter: example,
    total: 1_200,
    examined: 500,
    replayed: 480,
    skipped: 20,
    filtered: 40,
    created_at: '2026-01-31T09:00:00.000Z',
    completed_at: null,
  },
);
export type Replay = Static<typeof Replay>;

export const replayList = { kind: 'replay', sortable: {}, filters: {}, endless: true } as const;
