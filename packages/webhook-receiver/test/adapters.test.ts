// The adapters on real servers: Node http, Express, Fastify, Hono, and fetch handlers.
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import {
  createKeyCache,
  createWebhookReceiver,
  toExpressHandler,
  toFastifyPlugin,
  toFetchHandler,
  toHonoHandler,
  toNodeHandler,
  type WebhookEvent,
  type WebhookReceiver,
} from '../src/index.ts';
import { answerWith, endpoint, jwksOf, makeKey, makeWebhook, type Sent, start, startJwks } from './sender.ts';

const key = await makeKey('one');
const path = '/behind/a/proxy';

type Send = (sent: Sent, body?: string) => Promise<Response>;

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send: Send = ({ method, headers, body }, other) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: other ?? new Uint8Array(body) });
  return {
    send,
    url: `http://127.0.0.1:${port}${path}`,
    port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const servers: Record<
  string,
  (receiver: WebhookReceiver) => Promise<{ send: Send; url?: string; close: () => Promise<unknown> }>
> = {
  'Node http': (receiver) => listen(toNodeHandler(receiver)),
  Express: (receiver) => listen(express().post(path, toExpressHandler(receiver))),
  'Express with express.raw': (receiver) =>
    listen(
      express()
        .use(express.raw({ type: '*/*' }))
        .post(path, toExpressHandler(receiver)),
    ),
  Fastify: async (receiver) => {
    const app = fastify();
    await app.register(toFastifyPlugin(receiver, path));
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const send: Send = ({ method, headers, body }, other) =>
      fetch(address + path, { method, headers, body: other ?? new Uint8Array(body) });
    return { send, close: () => app.close() };
  },
  Hono: async (receiver) => {
    const app = new Hono().post(path, toHonoHandler(receiver));
    const send: Send = async ({ method, headers, body }, other) =>
      app.request(path, { method, headers, body: other ?? new Uint8Array(body) });
    return { send, close: async () => {} };
  },
  fetch: async (receiver) => {
    const handle = toFetchHandler(receiver);
    const send: Send = ({ method, headers, body }, other) =>
      handle(new Request(`http://10.0.0.7${path}`, { method, headers, body: other ?? new Uint8Array(body) }));
    return { send, close: async () => {} };
  },
};

async function set(start_: (typeof servers)[string]) {
  const jwks = await startJwks(answerWith(jwksOf(key)));
  const events: WebhookEvent[] = [];
  const receiver = createWebhookReceiver({
    url: endpoint,
    keys: createKeyCache({ url: jwks.url, allowHttp: true }),
    handle: (event) => void events.push(event),
    onError: () => {},
    maxBodyBytes: 10_000,
    now: () => start * 1_000,
  });
  const server = await start_(receiver);
  return {
    ...server,
    events,
    async [Symbol.asyncDispose]() {
      await server.close();
      await jwks[Symbol.asyncDispose]();
    },
  };
}

describe.each(Object.entries(servers))('%s', (_, start_) => {
  it('a webhook is handled once and acknowledged', async () => {
    await using test = await set(start_);
    const sent = await makeWebhook(key, { data: { sku: 'blåbær 🫐' } });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await test.send(sent);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    }
    expect(test.events).toEqual([{ id: 'evt_1', type: 'inventory.updated', data: { sku: 'blåbær 🫐' } }]);
  });

  it('a changed body, an empty one and no signature are refused, with the reason', async () => {
    await using test = await set(start_);
    const sent = await makeWebhook(key);
    for (const body of ['{"id":"evt_1","type":"inventory.updated","data":{"a":1}}', '']) {
      const response = await test.send(sent, body);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ code: 'digest_mismatch', step: 'digest' });
    }
    const unsigned = await test.send({ ...sent, headers: [['Content-Type', 'application/json']] });
    expect(await unsigned.json()).toEqual({ code: 'signature_missing', step: 'parse' });
    expect(test.events).toEqual([]);
  });

  it('a body that is too large is refused', async () => {
    await using test = await set(start_);
    const response = await test.send(await makeWebhook(key), 'x'.repeat(200_000));
    expect(response.status).toBe(413);
  });
});

describe('Node http', () => {
  it('headers that stand twice are not dropped as Node’s own are: they are refused', async () => {
    await using test = await set(servers['Node http']!);
    const sent = await makeWebhook(key);
    const response = await test.send({ ...sent, headers: [...sent.headers, ['Content-Type', 'application/json']] });
    expect(await response.json()).toEqual({ code: 'signature_invalid', step: 'verify' });
  });

  it('a sender that never stops is answered once it is too much', async () => {
    await using test = await set(servers['Node http']!);
    const { method, headers } = await makeWebhook(key);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) });
    const response = await fetch(test.url!, { method, headers, body: endless, duplex: 'half' } as RequestInit);
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('a sender that goes away in the middle of the body leaves nothing behind', async () => {
    const jwks = await startJwks(answerWith(jwksOf(key)));
    const receiver = createWebhookReceiver({
      url: endpoint,
      keys: createKeyCache({ url: jwks.url, allowHttp: true }),
      handle: () => {},
      onError: (error) => {
        throw error;
      },
    });
    const handle = toNodeHandler(receiver);
    const handled = Promise.withResolvers<unknown>();
    const server = await listen((request, response) => {
      handle(request, response).then(handled.resolve, handled.reject);
      request.socket.destroy();
    });
    connect(server.port, '127.0.0.1').write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc`);
    expect(await handled.promise).toBeUndefined();
    await server.close();
    await jwks[Symbol.asyncDispose]();
  });

  it('a body that something read before is refused, and not waited for', async () => {
    await using test = await set((receiver) => {
      const handle = toNodeHandler(receiver);
      return listen((request, response) => {
        request.resume().on('end', () => void handle(request, response));
      });
    });
    const response = await test.send(await makeWebhook(key));
    expect(await response.json()).toEqual({ code: 'body_unreadable', step: 'request' });
  });

  it('Express with express.json says that the raw body is needed', async () => {
    await using test = await set((receiver) => listen(express().use(express.json()).post(path, toExpressHandler(receiver))));
    const response = await test.send(await makeWebhook(key));
    expect(await response.json()).toEqual({ code: 'body_unreadable', step: 'request' });
  });
});
