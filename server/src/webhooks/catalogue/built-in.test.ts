// The receiver package describes the built-in event types as their schemas do.
import type { InventoryUpdated, OrderStatusChanged } from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { builtInEventTypes } from './built-in.ts';

/**
 * Each member of the data with a value for every JSON type that it may have. The compiler compares this with
 * the types.
 */
type Samples<Data> = { [Name in keyof Required<Data>]: Required<Data>[Name][] };
const inventory: Samples<InventoryUpdated['data']> = {
  sku: [''],
  quantity: [1],
  location: ['', null],
  updated_at: [''],
};
const order: Samples<OrderStatusChanged['data']> = {
  order_id: [''],
  status: [''],
  previous_status: ['', null],
  changed_at: [''],
};
/** The compiler refuses a member here that is required, and the data without one that is required. */
const requiredOfInventory: InventoryUpdated['data'] = { sku: '', quantity: 1 };
const requiredOfOrder: OrderStatusChanged['data'] = { order_id: '', status: '' };

const typeOf = (value: unknown) =>
  value === null ? 'null' : typeof value === 'number' ? 'integer' : typeof value;
type Schema = { required: string[]; properties: Record<string, { type: string | string[] }> };

it('H9: the types of the built-in events have the members of their schemas', () => {
  const described = { 'inventory.updated': inventory, 'order.status_changed': order };
  expect(Object.keys(described)).toEqual(builtInEventTypes.map(({ name }) => name));
  for (const { name, schema } of builtInEventTypes) {
    const { properties } = schema as Schema;
    const types = Object.entries(properties).map(([member, { type }]) => [member, [type].flat()]);
    const samples: Record<string, unknown[]> = described[name as keyof typeof described];
    expect(Object.fromEntries(types)).toEqual(
      Object.fromEntries(Object.entries(samples).map(([member, values]) => [member, values.map(typeOf)])),
    );
  }
  const required = builtInEventTypes.map(({ schema }) => (schema as Schema).required);
  expect([Object.keys(requiredOfInventory), Object.keys(requiredOfOrder)]).toEqual(required);
});
