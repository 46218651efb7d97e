// The wire of deliveries (behaviour W11).
import { type Static, Type } from 'typebox';
import { filterQuery } from '../../../base/http/lists.ts';
import {
  Closed,
  Count,
  HeaderLine,
  NullableInteger,
  NullableMoment,
  NullableObject,
  NullableString,
  Timestamp,
} from '../../../base/http/schemas.ts';
import { environments } from '../../environments.ts';
import { failureReasons } from '../../statistics/index.ts';

const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;
/** A state says more than a status: why a delivery is pending. */
const states = ['queued', 'retrying', 'waiting', 'delivered', 'failed', 'cancelled'] as const;
/** Why an attempt has no usable answer. Refused answers have a status instead. */
export const reasons = failureReasons.filter((reason) => !reason.startsWith('status_'));
const stateMeanings =
  '`queued`: pending, and its round has no attempt yet. `retrying`: pending after a failed attempt. ' +
  '`waiting`: pending, and its endpoint is paused, disabled or unchecked, or it is held after a restore. The others are as in `status`';

const members = {
  id: Type.String(),
  event_id: Type.String({ description: 'The id of the event that is delivered' }),
  event_type: Type.String({ description: 'The type of the event' }),
  endpoint_id: Type.String({ description: 'The id of the endpoint, which may be deleted by now' }),
  environment: Type.Enum(environments, { description: 'The environment of the event and the endpoint' }),
  status: Type.Enum(statuses, {
    description:
      '`failed`: the last attempt of the round failed, or the delivery expired. `cancelled`: the endpoint was deleted',
  }),
  state: Type.Enum(states, { description: stateMeanings }),
  attempt_count: Count('The number of attempts so far, of all rounds'),
  status_code: NullableInteger(
    'The HTTP status that answered the last attempt. null: there was no attempt, or no answer',
  ),
  reason: Type.Unsafe<(typeof reasons)[number] | null>({
    type: ['string', 'null'],
    enum: [...reasons, null],
    description: 'Why the last attempt failed. null: it did not, or its status says why',
  }),
  next_attempt_at: NullableMoment(
    'When the next attempt is due. null: the delivery is not pending, or it is `waiting`',
  ),
  created_at: Timestamp('When the event was published'),
  completed_at: NullableMoment('When the delivery was delivered, failed or cancelled. null: it is pending'),
};
export const delivered = {
  id: 'dlv_01h2xcejqtf2nbrexx3vqjhp41',
  event_id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
  event_type: 'inventory.updated',
  endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
  environment: 'live',
  status: 'delivered',
  state: 'delivered',
  attempt_count: 1,
  status_code: 204,
  reason: null,
  next_attempt_at: null,
  created_at: '2026-01-31T08:00:00.000Z',
  completed_at: '2026-01-31T08:00:00.145Z',
};
export const Delivery = Closed('Delivery', members, delivered);
export type Delivery = Static<typeof Delivery>;

