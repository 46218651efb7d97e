// The event types that every installation has (behaviour W12). Each start writes them into the database. Nobody
// can change them (W26).

import { checkpointType } from './checkpoint-type.ts';
import { envelopeOf, exampleOf } from './documents/envelope.ts';
import { toWebhook } from './documents/export.ts';
import { isPlatformType, platformTypes } from './platform-types.ts';
import type { Described } from './store.ts';

export type BuiltInEventType = Described & { schema: Record<string, unknown>; example: object };

const forPartners: readonly BuiltInEventType[] = [
  {
    name: 'inventory.updated',
    description: 'The quantity of an article has changed.',
    schema: {
      type: 'object',
      required: ['sku', 'quantity'],
      properties: {
        sku: { type: 'string' },
        quantity: { type: 'integer', minimum: 0 },
        location: { type: ['string', 'null'] },
        updated_at: { type: 'string', format: 'date-time' },
      },
    },
    example: { sku: 'NX-1', quantity: 12, location: 'Oslo', updated_at: '2026-01-01T00:00:00.000Z' },
  },
  {
    name: 'order.status_changed',
    description: 'An order has another status.',
    schema: {
      type: 'object',
      required: ['order_id', 'status'],
      properties: {
        order_id: { type: 'string' },
        status: { type: 'string' },
        previous_status: { type: ['string', 'null'] },
        changed_at: { type: 'string', format: 'date-time' },
      },
    },
    example: {
      order_id: '1001',
      status: 'shipped',
      previous_status: 'packed',
      changed_at: '2026-01-01T00:00:00.000Z',
    },
  },
];

export const builtInEventTypes: readonly BuiltInEventType[] = [
  ...forPartners,
  checkpointType,
  ...platformTypes,
].sort((one, two) => (one.name < two.name ? -1 : 1));

/** Only Concord publishes events of this type. */
export const isReserved = (name: string): boolean => name === checkpointType.name || isPlatformType(name);

/** The webhooks of these types, for the OpenAPI document: the body that receivers get (behaviour W1). */
export const webhookDescriptions = Object.fromEntries(
  builtInEventTypes.map(({ name, description, schema, example }) => {
    const title = name.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const about = { operationId: `on${title}`, summary: description, tags: ['Webhooks'], security: [] };
    const body = { ...envelopeOf(name, schema), title: `${title}Webhook` };
    return [name, toWebhook(about, body, exampleOf(name, example))];
  }),
);
