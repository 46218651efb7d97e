// The wire of event types.
import { Type } from 'typebox';
import { Closed, Count, Text } from '../../base/http/schemas.ts';

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
export const EventType = Closed(
  'EventType',
  { name: Type.String({ description: 'The name that events have as their `type`' }), ...content },
  { name: 'inventory.updated', ...example },
);
export const PutEventType = Closed('PutEventType', content, example);
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
        'Changes the type even if its new schema refuses some of its last 1,000 events. Default: false',
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
        { additionalProperties: false },
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
