// The receiver of every JavaScript framework.
import process from 'node:process';
import { createKeyCache, createWebhookReceiver } from '@concord/webhook-receiver';

const { WEBHOOK_URL, PARTNER, JWKS } = process.env;
export const receiver = createWebhookReceiver({
  url: WEBHOOK_URL,
  partnerId: PARTNER,
  keys: createKeyCache({ url: JWKS, allowHttp: true }),
  handle: async () => {},
  onError: () => {},
});
