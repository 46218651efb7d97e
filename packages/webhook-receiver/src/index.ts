// The public API: verifying and receiving Concord's webhooks.
export {
  type FastifyAnswer,
  type FastifyScope,
  type NodeRequest,
  type NodeResponse,
  toExpressHandler,
  toFastifyPlugin,
  toFetchHandler,
  toHonoHandler,
  toNodeHandler,
} from './adapters.ts';
export { WebhookError, type WebhookErrorCode, type WebhookStep } from './errors.ts';
export { createKeyCache, type KeyCacheOptions, type Keys } from './key-cache.ts';
export { createWebhookReceiver, type WebhookAnswer, type WebhookReceiver, type WebhookReceiverOptions } from './receiver.ts';
export { createMemoryReplayStore, type MemoryReplayStoreOptions, type ReplayStore } from './replay-guard.ts';
export type { WebhookRequest } from './request.ts';
export { type VerifiedWebhook, type VerifyWebhookOptions, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';
