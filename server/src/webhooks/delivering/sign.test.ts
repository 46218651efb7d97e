// The receiver package verifies signed attempts, and refuses any change to them.
import { generateKeyPairSync } from 'node:crypto';
import {
  createSignatureBase,
  createVerifier,
  importKey,
  readSignatures,
} from '@concord/http-message-signatures';
import { createWebhookReceiver, type HandledStore, verifyWebhook } from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { settings } from '../../program/settings.ts';
import { signWithNode } from '../signing-keys/index.ts';
import { rebuildAttempt, signAttempt } from './sign.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const key = { kid: 'the-key', sign: signWithNode(privateKey) };
const body = Buffer.from(
  '{"id":"evt_1","type":"inventory.updated","created_at":"2026-01-01T00:00:00.000Z","partner_id":"ptr_1","environment":"live","data":{}}',
);
const url = new URL('https://hooks.example.com/concord?x=1');
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const signed = async () =>
  (await signAttempt({ url, body, id: 'evt_1', attempt: 3, userAgent: 'Concord', key, nowMs })).headers;

const verifier = createVerifier(
  'ecdsa-p384-sha384',
  await importKey('ecdsa-p384-sha384', publicKey.export({ format: 'jwk' }) as never, 'verify'),
);

async function verify(
  changes: { headers?: Record<string, string>; body?: Buffer; url?: string; kid?: string } = {},
) {
  const keys = {
    findKey: async (kid: string) => (kid === (changes.kid ?? 'the-key') ? verifier : undefined),
  };
  const request = {
    method: 'POST',
    url: changes.url ?? url.href,
    headers: changes.headers ?? (await signed()),
    body: changes.body ?? body,
  };
  return verifyWebhook(request, { keys, partnerId: 'ptr_1', now: () => nowMs });
}

it('W1: the headers are those of the interface, and our receiver accepts them', async () => {
  const headers = await signed();
  expect(headers['signature-input']).toBe(
    `sig1=("@method" "@target-uri" "content-type" "content-digest" "webhook-id");created=${nowMs / 1_000};alg="ecdsa-p384-sha384";keyid="the-key"`,
  );
  expect(Buffer.from(/^sig1=:(.*):$/.exec(headers.signature ?? '')?.[1] ?? '', 'base64')).toHaveLength(96);
  expect(headers).toMatchObject({
    'webhook-id': 'evt_1',
    'webhook-attempt': '3',
    'content-type': 'application/json',
    'user-agent': 'Concord',
  });
  expect(await verify()).toMatchObject({ id: 'evt_1', kid: 'the-key', event: { type: 'inventory.updated' } });
});

it('W1: the signature base is the one that the package creates from the request', () => {
  for (const target of [url, new URL('http://[::1]:80/a%20b?'), new URL('https://EXAMPLE.com:443'), url])
    for (const attempt of [1, 2]) {
      const content = { url: target, body, id: `evt_${attempt}`, attempt, userAgent: 'Concord' };
      const { headers, base } = rebuildAttempt(content, {
        created: attempt,
        keyId: 'the-key',
        signature: Buffer.from('abc'),
      });
      const [input] = readSignatures({ method: 'POST', url: target, headers });
      expect(base).toBe(createSignatureBase({ method: 'POST', url: target, headers }, input!));
      expect(input).toMatchObject({ label: 'sig1', signature: new Uint8Array(Buffer.from('abc')) });
    }
});

it('W1: a flipped byte in body, URL, content type, id, created, kid or signature is refused', async () => {
  const headers = await signed();
  const input = headers['signature-input'] ?? '';
  const signature = headers.signature ?? '';
  const flipped = Buffer.from(body);
  flipped[5] = (flipped[5] ?? 0) ^ 1;
  for (const changes of [
    { headers, body: flipped },
    { headers, url: `${url.href}2` },
    { headers: { ...headers, 'content-type': 'application/jsom' } },
    { headers: { ...headers, 'webhook-id': 'evt_2' } },
    { headers: { ...headers, 'content-digest': headers['content-digest']?.replace(/:./, ':A') ?? '' } },
    {
      headers: {
        ...headers,
        'signature-input': input.replace(/created=\d+/, `created=${nowMs / 1_000 + 1}`),
      },
    },
    { headers: { ...headers, 'signature-input': input.replace('the-key', 'the-kez') } },
    { headers, kid: 'another' },
    {
      headers: {
        ...headers,
        signature: signature.replace(/:(.)/, (_, first) => (first === 'A' ? ':B' : ':A')),
      },
    },
  ])
    await expect(verify(changes)).rejects.toThrow();
  // The attempt is not covered by the signature.
  expect(await verify({ headers: { ...headers, 'webhook-attempt': '4' } })).toMatchObject({ id: 'evt_1' });
});

it('H4: by default a receiver remembers a handled event for longer than the longest schedule of retries', async () => {
  const kept: number[] = [];
  const handled: HandledStore = { has: async () => false, add: async (_, keepMs) => void kept.push(keepMs) };
  const receiver = createWebhookReceiver({
    url: url.href,
    partnerId: 'ptr_1',
    handled,
    keys: { findKey: async () => verifier },
    handle: () => {},
    now: () => nowMs,
  });
  expect(await receiver.receive({ method: 'POST', headers: await signed(), body })).toEqual({ status: 204 });
  const { default: schedule, parse } = settings.CONCORD_WEBHOOK_RETRY_SCHEDULE;
  // Retry-After doubles each delay at most (W15).
  const longestMs = parse(schedule ?? '').reduce((sum, delayMs) => sum + 2 * delayMs, 0);
  expect(kept).toEqual([604_800_000]);
  expect(kept[0]).toBeGreaterThan(longestMs);
});
