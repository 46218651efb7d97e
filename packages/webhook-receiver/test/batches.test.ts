// Batches: the events of one request are handled in order, each once.
import { expect, it } from 'vitest';
import {
  createMemoryReplayStore,
  createWebhookReceiver,
  type VerifiedWebhook,
  verifyWebhook,
} from '../src/index.ts';
import { endpoint, jwksOf, makeClock, makeKey, makeWebhook, partnerId, readKeys } from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));

/** `handle` runs for each event before it counts as handled. */
function setUp({ handle = (_: string): void | Promise<void> => {}, maxKeys = 100 } = {}) {
  const clock = makeClock();
  const handled: string[] = [];
  const webhooks: VerifiedWebhook[] = [];
  const replay = createMemoryReplayStore({ maxKeys, now: clock.now });
  const receiver = createWebhookReceiver({
    url: endpoint,
    keys,
    partnerId,
    now: clock.now,
    handle: async ({ id }, webhook) => {
      await handle(id);
      webhooks.push(webhook);
      handled.push(id);
    },
    onError: () => {},
    replay: {
      ...replay,
      async commit(key, owner, keepMs) {
        if (keepMs < 1) throw new Error('ERR invalid expire time, as Redis says');
        await replay.commit(key, owner, keepMs);
      },
    },
  });
  const send = async (id: string, events?: string[]) =>
    receiver.receive(
      await makeWebhook(key, { id, created: Math.floor(clock.now() / 1_000), ...(events && { events }) }),
    );
  return { clock, handled, webhooks, send };
}

it('W70, H4: the events of a batch are handled in order, and each handler sees one event', async () => {
  const { handled, webhooks, send } = setUp();
  expect(await send('bat_1', ['a', 'b', 'c'])).toEqual({ status: 204 });
  expect(handled).toEqual(['a', 'b', 'c']);
  expect(webhooks.map(({ id, event, events }) => [id, event.id, events.length])).toEqual([
    ['a', 'a', 1],
    ['b', 'b', 1],
    ['c', 'c', 1],
  ]);
  expect(await send('bat_1', ['a', 'b', 'c'])).toEqual({ status: 204 });
  expect(handled).toHaveLength(3);
});

it('W70, H4: after a failure the batch is refused, and its repeat handles what is left', async () => {
  let fails = true;
  const { clock, handled, send } = setUp({
    handle: (id) => {
      if (id === 'b' && fails) throw new Error('not now');
    },
  });
  expect(await send('bat_1', ['a', 'b', 'c'])).toEqual({ status: 500 });
  expect(handled).toEqual(['a']);
  fails = false;
  clock.advance(1_000);
  expect(await send('bat_1', ['a', 'b', 'c'])).toEqual({ status: 204 });
  expect(handled).toEqual(['a', 'b', 'c']);
});

it('W70, H4: an event is handled once, whether it comes alone or in several batches', async () => {
  const { handled, send } = setUp();
  await send('a');
  await send('bat_1', ['a', 'b']);
  await send('bat_2', ['b']);
  await send('b');
  expect(handled).toEqual(['a', 'b']);
});

it('W70, H4: what another request is handling is not handled at the same time', async () => {
  const waiting = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const { handled, send } = setUp({
    handle: async (id) => {
      begun.resolve();
      if (id === 'a') await waiting.promise;
    },
  });
  const first = send('bat_1', ['a', 'b']);
  await begun.promise;
  for (const [id, events] of [['bat_1', ['a', 'b']] as const, ['bat_2', ['a']] as const])
    expect(await send(id, [...events])).toMatchObject({ status: 503, code: 'delivery_in_progress' });
  waiting.resolve();
  expect(await first).toEqual({ status: 204 });
  expect(handled).toEqual(['a', 'b']);
});

it('W70, H4: a batch takes one place in the store of replays', async () => {
  const { handled, send } = setUp({ maxKeys: 3 });
  for (const batch of ['bat_1', 'bat_2']) await send(batch, [`${batch} a`, `${batch} b`, `${batch} c`]);
  expect(handled).toHaveLength(6);
});

it('W70: `event` of a verified batch throws, so that no event is lost by mistake', async () => {
  const options = { keys, partnerId, now: makeClock().now };
  const batch = await verifyWebhook(await makeWebhook(key, { id: 'bat_1', events: ['a', 'b'] }), options);
  expect(batch.events.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(() => batch.event).toThrow('The webhook has 2 events. Read `events` instead of `event`');
  const one = await verifyWebhook(await makeWebhook(key, { id: 'bat_2', events: ['a'] }), options);
  expect([one.id, one.event.id]).toEqual(['bat_2', 'a']);
});
