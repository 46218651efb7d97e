// The body that receivers get, as a schema: written into documents, and recognised in them. Pure.
import { isObject } from '../../../base/http/schemas.ts';

export type Schema = Readonly<Record<string, unknown>>;

const members = ['id', 'type', 'created_at', 'partner_id', 'environment', 'data'];

export const envelopeOf = (name: string, data: unknown) => ({
  type: 'object',
  required: members,
  properties: {
    id: { type: 'string', description: 'The event' },
    type: { const: name },
    created_at: { type: 'string', format: 'date-time' },
    partner_id: { type: 'string' },
    environment: { enum: ['live', 'sandbox'] },
    data,
  },
});

export const exampleOf = (name: string, data: unknown) => ({
  id: 'evt_01h2xcejqtf2nbrexx3vqjhp41',
  type: name,
  created_at: '2026-01-01T00:00:00.000Z',
  partner_id: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  environment: 'live',
  data,
});

export const isEnvelope = (schema: unknown): schema is { properties: { data: unknown } } =>
  isObject(schema) &&
  isObject(schema.properties) &&
  members.every((name) => name in Object(schema.properties));

/** References inside a schema with an `$id` stay inside it, wherever a document puts it. */
export const idOf = (name: string) => `urn:concord:event-type:${name}`;
