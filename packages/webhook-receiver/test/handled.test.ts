// Events that are sent again: recognised for longer than the retries take, in bounded memory, apart from the
// guard against replays.
import { expect, it } from 'vitest';
import {
  createMemoryHandledStore,
  createMemoryReplayStore,
  createWebhookReceiver,
  type WebhookReceiverOptions,
} from '../src/index.ts';
import { endpoint, jwksOf, makeClock, makeKey, makeWebhook, partnerId, readKeys, start } from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));
const day = 86_400_000;

function setUp(
  options: Partial<Pick<WebhookReceiverOptions, 'handle' | 'handled' | 'keepHandledSeconds' | 'replay'>> & {
    maxReplayKeys?: number;
  } = {},
) {
  const clock = makeClock();
  const handled: string[] = [];
  const errors: unknown[] = [];
  const receiver = createWebhookReceiver({
    url: endpoint,
    keys,
    partnerId,
    now: clock.now,
    handle: ({ id }) => void handled.push(id),
    onError: (error) => errors.push(error),
    replay: createMemoryReplayStore({ maxKeys: options.maxReplayKeys ?? 100, now: clock.now }),
    ...options,
  });
  /** Sends the event with a new signature, as each attempt has. */
  const send = async (id = 'evt_1') =>
    receiver.receive(await makeWebhook(key, { id, created: Math.floor(clock.now() / 1_000) }));
  return { clock, handled, errors, send };
}

it('H4: an event that arrives again within seven days is acknowledged and not handled again', async () => {
  const { clock, handled, send } = setUp();
  await send();
  for (let days = 0; days < 7; days += 1) {
    clock.advance(day - 1);
    expect(await send()).toEqual({ status: 204 });
  }
  expect(handled).toEqual(['evt_1']);
  const later = setUp();
  await later.send();
  later.clock.advance(7 * day);
  expect(await later.send()).toEqual({ status: 204 });
  expect(later.handled).toEqual(['evt_1', 'evt_1']);
});

it('H4: keepHandledSeconds 0 recognises copies only while their signature is valid', async () => {
  const { clock, handled, send } = setUp({ keepHandledSeconds: 0 });
  await send();
  clock.advance(601_000 - 1);
  await send();
  expect(handled).toEqual(['evt_1']);
  clock.advance(601_000);
  await send();
  expect(handled).toEqual(['evt_1', 'evt_1']);
});

it('H4: the memory store keeps at most maxKeys, forgets the oldest, and drops expired keys', async () => {
  const clock = makeClock();
  const store = createMemoryHandledStore({ maxKeys: 3, now: clock.now });
  for (const name of ['a', 'b', 'c', 'd']) await store.add(name, day);
  const has = () => Promise.all(['a', 'b', 'c', 'd'].map((name) => store.has(name)));
  expect(await has()).toEqual([false, true, true, true]);
  await store.add('b', 2 * day);
  await store.add('e', day);
  clock.advance(day);
  expect(await has()).toEqual([false, true, false, false]);
});

it.each([createMemoryHandledStore, createMemoryReplayStore])('H3: %o refuses a wrong maxKeys', (create) => {
  for (const maxKeys of [0, Number.NaN]) expect(() => create({ maxKeys })).toThrow(RangeError);
});

it('H4: a full store of handled events lets no captured request pass', async () => {
  const { handled, send } = setUp({
    handled: createMemoryHandledStore({ maxKeys: 1, now: () => start * 1_000 }),
  });
  for (const id of ['evt_1', 'evt_2', 'evt_1', 'evt_2']) expect(await send(id)).toEqual({ status: 204 });
  expect(handled).toEqual(['evt_1', 'evt_2']);
});

it('H4: a full replay store empties after the signature window, although handled events are kept longer', async () => {
  const { clock, errors, send } = setUp({ maxReplayKeys: 2 });
  for (const id of ['evt_1', 'evt_2']) expect(await send(id)).toEqual({ status: 204 });
  const refusal = { code: 'replay_unavailable', step: 'replay' };
  expect(await send('evt_3')).toEqual({ status: 503, ...refusal });
  expect(errors).toMatchObject([{ name: 'WebhookError', ...refusal }]);
  clock.advance(601_000);
  for (const id of ['evt_3', 'evt_4']) expect(await send(id)).toEqual({ status: 204 });
});

it('H2, H4: a claim that cannot be released hides no error of the handler', async () => {
  const memory = createMemoryReplayStore();
  const release = () => Promise.reject(new Error('release is down'));
  const failed = new Error('the handler failed');
  const { errors, send } = setUp({
    replay: { ...memory, release },
    handle: () => Promise.reject(failed),
  });
  expect(await send()).toMatchObject({ status: 500 });
  expect(errors).toMatchObject([{ cause: new Error('release is down') }, failed]);
});

it('H4: a failure of the store before the handler is 503 and releases the claim; after it, the event is acknowledged', async () => {
  let down: 'has' | 'add' | undefined = 'has';
  const memory = createMemoryHandledStore({ now: () => start * 1_000 });
  const fail = (method: 'has' | 'add') =>
    down === method ? Promise.reject(new Error(`${method} is down`)) : undefined;
  const { handled, errors, send } = setUp({
    handled: {
      has: (id) => fail('has') ?? memory.has(id),
      add: (...entry) => fail('add') ?? memory.add(...entry),
    },
  });
  expect(await send()).toEqual({ status: 503, code: 'replay_unavailable', step: 'replay' });
  down = 'add';
  expect(await send()).toEqual({ status: 204 });
  expect(handled).toEqual(['evt_1']);
  expect(errors.map((error) => (error as Error).cause)).toEqual([
    new Error('has is down'),
    new Error('add is down'),
  ]);
});
