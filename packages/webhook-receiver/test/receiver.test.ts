// The receiver: what is handled once, what is acknowledged, and what is left to be tried again (W25, W26).
import { describe, expect, it } from 'vitest';
import {
  createMemoryReplayStore,
  createWebhookReceiver,
  type Keys,
  type ReplayStore,
  verifyWebhook,
  WebhookError,
  type WebhookReceiverOptions,
} from '../src/index.ts';
import { parseJwks } from '../src/jwks.ts';
import { endpoint, jwksOf, makeClock, makeKey, makeWebhook, start } from './sender.ts';

const key = await makeKey('one');
const verifiers = await parseJwks(jwksOf(key));
const keys: Keys = { findKey: async (kid) => verifiers.get(kid) };

function set(options: Partial<WebhookReceiverOptions> = {}) {
  const clock = makeClock(start + 1);
  const handled: string[] = [];
  const errors: unknown[] = [];
  const make = () =>
    createWebhookReceiver({
      url: endpoint,
      keys,
      handle: ({ id }) => void handled.push(id),
      onError: (error) => errors.push(error),
      now: clock.now,
      ...options,
    });
  return { clock, handled, errors, make, receiver: make() };
}
/** A handler that waits until it is told how to end. */
function makeGate() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const handle = () => {
    begun.resolve();
    return ended.promise;
  };
  return { handle, hasBegun: begun.promise, end: (error?: Error) => (error ? ended.reject(error) : ended.resolve()) };
}

