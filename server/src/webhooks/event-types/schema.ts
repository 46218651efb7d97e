// The wire of event types.
import { Type } from 'typebox';
import { Text } from '../../http/schemas.ts';

const closed = { additionalProperties: false };
const content = {
  description: Text(2_000),
  schema: Type.Object({}, { description: 'JSON Schema (draft 2020-12) of `data`', additionalProperties: true }),
  example: Type.Unknown({ description: 'Data that fits the schema' }),
};
export const EventType = Type.Object({ name: Type.String(), ...content }, { title: 'EventType', ...closed });
export const PutEventType = Type.Object(content, { title: 'PutEventType', ...closed });
export const EventTypePath = Type.Object({
  name: Type.String({
    maxLength: 100,
    pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$',
    'x-form': 'words of a-z, 0-9 and _ with dots between them, such as order.status_changed',
  }),
});
