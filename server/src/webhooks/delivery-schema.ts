// The wire of deliveries and of recoveries (behaviour W11).
import { type Static, Type } from 'typebox';
import { listQuery } from '../http/lists.ts';
import { NullableMoment, NullableString, PathId, Timestamp } from '../http/schemas.ts';
import { environments } from '../signing-keys/index.ts';

const closed = { additionalProperties: false };
const statuses = ['pending', 'delivered', 'failed', 'cancelled'] as const;

const members = {
  id: Type.String({ examples: ['dlv_01h2xcejqtf2nbrexx3vqjhp41'] }),
  event_id: Type.String(),
  event_type: Type.String(),
  endpoint_id: Type.String(),
  environment: Type.Enum([...environments]),
  status: Type.Enum([...statuses]),
  attempt_count: Type.Integer(),
  next_attempt_at: NullableMoment('When it is due; null when it is not pending'),
  created_at: Timestamp(),
  completed_at: NullableMoment('When it was delivered, failed or was cancelled'),
};
export const Delivery = Type.Object(members, { title: 'Delivery', ...closed });
export type Delivery = Static<typeof Delivery>;

const Attempt = Type.Object(
  {
    number: Type.Integer(),
    started_at: Timestamp(),
    duration_ms: Type.Integer(),
    status_code: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    error: NullableString(),
    response_body: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The first 16 KiB' }),
  },
  { title: 'Attempt', ...closed },
);
export type Attempt = Static<typeof Attempt>;
export const DeliveryWithAttempts = Type.Object(
  { ...members, attempts: Type.Array(Attempt) },
  { title: 'DeliveryWithAttempts', ...closed },
);
export type DeliveryWithAttempts = Static<typeof DeliveryWithAttempts>;

export const DeliveryPath = Type.Object({ id: PathId('The partner'), delivery_id: PathId('The delivery') });
export const deliveryList = {
  kind: 'delivery',
  sortable: {},
  filters: {
    status: { description: 'Deliveries in this status', values: [...statuses] },
    endpoint_id: 'Deliveries to this endpoint',
    event_id: 'Deliveries of this event',
    event_type: 'Deliveries of events of this type',
    created_at: 'Deliveries of this time, `<from>..<to>`: from included, to not, either may be missing',
  },
} as const;
export const DeliveryListQuery = listQuery(deliveryList);

export const StartRecovery = Type.Object(
  {
    since: Type.String({ format: 'date-time', description: 'Failed deliveries that were created from then on' }),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'And before then; default: now' })),
  },
  { title: 'StartRecovery', ...closed },
);
export type StartRecovery = Static<typeof StartRecovery>;
export const Recovery = Type.Object(
  {
    id: Type.String({ examples: ['rcv_01h2xcejqtf2nbrexx3vqjhp41'] }),
    endpoint_id: Type.String(),
    status: Type.Enum(['running', 'completed']),
    since: Timestamp(),
    until: Timestamp(),
    total: Type.Integer({ description: 'Failed deliveries of that time when it was asked for' }),
    replayed: Type.Integer({ description: 'Of these, pending again by now' }),
    created_at: Timestamp(),
    completed_at: NullableMoment('When the last one was replayed'),
  },
  { title: 'Recovery', ...closed },
);
export type Recovery = Static<typeof Recovery>;
export const RecoveryPath = Type.Object({
  id: PathId('The partner'),
  endpoint_id: PathId('The endpoint'),
  job_id: PathId('The recovery'),
});
