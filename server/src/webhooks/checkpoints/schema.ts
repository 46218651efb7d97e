// The wire of checkpoints (behaviour W77).
import { type Static, Type } from 'typebox';
import { Closed, Count, NullableString, Timestamp } from '../../base/http/schemas.ts';

export const Checkpoint = Closed(
  'Checkpoint',
  {
    id: Type.String(),
    endpoint_id: Type.String({ description: 'The id of the endpoint' }),
    previous_id: NullableString('The id of the checkpoint before. null: the first of its chain'),
    covers_from: Timestamp('About when the first event that it covers could be published'),
    covers_until: Timestamp('About when the last one could'),
    created_at: Timestamp(),
    count: Count('How many deliveries it covers'),
    delivered: Count('How many of them were delivered when it was made'),
    pending: Count('How many were pending'),
    failed: Count('How many had failed'),
    cancelled: Count('How many were cancelled'),
    root: Type.String({
      description:
        'The Merkle root of the ids of the events, in hexadecimal digits (RFC 9162, section 2.1.1)',
    }),
    jws: Type.String({ description: 'The statement, signed with the key of the environment: a compact JWS' }),
  },
  {
    id: 'cpt_01h2xcejqtf2nbrexx3vqjhp41',
    endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    previous_id: null,
    covers_from: '2026-01-31T08:00:00.000Z',
    covers_until: '2026-01-31T09:00:00.000Z',
    created_at: '2026-01-31T09:00:00.020Z',
    count: 1_200,
    delivered: 1_198,
    pending: 2,
    failed: 0,
    cancelled: 0,
    root: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    jws: 'eyJhbGciOiJFUzM4NCJ9.e30.c2lnbmF0dXJl',
  },
);
export type Checkpoint = Static<typeof Checkpoint>;
export const checkpointList = { kind: 'checkpoint', sortable: {}, filters: {}, endless: true } as const;

export const CheckpointDelivery = Closed(
  'CheckpointDelivery',
  {
    event_id: Type.String({ description: 'A leaf of the Merkle tree' }),
    delivery_id: Type.String(),
    status: Type.Enum(['delivered', 'pending', 'failed', 'cancelled'], {
      description: 'The present status. `pending`: it is on its way',
    }),
  },
  {
    event_id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
    delivery_id: 'dlv_01h2xcejqtf2nbrexx3vqjhp41',
    status: 'delivered',
  },
);
export type CheckpointDelivery = Static<typeof CheckpointDelivery>;
/** A page goes on after an event. */
export const checkpointDeliveryList = { kind: 'event', sortable: {}, filters: {}, endless: true } as const;
