// Mistakes in plain JavaScript: missing options show at construction, no error ends the process, and parsed
// bodies are explained.
import { runInNewContext } from 'node:vm';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createWebhookReceiver,
  type NodeRequest,
  type NodeResponse,
  toExpressHandler,
  toFetchHandler,
  toHonoHandler,
  toNodeHandler,
  verifyWebhook,
  type WebhookReceiverOptions,
} from '../src/index.ts';
import {
  endpoint,
  jwksOf,
  makeClock,
  makeKey,
  makeWebhook,
  partnerId,
  readKeys,
  start,
  startServer,
  toInit,
} from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));
const clock = makeClock();
const valid = { url: endpoint, keys, partnerId, handle: () => {}, now: clock.now };
const create = (changes: object = {}) =>
  createWebhookReceiver({ ...valid, ...changes } as WebhookReceiverOptions);
const unreadable = { code: 'body_unreadable', step: 'request' };

afterEach(() => {
  vi.restoreAllMocks();
});
/** What the receiver writes to the console. */
function watchConsole(): unknown[] {
  const written: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...values) => void written.push(...values));
  return written;
}

describe('without onError', () => {
  it('H2: an unauthenticated GET is answered with 401 and does not end the process', async () => {
    const written = watchConsole();
    const rejections: unknown[] = [];
    const listen = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', listen);
    const handle = toNodeHandler(create());
    await using server = await startServer((request, response) => void handle(request, response));
    expect((await fetch(server.origin)).status).toBe(401);
    expect((await fetch(server.origin)).status).toBe(401);
    process.off('unhandledRejection', listen);
    expect(rejections).toEqual([]);
    expect(written).toMatchObject([{ code: 'signature_missing' }]);
  });

  it('H2: the console gets every error of the handler, and each kind of refused webhook once a minute', async () => {
    const written = watchConsole();
    const failing = create({ handle: () => Promise.reject(new Error('The database is down')) });
    for (const id of ['evt_1', 'evt_2']) await failing.receive(await makeWebhook(key, { id }));
    expect(written).toEqual([new Error('The database is down'), new Error('The database is down')]);
    written.length = 0;
    const storeless = create({ handled: { has: () => Promise.reject(new Error('No store')), add() {} } });
    for (const id of ['evt_1', 'evt_2']) await storeless.receive(await makeWebhook(key, { id }));
    expect(written).toMatchObject(Array(2).fill({ code: 'replay_unavailable' }));
    written.length = 0;
    const receiver = create();
    const flood = Array.from({ length: 50 }, () =>
      receiver.receive({ method: 'GET', headers: [], body: '' }),
    );
    expect((await Promise.all(flood)).every(({ status }) => status === 401)).toBe(true);
    await receiver.receive({ ...(await makeWebhook(key)), body: 'other' });
    expect(written).toMatchObject([{ code: 'signature_missing' }, { code: 'digest_mismatch' }]);
    clock.advance(60_000);
    await receiver.receive({ method: 'GET', headers: [], body: '' });
    expect(written).toHaveLength(3);
  });
});

it('H2: fetch requests that clients leave half sent do not fill the console', async () => {
  const written = watchConsole();
  const handle = toFetchHandler(create());
  for (let count = 0; count < 5; count += 1) {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('The client is gone')),
    });
    const request = new Request(endpoint, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await (await handle(request)).json()).toEqual(unreadable);
  }
  const locked = new Request(endpoint, { method: 'POST', body: 'x' });
  locked.body?.getReader();
  expect(await (await handle(locked)).json()).toEqual(unreadable);
  expect(written).toMatchObject([{ ...unreadable, cause: new Error('The client is gone') }]);
});

it('H2: an onError that throws or rejects changes no answer, and both errors reach the console', async () => {
  for (const onError of [
    () => {
      throw new Error('The logger is down');
    },
    () => Promise.reject(new Error('The logger is down')),
  ]) {
    const written = watchConsole();
    expect(await create({ onError }).receive({ method: 'GET', headers: [], body: '' })).toMatchObject({
      status: 401,
    });
    expect(written).toEqual([new Error('The logger is down')]);
    vi.restoreAllMocks();
  }
});

it('H2: a request that the Node handler cannot read is answered with 500', async () => {
  const written = watchConsole();
  const response = { statusCode: 0, setHeader: vi.fn(), end: vi.fn() } satisfies NodeResponse;
  await toNodeHandler(create())({ method: 'POST', body: '' } as unknown as NodeRequest, response);
  expect([response.statusCode, response.end.mock.calls.length, written.length]).toEqual([500, 1, 1]);
});

