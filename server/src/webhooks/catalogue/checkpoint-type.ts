// The event type of checkpoints (behaviour W77): only Concord publishes it, to the endpoint that the checkpoint is of.
import { define, id, time } from './platform-types.ts';

const count = { type: 'integer', minimum: 0 };

export const checkpointType = define(
  'webhook_endpoint.checkpoint',
  'A signed statement of what was published for the endpoint.',
  // What is signed, in this order.
  {
    checkpoint_id: id('cpt'),
    endpoint_id: id('whe'),
    partner_id: id('ptr'),
    environment: { enum: ['live', 'sandbox'] },
    previous_id: { ...id('cpt'), type: ['string', 'null'] },
    covers_from: time,
    covers_until: time,
    created_at: time,
    count,
    delivered: count,
    pending: count,
    failed: count,
    cancelled: count,
    root: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    jws: { type: 'string' },
  },
  {
    checkpoint_id: 'cpt_01h2xcejqtf2nbrexx3vqjhp41',
    previous_id: null,
    covers_from: '2026-01-01T00:00:00.000Z',
    covers_until: '2026-01-01T01:00:00.000Z',
    created_at: '2026-01-01T01:00:00.500Z',
    count: 0,
    delivered: 0,
    pending: 0,
    failed: 0,
    cancelled: 0,
    root: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    jws: 'eyJhbGciOiJFUzM4NCJ9.e30.c2lnbmF0dXJl',
  },
);