describe('W25, replays:', () => {
  it('a delivery that is done is acknowledged and not handled again', async () => {
    const { receiver, handled, errors } = set();
    const sent = await makeWebhook(key);
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    expect(await receiver.receive(await makeWebhook(key, { created: start + 1 }))).toEqual({ status: 204 });
    expect(handled).toEqual(['evt_1']);
    expect(errors).toEqual([]);
  });

  it('many copies at once are handled once; the others are to come again', async () => {
    const gate = makeGate();
    const { receiver, errors } = set({ handle: gate.handle });
    const sent = await makeWebhook(key);
    const first = receiver.receive(sent);
    await gate.hasBegun;
    const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.receive(sent)));
    expect(answers).toEqual(Array(20).fill({ status: 503, code: 'delivery_in_progress', step: 'replay' }));
    gate.end();
    expect(await first).toEqual({ status: 204 });
    expect(errors).toHaveLength(20);
  });

  it('a handler that fails releases the delivery: the retry is handled', async () => {
    let fails = true;
    const { receiver, errors } = set({
      handle: () => {
        if (fails) throw new Error('The database is away');
      },
    });
    const sent = await makeWebhook(key);
    expect(await receiver.receive(sent)).toEqual({ status: 500 });
    expect(errors).toEqual([new Error('The database is away')]);
    fails = false;
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
  });

  it('a genuine retry after a crash of the receiver passes: the lease ends, with a store that outlives it', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const gate = makeGate();
    const crashed = set({ replay, now: clock.now, handle: gate.handle });
    void crashed.receiver.receive(await makeWebhook(key));
    await gate.hasBegun;
    const { receiver, handled } = set({ replay, now: clock.now });
    expect(await receiver.receive(await makeWebhook(key))).toMatchObject({ status: 503 });
    clock.advance(60_000);
    expect(await receiver.receive(await makeWebhook(key))).toEqual({ status: 204 });
    expect(handled).toEqual(['evt_1']);
  });

  it('who was overtaken cannot release what another has claimed', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const gates = [makeGate(), makeGate()] as const;
    let next = 0;
    const { receiver } = set({ replay, now: clock.now, handle: () => gates[next++]!.handle() });
    const slow = receiver.receive(await makeWebhook(key));
    await gates[0].hasBegun;
    clock.advance(60_000);
    const second = receiver.receive(await makeWebhook(key));
    await gates[1].hasBegun;
    gates[0].end(new Error('late'));
    expect(await slow).toEqual({ status: 500 });
    expect(await receiver.receive(await makeWebhook(key))).toMatchObject({ status: 503 });
    gates[1].end();
    expect(await second).toEqual({ status: 204 });
  });

  it('the key is the id and the target URI: the same event for another endpoint is another delivery', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const other = 'https://hooks.example.com/other';
    const [one, two] = [set({ replay, now: clock.now }), set({ replay, now: clock.now, url: other })];
    await one.receiver.receive(await makeWebhook(key));
    await two.receiver.receive(await makeWebhook(key, { url: other }));
    expect([one.handled, two.handled]).toEqual([['evt_1'], ['evt_1']]);
  });

  it('a captured request is refused for as long as its signature is good', async () => {
    const { receiver, handled, clock } = set();
    // Signed by a clock that is ahead by all of the tolerance: good for the longest time.
    const sent = await makeWebhook(key, { created: start + 301 });
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    for (let second = 0; second <= 600; second += 60) {
      expect(await receiver.receive(sent)).toEqual({ status: 204 });
      clock.advance(60_000);
    }
    expect(await receiver.receive(sent)).toMatchObject({ status: 401, code: 'created_too_old' });
    expect(handled).toEqual(['evt_1']);
  });

  it('nothing is kept for less than twice the tolerance', () => {
    for (const wrong of [
      { keepSeconds: 600 },
      { keepSeconds: Number.NaN },
      { toleranceSeconds: Number.NaN },
      { leaseSeconds: 0 },
    ]) {
      expect(() => set(wrong)).toThrow(RangeError);
    }
  });

  it('a store that is full forgets nothing early, and says so', async () => {
    const clock = makeClock(start + 1);
    const { receiver, errors } = set({ replay: createMemoryReplayStore({ maxKeys: 2, now: clock.now }), now: clock.now });
    for (const id of ['evt_1', 'evt_2']) expect(await receiver.receive(await makeWebhook(key, { id }))).toEqual({ status: 204 });
    expect(await receiver.receive(await makeWebhook(key, { id: 'evt_3' }))).toEqual({
      status: 503,
      code: 'replay_unavailable',
      step: 'replay',
    });
    expect(errors[0]).toBeInstanceOf(WebhookError);
    clock.advance(601_000);
    expect(await receiver.receive(await makeWebhook(key, { id: 'evt_3', created: start + 601 }))).toEqual({ status: 204 });
  });

  it('a store that is full gives up leases that have ended, also behind what it must still know', async () => {
    const clock = makeClock();
    const store = createMemoryReplayStore({ maxKeys: 2, now: clock.now });
    await store.claim('done', 'a', 60_000);
    await store.commit('done', 'a', 600_000);
    await store.claim('crashed', 'b', 60_000);
    await expect(store.claim('new', 'c', 60_000)).rejects.toThrow('full');
    clock.advance(60_000);
    expect(await store.claim('new', 'c', 60_000)).toBe('claimed');
    expect(await store.claim('done', 'c', 60_000)).toBe('done');
  });

  it.each(['claim', 'commit'] as const)('a store that fails to %s is told, and the delivery comes again', async (method) => {
    const store: ReplayStore = createMemoryReplayStore();
    const failing = { ...store, [method]: () => Promise.reject(new Error('The store is away')) };
    const { receiver, errors } = set({ replay: failing });
    expect(await receiver.receive(await makeWebhook(key))).toMatchObject({ status: 503, code: 'replay_unavailable' });
    expect((errors[0] as Error).cause).toEqual(new Error('The store is away'));
  });
});

