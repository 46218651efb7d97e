// Explains why a webhook does not verify, using requests that the service's own keys signed.
import { createPrivateKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseSecrets } from '../../../src/base/config-values.ts';
import { createEncryption } from '../../../src/base/secrets/encryption.ts';
import { signAttempt } from '../../../src/webhooks/delivering/sign.ts';
import { signWithNode } from '../../../src/webhooks/signing-keys/index.ts';
import { expectCode, expectStatus } from '../../stage/cast.ts';
import { secrets, useService } from '../../stage/start-service.ts';

const url = 'https://hooks.example.com/concord';
const body =
  '{"id":"evt_1","type":"inventory.updated","created_at":"2026-01-01T00:00:00.000Z","partner_id":"ptr_1","environment":"live","data":{}}';

const service = useService();

async function signed(nowMs = Date.now(), environment = 'live', text = body) {
  const [row] = await service.sql(
    'select kid, sealed from signing_key where environment = $1 and activates_at <= now() order by sequence limit 1',
    [environment],
  );
  const jwk = JSON.parse(
    createEncryption(parseSecrets(secrets), 'signing keys').decrypt(row.sealed, `${environment} ${row.kid}`),
  );
  const key = { kid: row.kid, sign: signWithNode(createPrivateKey({ key: jwk, format: 'jwk' })) };
  const { headers } = await signAttempt({
    url: new URL(url),
    body: Buffer.from(text),
    id: 'evt_1',
    attempt: 1,
    userAgent: 'Concord',
    key,
    nowMs,
  });
  return headers;
}
const verify = async (changes: object = {}) => {
  const request = { method: 'POST', url, headers: await signed(), body, ...changes };
  return service.post('/webhook-debug/verify', request);
};

it('W13: a request that the service signed verifies, as text or base64', async () => {
  const detail = { checked_url: null, signature_base: null, matching_url: null };
  const good = { verified: true, step: null, code: null, reason: null, ...detail };
  expect((await verify()).body).toEqual(good);
  expect(
    (await verify({ body: Buffer.from(body).toString('base64'), body_encoding: 'base64' })).body,
  ).toEqual(good);
  expect(
    (await verify({ headers: await signed(Date.now(), 'sandbox'), environment: 'sandbox' })).body,
  ).toEqual(good);
});

it('W13, W70: the largest batch can be verified, whatever its text takes in JSON', async () => {
  const event = (data: string) => `[${body.slice(0, -3)}"${data}"}]`;
  const largest = 1_024 * 1_024;
  const text = event('\\"'.repeat((largest - event('').length) >> 1));
  expect(largest - text.length).toBeLessThan(2);
  expect(
    (await verify({ body: text, headers: await signed(Date.now(), 'live', text) })).body.code,
  ).toBeNull();
});

it('W13: the answer for any other request names the step that fails', async () => {
  const headers = await signed();
  const old = await signed(Date.parse('2026-01-01T00:00:00Z'));
  for (const [changes, step, code] of [
    [{ body: body.replace('{}', '{ }') }, 'digest', 'digest_mismatch'],
    [{ url: `${url}/` }, 'verify', 'signature_invalid'],
    [{ method: 'PUT' }, 'verify', 'signature_invalid'],
    [{ environment: 'sandbox' }, 'find_key', 'key_unknown'],
    [{ headers: {} }, 'parse', 'signature_missing'],
    [{ headers: old }, 'requirements', 'created_too_old'],
    [{ headers: { ...headers, 'signature-input': 'sig1=(' } }, 'parse', 'field_malformed'],
    [{ url: 'nonsense' }, 'request', 'message_invalid'],
  ] as const)
    expect([changes, (await verify(changes)).body]).toMatchObject([{}, { verified: false, step, code }]);
  expect((await verify({ headers: old, at: '2026-01-01T00:01:00Z' })).body.verified).toBe(true);
});

