// The event type of checkpoints (behaviour W77): only Concord publishes it, to the endpoint that the checkpoint is of.

const id = (prefix: string) => ({ type: 'string', pattern: `^${prefix}_[0-9a-z]{26}$` });
const time = { type: 'string', format: 'date-time' };
const count = { type: 'integer', minimum: 0 };

/** What is signed, in this order. */
const properties = {
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
};
const at = '2026-01-01T00:00:00.000Z';

export const checkpointType = {
  name: 'webhook_endpoint.checkpoint',
  description: 'A signed statement of what was published for the endpoint.',
  schema: {
    type: 'object',
    required: [...Object.keys(properties), 'jws'],
    additionalProperties: false,
    properties: { ...properties, jws: { type: 'string' } },
  },
  example: {
    checkpoint_id: 'cpt_01h2xcejqtf2nbrexx3vqjhp41',
    endpoint_id: 'whe_01h2xcejqtf2nbrexx3vqjhp41',
    partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
    environment: 'live',
    previous_id: null,
    covers_from: at,
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
};