describe('W26, the public URL:', () => {
  it('is what counts, whatever the request says of itself', async () => {
    const { receiver } = set();
    const { method, headers, body } = await makeWebhook(key);
    const behindProxy = new Request('http://10.0.0.7:8080/internal', { method, headers, body: new Uint8Array(body) });
    expect(await receiver.receive(behindProxy)).toEqual({ status: 204 });
  });

  it('a webhook for another receiver’s URL is refused, also when the request claims that URL', async () => {
    const { receiver, handled } = set();
    const theirs = 'https://hooks.example.net/theirs';
    const { method, headers, body } = await makeWebhook(key, { url: theirs });
    expect(await receiver.receive(new Request(theirs, { method, headers, body: new Uint8Array(body) }))).toMatchObject({
      status: 401,
      code: 'signature_invalid',
    });
    expect(handled).toEqual([]);
  });

  it('verifyWebhook takes the request’s own URL when none is given', async () => {
    const { method, headers, body, url } = await makeWebhook(key);
    const request = new Request(url, { method, headers, body: new Uint8Array(body) });
    const { id, kid, created } = await verifyWebhook(request, { keys, now: () => start * 1_000 });
    expect({ id, kid, created }).toEqual({ id: 'evt_1', kid: 'one', created: start });
  });
});

it('W23: a key of another algorithm is refused, whoever gave it', async () => {
  const other = { algorithm: 'ecdsa-p256-sha256', verify: () => true };
  const verifying = verifyWebhook(await makeWebhook(key), { keys: { findKey: async () => other }, now: () => start * 1_000 });
  await expect(verifying).rejects.toMatchObject({ code: 'algorithm_mismatch', step: 'find_key' });
});

it('W23: a URL that is none is refused with a code', async () => {
  const verifying = verifyWebhook({ ...(await makeWebhook(key)), url: '/concord' }, { keys, now: () => start * 1_000 });
  await expect(verifying).rejects.toMatchObject({ code: 'message_invalid', step: 'request' });
});

describe('W23, the body:', () => {
  const options = { keys, url: endpoint, now: () => start * 1_000 };

  it('that was read before is refused', async () => {
    const request = new Request(endpoint, { ...(await makeWebhook(key)), body: '{}' });
    await request.text();
    await expect(verifyWebhook(request, options)).rejects.toMatchObject({ code: 'body_unreadable', step: 'request' });
    const parsed = { ...(await makeWebhook(key)), body: {} as Uint8Array };
    await expect(verifyWebhook(parsed, options)).rejects.toMatchObject({ code: 'body_unreadable', step: 'request' });
  });

  it('beyond the bound is refused, streamed or not', async () => {
    const sent = await makeWebhook(key, { data: 'x'.repeat(2_000) });
    const request = new Request(sent.url, { method: 'POST', headers: sent.headers, body: new Uint8Array(sent.body) });
    const bound = { ...options, maxBodyBytes: 1_000 };
    await expect(verifyWebhook(request, bound)).rejects.toMatchObject({ code: 'body_too_large', step: 'request' });
    await expect(verifyWebhook(sent, bound)).rejects.toMatchObject({ code: 'body_too_large', step: 'request' });
  });

  it('bounds and times that are no number refuse everything', async () => {
    const sent = await makeWebhook(key);
    await expect(verifyWebhook(sent, { ...options, maxBodyBytes: Number.NaN })).rejects.toMatchObject({ code: 'body_too_large' });
    await expect(verifyWebhook(sent, { ...options, toleranceSeconds: Number.NaN })).rejects.toMatchObject({
      code: 'created_in_future',
    });
    await expect(verifyWebhook(sent, { ...options, now: () => Number.NaN })).rejects.toMatchObject({ code: 'created_in_future' });
  });

  it('headers beyond 64 KiB are refused', async () => {
    const sent = await makeWebhook(key);
    const headers = [...sent.headers, ['X-Long', 'x'.repeat(65_536)] as [string, string]];
    await expect(verifyWebhook({ ...sent, headers }, options)).rejects.toMatchObject({ code: 'too_large', step: 'request' });
  });

  it('a label can be asked for', async () => {
    const sent = await makeWebhook(key);
    await expect(verifyWebhook(sent, { ...options, label: 'sig1' })).resolves.toMatchObject({ id: 'evt_1' });
    await expect(verifyWebhook(sent, { ...options, label: 'sig2' })).rejects.toMatchObject({
      code: 'signature_missing',
      step: 'requirements',
    });
  });
});
