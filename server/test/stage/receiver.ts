// A webhook receiver over real sockets: it verifies each webhook, keeps it, and answers as the test says.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createKeyCache,
  type Keys,
  verifyWebhook,
  WebhookError,
  type WebhookEvent,
} from '@concord/webhook-receiver';
import { afterAll, beforeAll, expect } from 'vitest';
import { startListening } from './listen.ts';

export type Received = {
  path: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** The first one. */
  event: WebhookEvent;
  /** Several in a batch. */
  events: readonly WebhookEvent[];
  attempt: number;
  at: number;
};
/** Writes the answer. The default behaviour answers 204. */
type Behaviour = (received: Received, response: ServerResponse) => void;
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

type Options = { now?: () => number; host?: string };

/** `now`: the clock for verifying signatures, in milliseconds. */
export async function startReceiver(
  serviceUrl: string,
  { now = Date.now, host = '127.0.0.1' }: Options = {},
) {
  const received: Received[] = [];
  const refused: unknown[] = [];
  const behaviours = new Map<string, Behaviour>();
  const waiting: (() => void)[] = [];
  const cacheOf = (base: string) =>
    createKeyCache({ url: `${base}/.well-known/jwks.json`, allowHttp: true, now });
  const keys: Record<string, Keys> = { live: cacheOf(serviceUrl), sandbox: cacheOf(`${serviceUrl}/sandbox`) };

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const body = await buffer(request);
    const path = request.url ?? '/';
    const url = `${base}${path}`;
    const headers = request.headers as Record<string, string>;
    const [{ environment }] = [JSON.parse(body.toString())].flat() as [{ environment: string }];
    try {
      const { events } = await verifyWebhook<WebhookEvent>(
        { method: request.method ?? '', url, headers, body },
        { keys: keys[environment] as Keys, anyPartner: true, now },
      );
      const got = {
        path,
        url,
        headers,
        body,
        event: events[0] as WebhookEvent,
        events,
        attempt: Number(headers['webhook-attempt']),
        at: performance.now(),
      };
      received.push(got);
      const behave = behaviours.get(path);
      if (behave) behave(got, response);
      else response.writeHead(204).end();
    } catch (error) {
      // A stopping service may not serve its keys; it sends the webhook again later. Any other error fails
      // the test.
      const later = error instanceof WebhookError && error.code === 'keys_unavailable';
      if (!later) refused.push(error);
      response.writeHead(later ? 503 : 401).end();
    }
    for (const wake of waiting.splice(0)) wake();
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    // A sender that disconnects during the answer is not a failure.
    receive(request, response).catch(() => response.destroy());
  });
  const { port, sockets, close } = await startListening(server, host);
  const base = `http://${host}:${port}`;
  let paths = 0;

  return {
    received,
    refused,
    keys,
    /** Creates a URL with its own behaviour. */
    url(behaviour?: Behaviour) {
      const path = `/hooks/${++paths}`;
      if (behaviour) behaviours.set(path, behaviour);
      return base + path;
    },
    at: (url: string) => received.filter((each) => each.url === url),
    /**
     * Resolves with the webhooks of this URL when at least `least` have arrived. Fails when the receiver has refused
     * a webhook: it would wait for that one forever.
     */
    async count(url: string, least: number) {
      for (;;) {
        const there = received.filter((each) => each.url === url);
        if (there.length >= least) return there;
        if (refused.length > 0) throw refused[0];
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    connections: () => sockets.size,
    close,
  };
}

/** Opens a receiver before the tests of the file. Closes it after them: it must have refused nothing. */
export function useReceiver(service: { readonly url: string }, options: Options = {}) {
  const receiver = {} as Receiver;
  beforeAll(async () => void Object.assign(receiver, await startReceiver(service.url, options)));
  afterAll(() => {
    receiver.close();
    expect(receiver.refused).toEqual([]);
  });
  return receiver;
}

/** The settings that allow a service to deliver to this machine. */
export const toLoopback = {
  CONCORD_WEBHOOK_ALLOW_HTTP: 'true',
  CONCORD_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
};
