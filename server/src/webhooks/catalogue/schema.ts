// The wire of event types.
import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  closed,
  NullableArray,
  NullableMoment,
  NullableObject,
  NullableString,
  NullableText,
  Text,
  Timestamp,
} from '../../base/http/schemas.ts';

const content = {
  description: Text(2_000, 'What the event means'),
  schema: Type.Object(
    {},
    {
      description: 'The JSON Schema (draft 2020-12) that the `data` of the events must fit',
      additionalProperties: true,
    },
  ),
  example: Type.Unknown({ description: 'Data that fits the schema. Test events have it' }),
};
const example = {
  description: 'The quantity of an article has changed.',
  schema: {
    type: 'object',
    required: ['sku', 'quantity'],
    properties: { sku: { type: 'string' }, quantity: { type: 'integer', minimum: 0 } },
  },
  example: { sku: 'NX-1', quantity: 12 },
};
const meanings = {
  partner_ids: 'The partners that see the type, and can publish and subscribe to it',
  deprecated: 'When subscribers should stop relying on the type, and what to use instead',
  successor: 'The type to use instead. null: there is none',
};
const settings = {
  partner_ids: ['ptr_01h2xcejqtf2nbrexx3vqjhp41'],
  deprecated: { at: '2027-01-31T00:00:00.000Z', successor: 'stock.counted' },
};

export const EventType = Closed(
  'EventType',
  {
    name: Type.String({ description: 'The name that events have as their `type`' }),
    ...content,
    partner_ids: NullableArray(
      Type.String(),
      `${meanings.partner_ids}, of those that you have access to. null: all partners`,
    ),
    deprecated: NullableObject(
      Type.Object({ at: Timestamp(), successor: NullableString(meanings.successor) }, closed),
      `${meanings.deprecated}. null: the type is not deprecated`,
    ),
    archived_at: NullableMoment(
      'When the type stopped taking events and subscriptions. null: it is not archived',
    ),
  },
  { name: 'inventory.updated', ...example, ...settings, archived_at: null },
);

export const PutEventType = Closed(
  'PutEventType',
  {
    ...content,
    partner_ids: Type.Optional(
      NullableArray(
        Text(100),
        `${meanings.partner_ids}. []: only operators see it. null: all partners. Default: as it is, and null for a new type`,
        { maxItems: 1_000, uniqueItems: true },
      ),
    ),
    deprecated: Type.Optional(
      NullableObject(
        Type.Object(
          {
            at: Timestamp(),
            successor: Type.Optional(NullableText(100, `${meanings.successor}. Default: null`)),
          },
          closed,
        ),
        `${meanings.deprecated}. null: not deprecated. Default: as it is, and null for a new type`,
      ),
    ),
    archived: Type.Optional(
      Type.Boolean({
        description:
          'Whether the type takes no events and no subscriptions. Default: as it is, and false for a new type',
      }),
    ),
  },
  { ...example, ...settings, archived: false },
);
export type PutEventType = Static<typeof PutEventType>;

export const eventTypeFilters = {
  archived: {
    description: '`true`: only archived types. `false`: only the others. Default: false',
    values: ['true', 'false'],
  },
} as const;

export const EventTypePath = Type.Object({
  name: Type.String({
    description: 'The name of the event type',
    maxLength: 100,
    pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$',
    'x-form': 'words of a-z, 0-9 and _ with dots between them, such as order.status_changed',
  }),
});
export const PutEventTypeQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({
      description:
        'Changes the type even if its new schema refuses some of its last 1,000 events, or if endpoints lose it. Default: false',
    }),
  ),
});

export const CheckEventType = Closed(
  'CheckEventType',
  { schema: content.schema },
  { schema: example.schema },
);
export const EventTypeCheck = Closed(
  'EventTypeCheck',
  {
    checked: Count('How many of the last 1,000 events were checked'),
    failed: Count('How many of them do not fit the schema'),
    complete: Type.Boolean({
      description: 'false: older events were left out, since the check took 10 seconds or 16 MiB',
    }),
    failures: Type.Array(
      Type.Object(
        {
          event_id: Type.String(),
          partner_id: Type.String(),
          pointer: Type.String({ description: 'The place in the event, as a JSON pointer' }),
          message: Type.String({ description: 'What the schema asks for there' }),
        },
        closed,
      ),
      { description: 'The latest 20 events that do not fit, the latest first, each with its first fault' },
    ),
  },
  {
    checked: 1_000,
    failed: 1,
    complete: true,
    failures: [
      {
        event_id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
        partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
        pointer: '/data/quantity',
        message: 'quantity must be an integer 0 or more',
      },
    ],
  },
);