it('H3: a missing or wrong option is refused at construction, with what to pass', () => {
  expect(() => create({ keys: undefined })).toThrow(/^keys must be a key cache: pass createKeyCache\(/);
  expect(() => create({ keys: 'https://concord.example.com/.well-known/jwks.json' })).toThrow(
    /createKeyCache/,
  );
  for (const handle of [undefined, 'handle'])
    expect(() => create({ handle })).toThrow(/^handle must be a function/);
  expect(() => create({ url: undefined })).toThrow(/^url must be the absolute URL/);
  expect(() => create({ url: '/concord' })).toThrow(/^url must be the absolute URL/);
  expect(() => createWebhookReceiver(undefined as never)).toThrow(TypeError);
});

it.each([
  [{ keys: undefined, secret: [] }, /^secret must have at least one/],
  [{ keys: undefined, secret: `whsec_${'A'.repeat(42)}=` }, /^secret must be the signing secret/],
  [{ keys: undefined, secret: `whsec_${'A'.repeat(41)}` }, /^secret must be the signing secret/],
  [{ maxBodyBytes: Number.NaN }, /^maxBodyBytes must be a number of bytes/],
  [{ maxBodyBytes: '1mb' }, /^maxBodyBytes must be a number of bytes/],
  [{ maxBodyBytes: 0 }, /^maxBodyBytes must be a number of bytes/],
  [{ url: `${endpoint}#top` }, /^url must be .* without user, password and fragment/],
  [{ url: `${endpoint}#` }, /^url must be .* fragment/],
  [{ url: 'https://ann@hooks.example.com/' }, /^url must be .* without user/],
  [{ url: 'https://:secret@hooks.example.com/' }, /^url must be .* password/],
  [{ url: 'ftp://hooks.example.com/' }, /^url must be .* http or https/],
  [{ replay: { claim() {}, commit() {} } }, /^replay must be .* claim, commit, release/],
  [{ replay: 'redis' }, /^replay must be/],
  [{ handled: new Map() }, /^handled must be .* has, add/],
  [{ handled: null }, /^handled must be/],
  [{ now: 1_700_000_000 }, /^now must be a function/],
  [{ onError: 'console' }, /^onError must be a function/],
] as [object, RegExp][])('H3: %j is refused at construction', (wrong, message) => {
  expect(() => create(wrong)).toThrow(message);
});

it('H3: verifyWebhook refuses missing keys before it reads the request', async () => {
  await expect(verifyWebhook(await makeWebhook(key), { partnerId } as never)).rejects.toThrow(
    /^keys must be a key cache/,
  );
});

it('H6: a raw body is accepted in every form', async () => {
  const sent = await makeWebhook(key, { data: { sku: 'blåbær 🫐' } });
  const text = new TextDecoder().decode(sent.body);
  const padded = new Uint8Array(sent.body.length + 8);
  padded.set(sent.body, 4);
  const buffer = new Uint8Array(sent.body).buffer;
  for (const body of [
    text,
    buffer,
    Buffer.from(sent.body),
    padded.subarray(4, -4),
    new DataView(padded.buffer, 4, sent.body.length),
    runInNewContext('Uint8Array.from(bytes).buffer', { bytes: [...sent.body] }),
    runInNewContext('Uint8Array.from(bytes)', { bytes: [...sent.body] }),
  ])
    expect(await verifyWebhook({ ...sent, body }, { ...valid, now: () => start * 1_000 })).toMatchObject({
      id: 'evt_1',
    });
});

it('H6: what is not a raw body, or not a request, is the server’s mistake: 500 with what to do', async () => {
  const errors: Error[] = [];
  const receiver = create({ onError: (error: Error) => errors.push(error) });
  const sent = await makeWebhook(key);
  for (const body of [{}, { id: 'evt_1' }, null, undefined, 5, [1, 2]])
    expect(await receiver.receive({ ...sent, body: body as never })).toEqual({ status: 500, ...unreadable });
  expect(
    new Set(errors.map(({ message }) => message.includes('Put this handler before the parser'))),
  ).toEqual(new Set([true]));
  for (const request of [
    undefined,
    null,
    'POST',
    {},
    { method: 'POST', body: '' },
    { headers: [], body: '' },
  ])
    expect(await receiver.receive(request as never)).toEqual({
      status: 500,
      code: 'request_invalid',
      step: 'request',
    });
});

describe('H6', () => {
  const now = () => start * 1_000;
  const post = async (server: { origin: string }) => fetch(server.origin, toInit(await makeWebhook(key)));

  it.each([
    ['express.text', express().use(express.text({ type: '*/*' }))],
    ['express.raw', express().use(express.raw({ type: '*/*' }))],
    [
      'express.json that keeps rawBody',
      express().use(
        express.json({ verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }) }),
      ),
    ],
    ['setEncoding', express().use((request, _, next) => next(void request.setEncoding('utf8')))],
  ])('H6: a webhook behind %s is accepted', async (_, app) => {
    await using server = await startServer(app.use(toExpressHandler(create({ now }))));
    expect((await post(server)).status).toBe(204);
  });

  it('H6: behind express.json alone it is 500, with the reason in the log only', async () => {
    const errors: Error[] = [];
    const receiver = create({ now, onError: (error: Error) => errors.push(error) });
    await using server = await startServer(express().use(express.json()).use(toExpressHandler(receiver)));
    const response = await post(server);
    expect([response.status, await response.json()]).toEqual([500, unreadable]);
    expect(errors[0]?.message).toContain('before the parser');
  });

  it.each(['text', 'json', 'arrayBuffer'] as const)(
    'H6: a body that Hono’s %s() has read is accepted',
    async (method) => {
      const app = new Hono();
      app.use(async (context, next) => {
        await context.req[method]();
        await next();
      });
      app.post('/', toHonoHandler(create({ now })));
      expect((await app.request('/', toInit(await makeWebhook(key)))).status).toBe(204);
    },
  );

  it('H6: a fetch request that something has read is 500', async () => {
    const request = new Request(endpoint, toInit(await makeWebhook(key)));
    await request.text();
    const errors: Error[] = [];
    const receiver = create({ now, onError: (error: Error) => errors.push(error) });
    const response = await toFetchHandler(receiver)(request);
    expect([response.status, await response.json()]).toEqual([500, unreadable]);
    expect(errors[0]?.message).toContain('pass request.clone()');
  });

  it('H6: an unparsed body is read from the stream, although a parser has set an empty object', async () => {
    const handle = toNodeHandler(create({ now }));
    await using server = await startServer(
      (request, response) => void handle(Object.assign(request, { body: {} }), response),
    );
    expect((await post(server)).status).toBe(204);
  });
});
