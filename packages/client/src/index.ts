// The public API: a client, its operations and types, lists, errors, and captured webhooks.
export { type CapturedWebhook, parseCapturedWebhook } from './captured/parse.ts';
export { type Concord, type ConcordOptions, createClient } from './client.ts';
export { ConcordError, type Fault } from './errors.ts';
export * from './generated/sdk.gen.ts';
export type * from './generated/types.gen.ts';
export { items, pages } from './lists.ts';
export { withResponse } from './with-response.ts';
