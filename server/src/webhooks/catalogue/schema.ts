// The wire of event types.
import { Type } from 'typebox';
import { Text } from '../../base/http/schemas.ts';

const closed = { additionalProperties: false };
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
export const EventType = Type.Object(
  { name: Type.String({ description: 'The name that events have as their `type`' }), ...content },
  { title: 'EventType', ...closed, examples: [{ name: 'inventory.updated', ...example }] },
);
export const PutEventType = Type.Object(content, { title: 'PutEventType', ...closed, examples: [example] });
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

export const CheckEventType = Type.Object(
  { schema: content.schema },
  { title: 'CheckEventType', ...closed, examples: [{ schema: example.schema }] },
);
export const EventTypeCheck = Type.Object(
  {
    checked: Type.Integer({ minimum: 0, description: 'How many of the last 1,000 events were checked' }),
    failed: Type.Integer({ minimum: 0, description: 'How many of them do not fit the schema' }),
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
    title: 'EventTypeCheck',
    ...closed,
    examples: [
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
    ],
  },
);
