// Generated from server/src/webhooks/catalogue/built-in.ts by `npm run generate`.
import type { WebhookEvent } from './events.ts';

export type AgreementAcceptedData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^agr_[0-9a-z]{26}$" */
  agreement_id: string;
  user_id: string;
  owner: boolean;
};

/** A person has accepted an agreement. */
export type AgreementAccepted = WebhookEvent<'agreement.accepted', Readonly<AgreementAcceptedData>>;

export type AgreementEndedData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^agr_[0-9a-z]{26}$" */
  agreement_id: string;
  user_id: string;
  owner: boolean;
  reason: "expired" | "deleted";
};

/** An accepted agreement has expired, or was deleted. */
export type AgreementEnded = WebhookEvent<'agreement.ended', Readonly<AgreementEndedData>>;

export type DeliveryFailedData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^whe_[0-9a-z]{26}$" */
  endpoint_id: string;
  /** pattern: "^dlv_[0-9a-z]{26}$" */
  delivery_id: string;
  /** pattern: "^evt_[0-9a-z]{26}$" */
  event_id: string;
  event_type: string;
  /** an integer */
  attempt_count: number;
  /** an integer */
  status_code: number | null;
  reason: string | null;
};

/** A live delivery has failed, and is not tried again. */
export type DeliveryFailed = WebhookEvent<'delivery.failed', Readonly<DeliveryFailedData>>;

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

export type PartnerCreatedData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
};

/** A partner was created. */
export type PartnerCreated = WebhookEvent<'partner.created', Readonly<PartnerCreatedData>>;

export type PartnerDeletedData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
};

/** A partner was deleted. It can be restored for 30 days. */
export type PartnerDeleted = WebhookEvent<'partner.deleted', Readonly<PartnerDeletedData>>;

export type SigningKeyRotatedData = {
  /** format: "date-time" */
  occurred_at: string;
  environment: "live" | "sandbox";
  kid: string;
};

/** Another key signs webhooks from now on. */
export type SigningKeyRotated = WebhookEvent<'signing_key.rotated', Readonly<SigningKeyRotatedData>>;

export type WebhookEndpointCheckpointData = {
  /** pattern: "^cpt_[0-9a-z]{26}$" */
  checkpoint_id: string;
  /** pattern: "^whe_[0-9a-z]{26}$" */
  endpoint_id: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  environment: "live" | "sandbox";
  /** pattern: "^cpt_[0-9a-z]{26}$" */
  previous_id: string | null;
  /** format: "date-time" */
  covers_from: string;
  /** format: "date-time" */
  covers_until: string;
  /** format: "date-time" */
  created_at: string;
  /** an integer, minimum: 0 */
  count: number;
  /** an integer, minimum: 0 */
  delivered: number;
  /** an integer, minimum: 0 */
  pending: number;
  /** an integer, minimum: 0 */
  failed: number;
  /** an integer, minimum: 0 */
  cancelled: number;
  /** pattern: "^[0-9a-f]{64}$" */
  root: string;
  jws: string;
};

/** A signed statement of what was published for the endpoint. */
export type WebhookEndpointCheckpoint = WebhookEvent<'webhook_endpoint.checkpoint', Readonly<WebhookEndpointCheckpointData>>;

export type WebhookEndpointDisabledData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^whe_[0-9a-z]{26}$" */
  endpoint_id: string;
  host: string;
  reason: string;
};

/** A live endpoint was disabled. */
export type WebhookEndpointDisabled = WebhookEvent<'webhook_endpoint.disabled', Readonly<WebhookEndpointDisabledData>>;

export type WebhookEndpointFailingData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^whe_[0-9a-z]{26}$" */
  endpoint_id: string;
  host: string;
  /** format: "date-time" */
  failing_since: string;
};

/** Every attempt at a live endpoint has failed for five minutes. */
export type WebhookEndpointFailing = WebhookEvent<'webhook_endpoint.failing', Readonly<WebhookEndpointFailingData>>;

export type WebhookEndpointRecoveredData = {
  /** format: "date-time" */
  occurred_at: string;
  /** pattern: "^ptr_[0-9a-z]{26}$" */
  partner_id: string;
  /** pattern: "^whe_[0-9a-z]{26}$" */
  endpoint_id: string;
  host: string;
  /** format: "date-time" */
  failing_since: string;
};

/** An attempt at a failing endpoint has succeeded. */
export type WebhookEndpointRecovered = WebhookEvent<'webhook_endpoint.recovered', Readonly<WebhookEndpointRecoveredData>>;

/** The events that every installation has for partners. `type` tells them apart. */
export type BuiltInEvent =
  | InventoryUpdated
  | OrderStatusChanged;

/** The events about the platform, for its own partner (behaviour W66). */
export type PlatformEvent =
  | AgreementAccepted
  | AgreementEnded
  | DeliveryFailed
  | PartnerCreated
  | PartnerDeleted
  | SigningKeyRotated
  | WebhookEndpointDisabled
  | WebhookEndpointFailing
  | WebhookEndpointRecovered;
