// The adapters on real servers: Node http, Express, Fastify, Hono, and a fetch handler.
import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
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
import {
  answerWith,
  endpoint,
  jwksOf,
  makeKey,
  makeWebhook,
  partnerId,
  type Sent,
  start,
  startJwks,
  startServer,
  toInit,
} from './sender.ts';

const key = await makeKey('one');
const path = '/behind/a/proxy';

type Send = (sent: Sent, otherBody?: string) => Promise<Response>;
type Server = { send: Send; url?: string; close: () => Promise<unknown> };
type Start = (receiver: WebhookReceiver) => Promise<Server>;

async function listen(listener: RequestListener): Promise<Server> {
  const server = await startServer(listener);
  const url = server.origin + path;
  return { url, send: (...sent) => fetch(url, toInit(...sent)), close: () => server[Symbol.asyncDispose]() };
}

const servers: Record<string, Start> = {
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
    return { send: (...sent) => fetch(address + path, toInit(...sent)), close: () => app.close() };
  },
  Hono: async (receiver) => {
    const app = new Hono().post(path, toHonoHandler(receiver));
    return { send: async (...sent) => app.request(path, toInit(...sent)), close: async () => {} };
  },
  fetch: async (receiver) => {
    const handle = toFetchHandler(receiver);
    return {
      send: (...sent) => handle(new Request(`http://10.0.0.7${path}`, toInit(...sent))),
      close: async () => {},
    };
  },
};

async function setUp(startServerOf: Start, onError: (error: unknown) => void = () => {}) {
  const jwks = await startJwks(answerWith(jwksOf(key)));
  const events: WebhookEvent[] = [];
  const receiver = createWebhookReceiver({
    url: endpoint,
    partnerId,
    keys: createKeyCache({ url: jwks.url, allowHttp: true }),
    handle: (event) => void events.push(event),
    onError,
    maxBodyBytes: 10_000,
    now: () => start * 1_000,
  });
  const server = await startServerOf(receiver);
  return {
    ...server,
    events,
    async [Symbol.asyncDispose]() {
      await server.close();
      await jwks[Symbol.asyncDispose]();
    },
  };
}

describe.each(Object.entries(servers))('%s', (_, startServerOf) => {
  it('handles a webhook once and acknowledges it', async () => {
    await using test = await setUp(startServerOf);
    const sent = await makeWebhook(key, { data: { sku: 'blåbær 🫐' } });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const response = await test.send(sent);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe('');
    }
    expect(test.events).toEqual([
      { id: 'evt_1', type: 'inventory.updated', partner_id: partnerId, data: { sku: 'blåbær 🫐' } },
    ]);
  });

  it('refuses changed bodies, empty bodies and unsigned requests, with the reason', async () => {
    await using test = await setUp(startServerOf);
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

  it('refuses a body beyond maxBodyBytes', async () => {
    await using test = await setUp(startServerOf);
    const response = await test.send(await makeWebhook(key), 'x'.repeat(200_000));
    expect(response.status).toBe(413);
  });
});

describe('Node http', () => {
  it('refuses duplicate headers, which Node would drop', async () => {
    await using test = await setUp(servers['Node http']!);
    const sent = await makeWebhook(key);
    const response = await test.send({
      ...sent,
      headers: [...sent.headers, ['Content-Type', 'application/json']],
    });
    expect(await response.json()).toEqual({ code: 'signature_invalid', step: 'verify' });
  });

  it('answers an endless body as soon as it exceeds maxBodyBytes', async () => {
    await using test = await setUp(servers['Node http']!);
    const { method, headers } = await makeWebhook(key);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000)) });
    const response = await fetch(test.url!, {
      method,
      headers,
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
  });

  it('ends without an error when the sender disconnects during the body', async () => {
    const handled = Promise.withResolvers<unknown>();
    const startDisconnecting: Start = (receiver) => {
      const handle = toNodeHandler(receiver);
      return listen((request, response) => {
        handle(request, response).then(handled.resolve, handled.reject);
        request.socket.destroy();
      });
    };
    await using test = await setUp(startDisconnecting, (error) => {
      throw error;
    });
    const { port } = new URL(test.url!);
    connect(Number(port), '127.0.0.1').write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc`,
    );
    expect(await handled.promise).toBeUndefined();
  });

  it('refuses a body that something has read, without waiting', async () => {
    await using test = await setUp((receiver) => {
      const handle = toNodeHandler(receiver);
      return listen((request, response) => {
        request.resume().on('end', () => void handle(request, response));
      });
    });
    const response = await test.send(await makeWebhook(key));
    expect(await response.json()).toEqual({ code: 'body_unreadable', step: 'request' });
  });

  it('refuses a body that express.json has parsed', async () => {
    await using test = await setUp((receiver) =>
      listen(express().use(express.json()).post(path, toExpressHandler(receiver))),
    );
    const response = await test.send(await makeWebhook(key));
    expect(await response.json()).toEqual({ code: 'body_unreadable', step: 'request' });
  });
});