const acknowledged = {
  number: 1,
  started_at: '2026-01-31T08:00:00.012Z',
  duration_ms: 128,
  status_code: 204,
  error: null,
  response_body: '',
  batch: { id: 'bat_01h2xcejqtf2nbrexx3vqjhp41', events: 2 },
};
const sentBatch = Closed('SentBatch', {
  id: Type.String({ description: 'The `Webhook-Id` of the request' }),
  events: Type.Integer({ minimum: 1, description: 'How many events the request carried' }),
});
const attemptMembers = {
  number: Type.Integer({ minimum: 1, description: 'Counts the attempts of the delivery, of all rounds' }),
  started_at: Timestamp(),
  duration_ms: Count('The duration of the request, in milliseconds'),
  status_code: NullableInteger('The HTTP status of the answer. null: there was no answer'),
  error: NullableString(
    'A reason and its details, such as `timeout: ...` (docs/webhooks.md). null: there was an answer, and no redirect',
  ),
  response_body: NullableString(
    'The first 16 KiB of the answer, with U+FFFD for control characters. null: there was no answer',
  ),
  batch: NullableObject(sentBatch, 'The batch that was sent. null: the request carried this event alone'),
};
const Attempt = Closed('Attempt', attemptMembers, acknowledged);
export type Attempt = Static<typeof Attempt>;
export const DeliveryWithAttempts = Closed(
  'DeliveryWithAttempts',
  { ...members, attempts: Type.Array(Attempt, { description: 'All attempts, the oldest first' }) },
  { ...delivered, attempts: [acknowledged] },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

const sentRequest = Closed('SentRequest', {
  method: Type.String(),
  url: Type.String({ description: 'The URL as it was signed, which the endpoint may no longer have' }),
  headers: Type.Array(HeaderLine, {
    description:
      'In the order in which they are sent, without the headers that the endpoint was given, and without Connection',
  }),
  body: Type.String({ description: 'The body, byte for byte' }),
});

const created = 1_769_846_400;
const digest = 'sha-256=:iKy56iXnNhwSLv+zGqjjVEYzPpyS/ZGn5vO07xKwNqc=:';
const parameters = `("@method" "@target-uri" "content-type" "content-digest" "webhook-id");created=${created};alg="ecdsa-p384-sha384";keyid="b6Qm"`;
const signed = {
  ...acknowledged,
  request: {
    method: 'POST',
    url: 'https://hooks.example.com/',
    headers: [
      { name: 'host', value: 'hooks.example.com' },
      { name: 'content-type', value: 'application/json' },
      { name: 'content-digest', value: digest },
      { name: 'webhook-id', value: 'bat_01h2xcejqtf2nbrexx3vqjhp41' },
      { name: 'webhook-attempt', value: '1' },
      { name: 'user-agent', value: 'Concord (https://concord.example.com)' },
      { name: 'signature-input', value: `sig1=${parameters}` },
      { name: 'signature', value: 'sig1=:cGgT:' },
      { name: 'content-length', value: '7' },
    ],
    body: '[{},{}]',
  },
  signature_base: [
    '"@method": POST',
    '"@target-uri": https://hooks.example.com/',
    '"content-type": application/json',
    `"content-digest": ${digest}`,
    '"webhook-id": bat_01h2xcejqtf2nbrexx3vqjhp41',
    `"@signature-params": ${parameters}`,
  ].join('\n'),
  key_id: 'b6Qm',
  created,
  signature: 'cGgT',
};

const orNull = 'null: no request was signed, or an earlier version sent it';

export const AttemptWithRequest = Closed(
  'AttemptWithRequest',
  {
    ...attemptMembers,
    request: NullableObject(sentRequest, `The request as it was signed. ${orNull}`),
    signature_base: NullableString(`The text that was signed (RFC 9421, section 2.5). ${orNull}`),
    key_id: NullableString(`The key that signed. ${orNull}`),
    created: NullableInteger(`When the request was signed, in Unix seconds. ${orNull}`),
    signature: NullableString(`The signature in base64: r and s of ECDSA (IEEE P1363). ${orNull}`),
  },
  signed,
);
export type AttemptWithRequest = Static<typeof AttemptWithRequest>;

export const deliveryList = {
  kind: 'delivery',
  sortable: {},
  endless: true,
  filters: {
    status: { description: 'Deliveries in this status', values: statuses },
    state: { description: `Deliveries in this state. ${stateMeanings}`, values: states },
    environment: { description: 'Deliveries of this environment', values: environments },
    endpoint_id: 'Deliveries to this endpoint',
    event_id: 'Deliveries of this event',
    event_type: 'Deliveries of events of this type',
    created_at:
      'Deliveries created in the period `<from>..<to>`, without `to` itself. One of the two times may be left out',
    status_code: {
      description:
        'Deliveries whose last attempt got this status, such as `404`, or a status of this class, such as `5xx`',
      pattern: '^[1-9](?:\\d\\d|xx)$',
      form: 'an HTTP status such as 404, or a class such as 5xx',
    },
    reason: {
      description: 'Deliveries whose last attempt has an error with this reason',
      values: reasons,
    },
    attempt_count: {
      description: 'Deliveries with this number of attempts, such as `3`. `3..` is at least 3',
      pattern: '^(?:0|[1-9]\\d{0,2})(?:\\.\\.)?$',
      form: 'a number from 0 to 999, such as 3, or 3.. for at least 3',
    },
    attempt_outcome: {
      description: 'Deliveries with an attempt of this outcome, also if a later one delivered',
      values: ['failed'],
    },
  },
} as const;
export const DeliveryCountQuery = filterQuery(deliveryList.filters);

const atLeast = 'The least there are, if `complete` is false';
export const DeliveryCounts = Closed(
  'DeliveryCounts',
  {
    matching: Count(`How many deliveries match the filters. ${atLeast}`),
    replayable: Count(`How many of them a replay would send again. ${atLeast}`),
    sendable: Count(`How many of them are pending and can be sent now. ${atLeast}`),
    filtered: Count(
      'How many deliveries of such events to such endpoints their filters prevented, in the last 100,000 events with any. ' +
        'Only the filters by event, type, environment, endpoint and time count',
    ),
    complete: Type.Boolean({ description: 'Whether all deliveries were counted' }),
  },
  { matching: 1_200, replayable: 480, sendable: 700, filtered: 40, complete: true },
);
export type DeliveryCounts = Static<typeof DeliveryCounts>;
