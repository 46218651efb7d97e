// The wire of replays of all deliveries that match a filter (behaviour W31).
import { type Static, Type } from 'typebox';
import { filterMembers, listQuery } from '../../http/lists.ts';
import { NullableMoment, PathId, Timestamp } from '../../http/schemas.ts';
import { deliveryList } from '../deliveries/schema.ts';

const closed = { additionalProperties: false };
const filter = filterMembers(deliveryList.filters);
const example = { status: 'failed', status_code: '5xx', created_at: '2026-01-30T08:00:00Z..' };

export const StartReplay = Type.Object(filter, { title: 'StartReplay', ...closed, examples: [example] });
export type StartReplay = Static<typeof StartReplay>;

export const Replay = Type.Object(
  {
    id: Type.String(),
    status: Type.Enum(['running', 'completed']),
    filter: Type.Object(filter, { ...closed, description: 'The filters of the request' }),
    examined: Type.Integer({ minimum: 0, description: 'How many deliveries have been compared with the filter so far' }),
    replayed: Type.Integer({ minimum: 0, description: 'How many matching deliveries got a new round so far' }),
    skipped: Type.Integer({
      minimum: 0,
      description:
        'How many matching deliveries got no new round: they are pending, had 200 attempts, or their endpoint is disabled or deleted',
    }),
    created_at: Timestamp(),
    completed_at: NullableMoment('When the last delivery was examined. null: the replay is running'),
  },
  {
    title: 'Replay',
    ...closed,
    examples: [
      {
        id: 'rpl_01h2xcejqtf2nbrexx3vqjhp41',
        status: 'running',
        filter: example,
        ...{ examined: 20_000, replayed: 480, skipped: 20 },
        created_at: '2026-01-31T09:00:00.000Z',
        completed_at: null,
      },
    ],
  },
);
export type Replay = Static<typeof Replay>;

export const ReplayPath = Type.Object({ id: PathId('The partner'), replay_id: PathId('The replay') });
export const replayList = { kind: 'replay', sortable: {}, filters: {} } as const;
export const ReplayListQuery = listQuery(replayList);