it('W13: a key of the other environment is named as such, and a key of neither is not', async () => {
  const checked = async (signedFor: string, environment?: string) =>
    (await verify({ headers: await signed(Date.now(), signedFor), environment })).body;
  for (const [signedFor, environment, other] of [
    ['sandbox', undefined, 'live'],
    ['sandbox', 'live', 'live'],
    ['live', 'sandbox', 'sandbox'],
  ] as const) {
    const { code, reason } = await checked(signedFor, environment);
    expect([code, reason.replace(/^.*?\. /, '')]).toEqual([
      'key_unknown',
      `It is a key of the environment ${signedFor}, and the request was verified with the keys of ${other}`,
    ]);
  }
  const headers = await signed();
  const input = headers['signature-input']?.replace(/keyid="[^"]+"/, 'keyid="other"');
  const unknown = (await verify({ headers: { ...headers, 'signature-input': input } })).body;
  expect([unknown.code, unknown.reason]).toEqual(['key_unknown', 'The JWKS has no key other']);
});

it('W13: headers can be pairs, where a name may appear twice', async () => {
  const pairs = Object.entries(await signed());
  expect((await verify({ headers: pairs })).body.verified).toBe(true);
  expect((await verify({ headers: [...pairs, ['Webhook-Id', 'evt_2']] })).body).toMatchObject({
    code: 'signature_invalid',
  });
  for (const wrong of [
    [['a']],
    [['a', 'b', 'c']],
    [['a', 1]],
    ['a'],
    [{ a: 'b' }],
    Array(201).fill(['a', 'b']),
    'a',
    null,
  ])
    expect([wrong, (await verify({ headers: wrong })).status]).toEqual([wrong, 400]);
});

it('W13, H5: an invalid signature shows the URL and the base that were checked, and the URL that verifies', async () => {
  const other = await verify({ url: `${url.replace('https', 'http')}/` });
  expect(other.body).toMatchObject({
    verified: false,
    checked_url: 'http://hooks.example.com/concord/',
    matching_url: url,
  });
  expect(other.body.signature_base).toMatch(
    /^"@method": POST\n"@target-uri": http:\/\/hooks\.example\.com\/concord\/\n/,
  );
  const unknown = await verify({ url: 'https://hooks.example.com/elsewhere' });
  expect(unknown.body).toMatchObject({ code: 'signature_invalid', matching_url: null });
  expect((await verify({ body: '' })).body).toMatchObject({
    code: 'digest_mismatch',
    checked_url: null,
    signature_base: null,
  });
});

it('W13: an invalid body is 400, and a large body is 413', async () => {
  for (const wrong of [{ url: 5 }, { headers: { a: 1 } }, { at: 'then' }, { environment: 'x' }, { extra: 1 }])
    await expectStatus(400, verify(wrong));
  await expectStatus(413, verify({ body: 'x'.repeat(3_200_000) }));
});

it('W57: the form of an attempt and of the sandbox receiver is taken as it is', async () => {
  const lines = Object.entries(await signed()).map(([name, value]) => ({ name, value }));
  expect((await verify({ headers: lines })).body.verified).toBe(true);
  await expectCode(
    'signature_invalid',
    verify({ headers: [...lines, { name: 'Webhook-Id', value: 'evt_2' }] }),
  );
  const old = Object.entries(await signed(Date.parse('2026-01-01T00:00:00Z'))).map(([name, value]) => ({
    name,
    value,
  }));
  const received = {
    headers: old,
    body_encoding: 'utf8',
    received_at: '2026-01-01T00:00:01.000Z',
    verification: { verified: false },
  };
  expect((await verify(received)).body.verified).toBe(true);
  await expectCode('created_too_old', verify({ ...received, at: '2026-01-02T00:00:00Z' }));
  for (const wrong of [{ name: 'a' }, { name: 'a', value: 1 }, { name: 'a', value: 'b', more: 'c' }])
    expect([wrong, (await verify({ headers: [wrong] })).status]).toEqual([wrong, 400]);
});

it('W57: it requires a token, an old request requires `at`, and webhook-signature is explained', async () => {
  const request = { method: 'POST', url, headers: await signed(Date.parse('2026-01-01T00:00:00Z')), body };
  await expectStatus(401, service.post('/webhook-debug/verify', request, null));
  const { body: found } = await service.post('/webhook-debug/verify', request);
  expect(found.reason).toMatch(
    /^created is \d+ s ago; at most 300 s are allowed\. To verify an old request, set at to the time when it arrived$/,
  );
  const other = await verify({ headers: { 'webhook-id': 'evt_1', 'Webhook-Signature': 'v1,abc' } });
  expect(other.body).toMatchObject({ step: 'parse', code: 'signature_missing' });
  expect(other.body.reason).toContain('webhook-signature, but no Signature and Signature-Input');
});
