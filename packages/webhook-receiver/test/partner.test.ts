// The partner: a receiver accepts the events of its own partner, because anyone with a partner can register
// its URL.
import { describe, expect, it } from 'vitest';
import { createWebhookReceiver, type VerifyWebhookOptions, verifyWebhook } from '../src/index.ts';
import { endpoint, jwksOf, makeKey, makeWebhook, partnerId, readKeys, start } from './sender.ts';

const key = await makeKey('one');
const keys = await readKeys(jwksOf(key));
const other = 'ptr_01kdv0000000000000000000';
const now = () => start * 1_000;

async function receive(
  partner: string,
  accepted: { partnerId: string | readonly string[] } | { anyPartner: true },
) {
  const handled: string[] = [];
  const errors: Error[] = [];
  const receiver = createWebhookReceiver({
    ...accepted,
    url: endpoint,
    keys,
    now,
    handle: ({ partner_id }) => void handled.push(partner_id),
    onError: (error) => errors.push(error as Error),
  });
  return { answer: await receiver.receive(await makeWebhook(key, { partner })), handled, errors };
}

it('H1: an event of another partner is answered with 403 and not handled, although its signature is valid', async () => {
  const { answer, handled, errors } = await receive(other, { partnerId });
  expect(answer).toEqual({ status: 403, code: 'partner_mismatch', step: 'partner' });
  expect(handled).toEqual([]);
  expect(errors[0]?.message).toContain(other);
});

it('H1: a receiver accepts one partner, several, or explicitly any', async () => {
  const ok = { answer: { status: 204 }, errors: [] };
  expect(await receive(partnerId, { partnerId })).toMatchObject({ ...ok, handled: [partnerId] });
  expect(await receive(other, { partnerId: [partnerId, other] })).toMatchObject({ ...ok, handled: [other] });
  expect(await receive(other, { anyPartner: true })).toMatchObject({ ...ok, handled: [other] });
  expect((await receive(`${partnerId}x`, { partnerId: [partnerId, other] })).answer.status).toBe(403);
});

describe.each<[string, object]>([
  ['neither', {}],
  ['an undefined partner', { partnerId: undefined }],
  ['an empty partner', { partnerId: '' }],
  ['no partner of a list', { partnerId: [] }],
  ['an empty partner in a list', { partnerId: [partnerId, ''] }],
  ['a partner that is not a string', { partnerId: 5 }],
  ['both', { partnerId, anyPartner: true }],
  ['anyPartner false', { anyPartner: false }],
  ['anyPartner that is truthy', { anyPartner: 'yes' }],
])('with %s', (_, choice) => {
  const options = {
    ...choice,
    url: endpoint,
    keys,
    now,
    handle: () => {},
  } as unknown as VerifyWebhookOptions & { url: string };

  it('H1: a receiver is not created, and a webhook is not verified', async () => {
    expect(() => createWebhookReceiver({ ...options, handle: () => {} })).toThrow(
      /partnerId must be .* anyPartner: true/,
    );
    await expect(verifyWebhook(await makeWebhook(key), options)).rejects.toThrow(TypeError);
  });
});
