// One bit of each byte of a good webhook is flipped in turn: none of them verifies.
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from '../src/index.ts';
import { jwksOf, makeKey, makeWebhook, partnerId, readKeys, type Sent, start } from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));
const sent = await makeWebhook(key, { data: { sku: 'NX-1', quantity: 12 } });

const verify = (changes: Partial<Sent> = {}) =>
  verifyWebhook({ ...sent, ...changes }, { keys, partnerId, now: () => start * 1_000 });
const flips = (text: string) =>
  [...text].map(
    (_, at) => text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1),
  );
const flipsOfHeader = (name: string): Partial<Sent>[] =>
  flips(sent.headers.find(([each]) => each === name)![1]).map((flipped) => ({
    headers: sent.headers.map(([each, value]) => [each, each === name ? flipped : value]),
  }));

it('W1: the webhook verifies as it was sent', async () => {
  await expect(verify()).resolves.toMatchObject({
    id: 'evt_1',
    event: { data: { sku: 'NX-1', quantity: 12 } },
  });
});

it.each<[string, Partial<Sent>[]]>([
  [
    'body',
    flips(new TextDecoder().decode(sent.body)).map((text) => ({ body: new TextEncoder().encode(text) })),
  ],
  ['URL', flips(sent.url).map((url) => ({ url }))],
  ['method', flips(sent.method).map((method) => ({ method }))],
  ...['Content-Type', 'Webhook-Id', 'Content-Digest', 'Signature-Input', 'Signature'].map(
    (name): [string, Partial<Sent>[]] => [name, flipsOfHeader(name)],
  ),
])('W1: no flipped byte of the %s verifies', async (_part, changes) => {
  expect(changes.length).toBeGreaterThan(0);
  const outcomes = await Promise.all(
    changes.map((change) =>
      verify(change).then(
        () => change,
        (error: unknown) => error,
      ),
    ),
  );
  expect(outcomes.filter((outcome) => !(outcome instanceof WebhookError))).toEqual([]);
});
