// The wire of events (behaviour W9, W10).
import { type Static, Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { NullableString, Text, Timestamp } from '../../http/schemas.ts';
import { environments } from '../../signing-keys/index.ts';

const closed = { additionalProperties: false };

export const Event = Type.Object(
  {
    id: Type.String({ examples: ['evt_01h2xcejqtf2nbrexx3vqjhp41'] }),
    type: Type.String(),
    environment: Type.Enum([...environments]),
    producer_id: NullableString(),
    created_at: Timestamp(),
    data: Type.Unknown({ description: 'As it was published' }),
  },
  { title: 'Event', ...closed },
);

export const PublishEvent = Type.Object(
  {
    type: Text(100, 'One of GET /event-types'),
    data: Type.Unknown({ description: 'What the schema of the type says' }),
    environment: Type.Optional(Type.Enum([...environments], { description: 'Default: live' })),
    producer_id: Type.Optional(
      Type.Unsafe<string>({
        ...Text(255, 'Your own id of the event: the same one with the same content is the same event'),
        minLength: 1,
      }),
    ),
  },
  { title: 'PublishEvent', ...closed },
);
export type PublishEvent = Static<typeof PublishEvent>;
export const PublishEvents = Type.Array(PublishEvent, { maxItems: 1_000 });

export const eventList = {
  kind: 'event',
  sortable: {},
  filters: { environment: { description: 'Events of this environment', values: [...environments] } },
} as const;
export const EventListQuery = listQuery(eventList);
