// The receiver: handling each delivery once, the answers, the public URL, and the limits of requests.
import { describe, expect, it } from 'vitest';
import {
  createKeyCache,
  createMemoryReplayStore,
  createWebhookReceiver,
  type ReplayStore,
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
  toInit,
} from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));

function setUp(
  options: Partial<Omit<WebhookReceiverOptions, 'partnerId' | 'anyPartner' | 'keys' | 'secret'>> = {},
) {
  const clock = makeClock(start + 1);
  const handled: string[] = [];
  const errors: unknown[] = [];
  const receiver = createWebhookReceiver({
    url: endpoint,
    keys,
    partnerId,
    handle: ({ id }) => void handled.push(id),
    onError: (error) => errors.push(error),
    now: clock.now,
    ...options,
  });
  return { clock, handled, errors, receiver };
}

/** A handler that waits until the test ends it, with or without an error. */
function makeGate() {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const handle = () => {
    begun.resolve();
    return ended.promise;
  };
  return {
    handle,
    hasBegun: begun.promise,
    end: (error?: Error) => (error ? ended.reject(error) : ended.resolve()),
  };
}

describe('replays', () => {
  it('a handled delivery is acknowledged and not handled again', async () => {
    const { receiver, handled, errors } = setUp();
    const sent = await makeWebhook(key);
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    expect(await receiver.receive(await makeWebhook(key, { created: start + 1 }))).toEqual({ status: 204 });
    expect(handled).toEqual(['evt_1']);
    expect(errors).toEqual([]);
  });

  it('concurrent copies are handled once; the others are answered with 503', async () => {
    const gate = makeGate();
    const { receiver, errors } = setUp({ handle: gate.handle });
    const sent = await makeWebhook(key);
    const first = receiver.receive(sent);
    await gate.hasBegun;
    const answers = await Promise.all(Array.from({ length: 20 }, () => receiver.receive(sent)));
    expect(answers).toEqual(Array(20).fill({ status: 503, code: 'delivery_in_progress', step: 'replay' }));
    gate.end();
    expect(await first).toEqual({ status: 204 });
    expect(errors).toHaveLength(20);
  });

  it('a failing handler releases the delivery, so the retry is handled', async () => {
    let fails = true;
    const { receiver, errors } = setUp({
      handle: () => {
        if (fails) throw new Error('The database is down');
      },
    });
    const sent = await makeWebhook(key);
    expect(await receiver.receive(sent)).toEqual({ status: 500 });
    expect(errors).toEqual([new Error('The database is down')]);
    fails = false;
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
  });

  it('a retry after a crash is handled once the lease in a shared store has ended', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const gate = makeGate();
    const crashed = setUp({ replay, now: clock.now, handle: gate.handle });
    void crashed.receiver.receive(await makeWebhook(key));
    await gate.hasBegun;
    const { receiver, handled } = setUp({ replay, now: clock.now });
    clock.advance(59_999);
    expect(await receiver.receive(await makeWebhook(key))).toMatchObject({ status: 503 });
    clock.advance(1);
    expect(await receiver.receive(await makeWebhook(key))).toEqual({ status: 204 });
    expect(handled).toEqual(['evt_1']);
  });

  it('a handler whose lease has ended cannot release the claim of another', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const gates = [makeGate(), makeGate()] as const;
    let next = 0;
    const { receiver } = setUp({ replay, now: clock.now, handle: () => gates[next++]!.handle() });
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

  it('the same event for another endpoint is another delivery', async () => {
    const clock = makeClock(start + 1);
    const replay = createMemoryReplayStore({ now: clock.now });
    const other = 'https://hooks.example.com/other';
    const [one, two] = [setUp({ replay, now: clock.now }), setUp({ replay, now: clock.now, url: other })];
    await one.receiver.receive(await makeWebhook(key));
    await two.receiver.receive(await makeWebhook(key, { url: other }));
    expect([one.handled, two.handled]).toEqual([['evt_1'], ['evt_1']]);
  });

  it('a captured request is not handled again while its signature is valid', async () => {
    const { receiver, handled, clock } = setUp();
    // The sender's clock is ahead by the whole tolerance, so the signature is valid for the longest possible
    // time.
    const sent = await makeWebhook(key, { created: start + 301 });
    expect(await receiver.receive(sent)).toEqual({ status: 204 });
    for (let second = 0; second <= 600; second += 60) {
      expect(await receiver.receive(sent)).toEqual({ status: 204 });
      clock.advance(60_000);
    }
    expect(await receiver.receive(sent)).toMatchObject({ status: 401, code: 'created_too_old' });
    expect(handled).toEqual(['evt_1']);
  });

  it('refuses a keepHandledSeconds, toleranceSeconds or leaseSeconds that would let replays pass', () => {
    for (const wrong of [
      { keepHandledSeconds: -1 },
      { keepHandledSeconds: Number.NaN },
      { toleranceSeconds: Number.NaN },
      { toleranceSeconds: '300' as never },
      { leaseSeconds: 0 },
    ]) {
      expect(() => setUp(wrong)).toThrow(RangeError);
    }
  });

  it('a lease that has ended can be claimed again, also behind a done entry', async () => {
    const clock = makeClock();
    const store = createMemoryReplayStore({ now: clock.now });
    await store.commit('done', 'a', 600_000);
    expect(await store.claim('crashed', 'b', 60_000)).toBe('claimed');
    clock.advance(59_999);
    expect(await store.claim('crashed', 'c', 60_000)).toBe('in_progress');
    clock.advance(1);
    expect(await store.claim('crashed', 'c', 60_000)).toBe('claimed');
  });

  it('a full store removes expired leases, also behind a done entry', async () => {
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

  it.each(['claim', 'commit'] as const)(
    'when %s of the store fails, the error is reported and the delivery is answered with 503',
    async (method) => {
      const store: ReplayStore = createMemoryReplayStore();
      const failing = { ...store, [method]: () => Promise.reject(new Error('The store is down')) };
      const { receiver, errors } = setUp({ replay: failing });
      expect(await receiver.receive(await makeWebhook(key))).toMatchObject({
        status: 503,
        code: 'replay_unavailable',
      });
      expect((errors[0] as Error).cause).toEqual(new Error('The store is down'));
    },
  );
});

it('while the JWKS is down, a delivery is answered with 503', async () => {
  const fetch = () => Promise.reject(new Error('down'));
  const down = { keys: createKeyCache({ url: 'https://concord.example.com/jwks.json', fetch }) };
  const { receiver } = setUp({ ...(down as object) });
  const answer = { status: 503, code: 'keys_unavailable', step: 'fetch_keys' };
  expect(await receiver.receive(await makeWebhook(key))).toEqual(answer);
});

describe('the public URL', () => {
  it('replaces the URL of the request', async () => {
    const { receiver } = setUp();
    const behindProxy = new Request('http://10.0.0.7:8080/internal', toInit(await makeWebhook(key)));
    expect(await receiver.receive(behindProxy)).toEqual({ status: 204 });
  });

  it('refuses a webhook for another endpoint, also when the request has that URL', async () => {
    const { receiver, handled } = setUp();
    const theirs = 'https://hooks.example.net/theirs';
    const sent = await makeWebhook(key, { url: theirs });
    expect(await receiver.receive(new Request(theirs, toInit(sent)))).toMatchObject({
      status: 401,
      code: 'signature_invalid',
    });
    expect(handled).toEqual([]);
  });

  it('verifyWebhook uses the URL of the request by default', async () => {
    const sent = await makeWebhook(key);
    const request = new Request(sent.url, toInit(sent));
    const { id, kid, created } = await verifyWebhook(request, { keys, partnerId, now: () => start * 1_000 });
    expect({ id, kid, created }).toEqual({ id: 'evt_1', kid: 'one', created: start });
  });
});

it('refuses a key for another algorithm', async () => {
  const other = { algorithm: 'ecdsa-p256-sha256', verify: () => true };
  const verifying = verifyWebhook(await makeWebhook(key), {
    keys: { findKey: async () => other },
    partnerId,
    now: () => start * 1_000,
  });
  await expect(verifying).rejects.toMatchObject({ code: 'algorithm_mismatch', step: 'find_key' });
});

it('refuses a relative URL with a code', async () => {
  const verifying = verifyWebhook(
    { ...(await makeWebhook(key)), url: '/concord' },
    { keys, partnerId, now: () => start * 1_000 },
  );
  await expect(verifying).rejects.toMatchObject({ code: 'message_invalid', step: 'request' });
});

describe('verifyWebhook refuses', () => {
  const options = { keys, partnerId, url: endpoint, now: () => start * 1_000 };

  it('a body that something has read or parsed', async () => {
    const sent = await makeWebhook(key);
    const request = new Request(endpoint, toInit(sent));
    await request.text();
    for (const used of [request, { ...sent, body: {} as Uint8Array }]) {
      await expect(verifyWebhook(used, options)).rejects.toMatchObject({
        code: 'body_unreadable',
        step: 'request',
      });
    }
  });

  it('a body beyond maxBodyBytes, streamed or not', async () => {
    const sent = await makeWebhook(key, { data: 'x'.repeat(2_000) });
    const limited = { ...options, maxBodyBytes: 1_000 };
    for (const request of [new Request(sent.url, toInit(sent)), sent]) {
      await expect(verifyWebhook(request, limited)).rejects.toMatchObject({
        code: 'body_too_large',
        step: 'request',
      });
    }
  });

  it('everything when a limit or the clock is NaN', async () => {
    const sent = await makeWebhook(key);
    await expect(verifyWebhook(sent, { ...options, maxBodyBytes: Number.NaN })).rejects.toMatchObject({
      code: 'body_too_large',
    });
    await expect(verifyWebhook(sent, { ...options, toleranceSeconds: Number.NaN })).rejects.toMatchObject({
      code: 'created_in_future',
    });
    await expect(verifyWebhook(sent, { ...options, now: () => Number.NaN })).rejects.toMatchObject({
      code: 'created_in_future',
    });
  });

  it('headers beyond 64 KiB', async () => {
    const sent = await makeWebhook(key);
    const headers = [...sent.headers, ['X-Long', 'x'.repeat(65_536)] as [string, string]];
    await expect(verifyWebhook({ ...sent, headers }, options)).rejects.toMatchObject({
      code: 'too_large',
      step: 'request',
    });
  });

  it('a signature with another label', async () => {
    const sent = await makeWebhook(key);
    await expect(verifyWebhook(sent, { ...options, label: 'sig1' })).resolves.toMatchObject({ id: 'evt_1' });
    await expect(verifyWebhook(sent, { ...options, label: 'sig2' })).rejects.toMatchObject({
      code: 'signature_missing',
      step: 'requirements',
    });
  });
});
