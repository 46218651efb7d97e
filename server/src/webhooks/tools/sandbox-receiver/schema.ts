// The wire of sandbox receivers (behaviour B10 to B12).
import { type Static, Type } from 'typebox';
import { Closed, closed, HeaderLine, NullableString, Timestamp } from '../../../base/http/schemas.ts';
import { failure } from '../debug/schema.ts';

const url = 'https://concord.example.com/console/receiver/Zm9vYmFyYmF6cXV4cXV1eGNvcmdlZ3Jh';

export const SandboxReceiver = Closed(
  'SandboxReceiver',
  {
    url: Type.String({
      description: 'The URL for an endpoint. Whoever knows it can send requests to the receiver',
    }),
    created_at: Timestamp(),
  },
  { url, created_at: '2026-01-31T08:00:00.000Z' },
);
export type SandboxReceiver = Static<typeof SandboxReceiver>;

const Verification = Type.Object(
  {
    verified: Type.Boolean({
      description: 'Whether the request is a valid sandbox webhook for this partner',
    }),
    ...failure,
    key_id: NullableString('The key that the signature names. null: it names none'),
    event_id: NullableString('The event that the request names. null: it names none'),
    delivery_id: NullableString(
      'The delivery that sent the request. null: it is not verified, or several deliveries can have sent it',
    ),
  },
  closed,
);
export const SandboxReceiverRequest = Closed(
  'SandboxReceiverRequest',
  {
    method: Type.String(),
    headers: Type.Array(HeaderLine, {
      description: 'As they came, without the headers that the endpoint was given',
    }),
    body: Type.String({ description: 'The body, byte for byte' }),
    body_encoding: Type.Enum(['utf8', 'base64'], {
      description: '`base64`: the body is not UTF-8, or has control characters',
    }),
    received_at: Timestamp('When it came'),
    verification: Verification,
  },
  {
    method: 'POST',
    headers: [
      { name: 'content-type', value: 'application/json' },
      { name: 'webhook-id', value: 'evt_01h2xcejqtf2nbrexx3vqjhp41' },
    ],
    body: '{"id":"evt_01h2xcejqtf2nbrexx3vqjhp41"}',
    body_encoding: 'utf8',
    received_at: '2026-01-31T08:00:00.000Z',
    verification: {
      verified: true,
      step: null,
      code: null,
      reason: null,
      key_id: 'b6Qm',
      event_id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
      delivery_id: 'dlv_01h2xcejqtf2nbrexx3vqjhp41',
    },
  },
);
export type SandboxReceiverRequest = Static<typeof SandboxReceiverRequest>;
