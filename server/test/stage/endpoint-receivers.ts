// Receivers with one fault each, for the tests of endpoint checks.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createKeyCache,
  createWebhookReceiver,
  type Keys,
  type PartnerOptions,
  toNodeHandler,
  type VerifyWebhookOptions,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from '@concord/webhook-receiver';
import { listen as listenOn } from './listen.ts';

type Arrived = { url: string; headers: Record<string, string>; body: Buffer };
type Terms = PartnerOptions & {
  keys: Keys;
  toleranceSeconds?: number;
  maxBodyBytes?: number;
};
type Answers = (arrived: Arrived, terms: Terms) => Promise<void>;

async function check({ url, headers, body }: Arrived, terms: Terms) {
  const options = { ...terms, searchUrl: false } as VerifyWebhookOptions;
  await verifyWebhook<WebhookEvent>({ method: 'POST', url, headers, body }, options);
}
const unless =
  (code: string): Answers =>
  (arrived, terms) =>
    check(arrived, terms).catch((error) => {
      if (!(error instanceof WebhookError && error.code === code)) throw error;
    });
const anything = { algorithm: 'ecdsa-p384-sha384', verify: async () => true } as const;
const withKeys = (keys: Keys, find: (kid: string) => ReturnType<Keys['findKey']>): Keys => ({
  ...keys,
  findKey: find,
});

/** By fault, what the receiver does with a request. It throws to refuse it. */
export const faults = {
  'accepts everything': async () => {},
  'refuses everything': async () => {
    throw new Error('refused');
  },
  'needs no signature': async (arrived, terms) => {
    if ('signature' in arrived.headers) await check(arrived, terms);
  },
  'does not verify the signature': (arrived, terms) =>
    check(arrived, {
      ...terms,
      keys: withKeys(terms.keys, async (kid) => ((await terms.keys.findKey(kid)) ? anything : undefined)),
    }),
  'does not check the digest': unless('digest_mismatch'),
  'does not check the age': (arrived, terms) => check(arrived, { ...terms, toleranceSeconds: 100_000 }),
  'does not check its partner': (arrived, { partnerId: _, ...terms }) =>
    check(arrived, { ...terms, anyPartner: true }),
  'ignores the URL': (arrived, terms) =>
    check(arrived, terms).catch(() =>
      check({ ...arrived, url: `https://another-receiver.invalid${new URL(arrived.url).pathname}` }, terms),
    ),
  'accepts unknown keys': (arrived, terms) =>
    check(arrived, {
      ...terms,
      keys: withKeys(terms.keys, async (kid) => (await terms.keys.findKey(kid)) ?? anything),
    }),
  'takes small bodies only': (arrived, terms) => check(arrived, { ...terms, maxBodyBytes: 100 * 1024 }),
  'refuses duplicates': (() => {
    const seen = new Set<string>();
    return async (arrived, terms) => {
      await check(arrived, terms);
      const name = `${arrived.url} ${arrived.headers['webhook-id']}`;
      if (seen.has(name)) throw new Error('duplicate');
      seen.add(name);
    };
  })(),
} satisfies Record<string, Answers>;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens until the test finishes. `handlerOf` gets the URL. Counts requests. */
export async function listen(handlerOf: (url: string) => Handler) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handlerOf(url)(request, response);
  });
  const url = `http://127.0.0.1:${await listenOn(server)}/concord`;
  return { url, requests };
}

export const keysOf = (serviceUrl: string, environment: 'live' | 'sandbox') =>
  createKeyCache({
    url: `${serviceUrl}${environment === 'live' ? '' : '/sandbox'}/.well-known/jwks.json`,
    allowHttp: true,
  });

/** Our receiver. `partnerId` is known when the endpoint exists. */
export function ourReceiver(url: string, keys: Keys, partnerId: string, handle = () => {}): Handler {
  return toNodeHandler(createWebhookReceiver({ url, keys, partnerId, handle, onError: () => {} }));
}

export function faultyReceiver(answers: Answers, url: string, terms: Terms): Handler {
  return async (request, response) => {
    const headers = request.headers as Record<string, string>;
    const accepted = await answers({ url, headers, body: await buffer(request) }, terms).then(
      () => true,
      () => false,
    );
    response.writeHead(accepted ? 204 : 401).end();
  };
}
