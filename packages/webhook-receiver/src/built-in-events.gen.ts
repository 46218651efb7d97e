// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.
import type { WebhookEvent } from './events.ts';

export type InventoryUpdatedData = {
  sku: string;
  /** an integer, minimum: 0 */
  quantity: number;
  location?: string | null;
  /** format: "date-time" */
  updated_at?: string;
};

/** The quantity of an article has changed. */
export type InventoryUpdated = WebhookEvent<'inventory.updated', Readonly<InventoryUpdatedData>>;

export type OrderStatusChangedData = {
  order_id: string;
  status: string;
  previous_status?: string | null;
  /** format: "date-time" */
  changed_at?: string;
};

/** An order has another status. */
export type OrderStatusChanged = WebhookEvent<'order.status_changed', Readonly<OrderStatusChangedData>>;

/** The events that every installation has. `type` tells them apart. */
export type BuiltInEvent =
  | InventoryUpdated
  | OrderStatusChanged;
