// An invalid signature: the error says what was checked and which similar URL was signed; the client learns
// nothing of it.
import { expect, it } from 'vitest';
import {
  createWebhookReceiver,
  type Keys,
  toFetchHandler,
  verifyWebhook,
  WebhookError,
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
/** A new source of keys, since one search a second is started for each. */
const newKeys = () => readKeys(jwksOf(key));
const now = () => start * 1_000;

function createReceiver(keys: Keys, time = now) {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const receiver = createWebhookReceiver({
    url: endpoint,
    keys,
    partnerId,
    now: time,
    handle: () => {},
    onError,
  });
  return { errors, receiver };
}

async function explain(signedUrl: string, url: string, extra: [string, string][] = [], options: object = {}) {
  const sent = await makeWebhook(key, { url: signedUrl });
  const request = { ...sent, url, headers: [...sent.headers, ...extra] };
  const error: unknown = await verifyWebhook(request, {
    keys: await newKeys(),
    partnerId,
    now,
    ...options,
  }).catch((failure: unknown) => failure);
  if (!(error instanceof WebhookError)) throw error;
  return error;
}

it.each<[string, string, string, [string, string][]]>([
  ['another scheme', 'http://hooks.example.com/concord', endpoint, []],
  ['a trailing slash', `${endpoint}/?a=1`, `${endpoint}?a=1`, []],
  ['no trailing slash', endpoint, `${endpoint}/`, []],
  ['both', 'http://hooks.example.com/concord/', endpoint, []],
  [
    'the forwarded host',
    endpoint,
    'http://10.0.0.7:8080/concord',
    [['X-Forwarded-Host', 'hooks.example.com, proxy']],
  ],
  ['the host', 'https://hooks.example.com:8443/concord', endpoint, [['host', 'hooks.example.com:8443']]],
])('H5: a webhook that was signed for %s names the URL that verifies', async (_, signed, url, headers) => {
  const error = await explain(signed, url, headers);
  expect(error).toMatchObject({
    code: 'signature_invalid',
    step: 'verify',
    detail: { url, verifiesWith: signed },
  });
  expect(error.message).toContain(`The sender signed ${signed}`);
  expect(error.detail?.base).toMatch(
    new RegExp(`^"@method": POST\n"@target-uri": ${url.replace(/[.?]/g, '\\$&')}\n`),
  );
});

it('H5: the URL of a fetch request is tried too, with both schemes', async () => {
  const signed = 'https://public.example.com/other/path';
  const request = new Request(
    signed.replace('https', 'http'),
    toInit(await makeWebhook(key, { url: signed })),
  );
  await expect(
    verifyWebhook(request, { keys: await newKeys(), partnerId, url: endpoint, now }),
  ).rejects.toMatchObject({
    detail: { url: endpoint, verifiesWith: signed },
  });
});

it('H5: when no similar URL verifies, the error says what to compare', async () => {
  const error = await explain('https://hooks.example.com/elsewhere', endpoint, [['host', 'not a host/']]);
  expect(error.detail).toMatchObject({ url: endpoint, verifiesWith: undefined });
  expect(error.message).toContain(`to ${endpoint}. Compare the URL`);
});

it('H5: a header that is longer than a host and a port is not tried as one', async () => {
  const host = `${'a.'.repeat(130)}example`;
  const error = await explain(`https://${host}/concord`, endpoint, [['host', host]]);
  expect(error.detail).toMatchObject({ url: endpoint, verifiesWith: undefined });
});

it('H5: a search tries at most 13 URLs, and a receiver starts one search a second', async () => {
  let verifications = 0;
  const verifier = await (await newKeys()).findKey('one');
  const countingKeys = (): Keys => ({
    findKey: async () => ({
      algorithm: 'ecdsa-p384-sha384',
      verify: (...bytes) => {
        verifications += 1;
        return verifier!.verify(...bytes);
      },
    }),
  });
  const headers: [string, string][] = [
    ['Host', 'one.example.com'],
    ['X-Forwarded-Host', 'two.example.com'],
  ];
  await explain('https://elsewhere.example.com/', endpoint, headers, { keys: countingKeys() });
  expect(verifications).toBeGreaterThan(8);
  expect(verifications).toBeLessThanOrEqual(14);

  const clock = makeClock();
  const { receiver } = createReceiver(countingKeys(), clock.now);
  const forged = await makeWebhook(key, { url: 'https://elsewhere.example.com/' });
  await receiver.receive(forged);
  verifications = 0;
  for (let count = 0; count < 20; count += 1) await receiver.receive(forged);
  expect(verifications).toBe(20);
  clock.advance(1_000);
  await receiver.receive(forged);
  expect(verifications).toBeGreaterThan(21);
  verifications = 0;
  await explain('https://elsewhere.example.com/', endpoint, headers, {
    keys: countingKeys(),
    searchUrl: false,
  });
  expect(verifications).toBe(1);

  // Without a receiver too: each of these requests would cost 14 verifications.
  verifications = 0;
  const same = countingKeys();
  for (let count = 0; count < 20; count += 1)
    await explain('https://elsewhere.example.com/', endpoint, headers, { keys: same });
  expect(verifications).toBeLessThanOrEqual(20 + 13);
});

it('H5: a search does not read the headers again for each URL', async () => {
  const sent = await makeWebhook(key, { url: 'https://elsewhere.example.com/' });
  const count = async (searchUrl: boolean) => {
    let reads = 0;
    const headers = {
      *[Symbol.iterator]() {
        reads += 1;
        yield* [...sent.headers, ['Host', 'one.example.com'], ['X-Forwarded-Host', 'two.example.com']] as [
          string,
          string,
        ][];
      },
    };
    const options = { keys: await newKeys(), partnerId, url: endpoint, now, searchUrl };
    await expect(verifyWebhook({ ...sent, headers }, options)).rejects.toMatchObject({
      code: 'signature_invalid',
    });
    return reads;
  };
  // Once for each header that can name a host.
  expect(await count(true)).toBe((await count(false)) + 2);
});

it('H5: a valid request does not take the search of an invalid one', async () => {
  const { errors, receiver } = createReceiver(await newKeys());
  expect(await receiver.receive(await makeWebhook(key))).toMatchObject({ status: 204 });
  await receiver.receive(await makeWebhook(key, { id: 'evt_2', url: `${endpoint}/` }));
  expect(errors).toMatchObject([{ detail: { verifiesWith: `${endpoint}/` } }]);
});

it('H5: the answer to the client has the code and the step only', async () => {
  const { errors, receiver } = createReceiver(await newKeys());
  const response = await toFetchHandler(receiver)(
    new Request(endpoint, toInit(await makeWebhook(key, { url: `${endpoint}/` }))),
  );
  expect(await response.json()).toEqual({ code: 'signature_invalid', step: 'verify' });
  expect(errors).toMatchObject([{ detail: { url: endpoint, verifiesWith: `${endpoint}/` } }]);
});
