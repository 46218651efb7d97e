// Partners whose endpoint is checked.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { keysOf, listen, ourReceiver } from '../../stage/endpoint-receivers.ts';
import type { TestService } from '../../stage/start-service.ts';
import { answer, createWebhookPartner } from '../../stage/webhook-stage.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
/** The receiver is made when the partner exists. */
export type ReceiverOf = (url: string, partnerId: string) => Handler;

export async function createCheckedPartner(
  at: TestService,
  receiverOf: ReceiverOf,
  terms: Record<string, unknown> = { environment: 'sandbox' },
) {
  let handler: Handler = answer(500);
  const server = await listen(() => handler);
  const partner = await createWebhookPartner(at, server.url, terms);
  handler = receiverOf(server.url, partner.id);
  return { ...partner, ...server };
}

export const goodReceiver =
  (at: TestService, environment: 'live' | 'sandbox'): ReceiverOf =>
  (url, partnerId) =>
    ourReceiver(url, keysOf(at.url, environment), partnerId);
