// The wire of listeners (behaviour W64).
import { type Static, Type } from 'typebox';
import { Closed, NullableText, Text } from '../../../base/http/schemas.ts';
import { payloads } from '../../endpoints/payload.ts';
import { EventTypeNames } from '../../endpoints/schema.ts';

export const CreateListener = Closed(
  'CreateListener',
  {
    forward_to: Text(
      2_048,
      'Where the command forwards requests, usually on the own machine. They are signed for this URL. Concord sends nothing to it',
    ),
    event_types: Type.Optional(
      EventTypeNames('The event types that the listener wants. null: every type. Default: null'),
    ),
    payload: Type.Optional(
      Type.Enum(payloads, {
        description: '`thin`: requests have events without their `data`. Default: full',
      }),
    ),
    description: Type.Optional(NullableText(2_000)),
  },
  { forward_to: 'http://localhost:4000/hooks', event_types: ['inventory.updated'] },
);
export type CreateListener = Static<typeof CreateListener>;

const duration = Type.Integer({
  minimum: 0,
  maximum: 600_000,
  description: 'How long the receiver took, in milliseconds',
});

/** What the receiver answered, or why it did not. */
export const ListenerAnswer = Closed(
  'ListenerAnswer',
  {
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: 'The status of the receiver' }),
    ),
    body: Type.Optional(
      Type.String({ maxLength: 16_384, description: 'The body of its answer, as text. Default: empty' }),
    ),
    error: Type.Optional(
      Text(
        1_000,
        'Why there is no answer, such as `connection refused`. Either this or `status` is required',
      ),
    ),
    duration_ms: duration,
  },
  { status: 204, duration_ms: 12 },
);
export type ListenerAnswer = Static<typeof ListenerAnswer>;
