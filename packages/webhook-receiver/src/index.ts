// The public API: verifying and receiving Concord's webhooks.
export {
  type FastifyAnswer,
  type FastifyScope,
  type HonoContext,
  type NodeResponse,
  toExpressHandler,
  toFastifyPlugin,
  toFetchHandler,
  toHonoHandler,
  toNodeHandler,
} from './adapters.ts';
export type { WebhookAnswer } from './answer.ts';
export type * from './built-in-events.gen.ts';
export { type Checkpoint, type VerifyCheckpointOptions, verifyCheckpoint } from './checkpoint.ts';
export type { ApiOptions } from './concord-api.ts';
export { type SignatureDetail, WebhookError, type WebhookErrorCode, type WebhookStep } from './errors.ts';
export type { PartnerOptions, ThinWebhookEvent, WebhookEvent } from './events.ts';
export {
  createMemoryHandledStore,
  type HandledStore,
  type MemoryHandledStoreOptions,
} from './handled-store.ts';
export { createKeyCache, type KeyCacheOptions, type Keys } from './key-cache.ts';
export { fetchMissing, type Have, type Missing, missing, unseenCheckpoints } from './missing.ts';
export type { NodeRequest } from './node-request.ts';
export type { Trust } from './options.ts';
export { createWebhookReceiver, type WebhookReceiver, type WebhookReceiverOptions } from './receiver.ts';
export { createMemoryReplayStore, type MemoryReplayStoreOptions, type ReplayStore } from './replay-guard.ts';
export type { OnError } from './report.ts';
export type { WebhookBody, WebhookRequest } from './request.ts';
export { type VerifiedWebhook, type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
