// Signatures with a shared secret (Standard Webhooks v1): what is refused before, or instead of, a comparison.
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { type VerifyWebhookOptions, verifyWebhook } from '../src/index.ts';
import { endpoint, partnerId, start } from './sender.ts';

const key = Buffer.alloc(32, 7);
const secret = `whsec_${key.toString('base64')}`;
const body = JSON.stringify({ id: 'evt_1', type: 'inventory.updated', partner_id: partnerId });
const signature = `v1,${createHmac('sha256', key).update(`evt_1.${start}.${body}`).digest('base64')}`;
const fields = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(start), 'webhook-signature': signature };

function verify(changed: Record<string, string | string[]>, options: Partial<VerifyWebhookOptions> = {}) {
  const headers = { ...fields, ...changed };
  const given = { secret, partnerId, now: () => start * 1_000, ...options } as VerifyWebhookOptions;
  return verifyWebhook({ method: 'POST', url: endpoint, headers, body }, given).then(
    ({ id }) => id,
    ({ code }: { code?: string }) => code,
  );
}

it('W65: the secret verifies one of 32 signatures, at a time within the tolerance', async () => {
  const others = (count: number) => `${`v1,${'A'.repeat(43)}= `.repeat(count)}v1a,other `;
  expect(await verify({ 'webhook-signature': others(31) + signature })).toBe('evt_1');
  expect(await verify({ 'webhook-signature': others(32) + signature })).toBe('signature_invalid');
  expect(await verify({ 'webhook-id': ['evt_1', 'evt_1'] })).toBe('signature_missing');
  for (const [seconds, found] of [
    [-301, 'created_in_future'],
    [-300, 'evt_1'],
    [300, 'evt_1'],
    [301, 'created_too_old'],
  ] as const)
    expect(await verify({}, { now: () => (start + seconds) * 1_000 })).toBe(found);
  expect(await verify({}, { toleranceSeconds: Number.NaN })).toMatch(/^created_/);
});
