// The wire of deliveries (behaviour W11).
import { type Static, Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';
import { NullableMoment, NullableString, PathId, Timestamp } from '../../http/schemas.ts';
import { environments } from '../../signing-keys/index.ts';

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
    environment: { description: 'Deliveries of this environment', values: [...environments] },
    endpoint_id: 'Deliveries to this endpoint',
    event_id: 'Deliveries of this event',
    event_type: 'Deliveries of events of this type',
    created_at: 'Deliveries created in this time, `<from>..<to>`: with from, without to; either may be left out',
  },
} as const;
export const DeliveryListQuery = listQuery(deliveryList);
