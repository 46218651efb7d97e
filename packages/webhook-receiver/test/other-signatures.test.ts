// Signatures that proxies add: ours is found among them, without a fetch of the JWKS for theirs.
import { expect, it } from 'vitest';
import { createKeyCache, verifyWebhook } from '../src/index.ts';
import {
  answerWith,
  jwksOf,
  makeClock,
  makeKey,
  makeWebhook,
  partnerId,
  type Sent,
  start,
  startJwks,
} from './sender.ts';

const [ours, theirs] = await Promise.all([makeKey('ours'), makeKey('theirs')]);
/** After the cool-down of the keys. */
const now = () => (start + 60) * 1_000;
const isSignature = ([name]: [string, string]) => name.startsWith('Signature');
const add = (one: Sent, other: Sent, first: boolean): Sent => {
  const added = other.headers.filter(isSignature);
  return { ...one, headers: first ? [...added, ...one.headers] : [...one.headers, ...added] };
};

async function setUp() {
  const jwks = await startJwks(answerWith(jwksOf(ours)));
  const clock = makeClock();
  const keys = createKeyCache({ url: jwks.url, allowHttp: true, now: clock.now });
  await keys.findKey('ours');
  clock.advance(60_000);
  return {
    jwks,
    verify: (sent: Sent, label?: string) => verifyWebhook(sent, { keys, partnerId, now, label }),
  };
}

it.each([true, false])(
  'H8: a signature by a proxy with our algorithm and components is ignored (first: %s)',
  async (first) => {
    const { jwks, verify } = await setUp();
    await using _ = jwks;
    const signed = add(await makeWebhook(ours), await makeWebhook(theirs, { label: 'proxy' }), first);
    expect(await verify(signed)).toMatchObject({ kid: 'ours' });
    expect(jwks.requests).toBe(1);
  },
);

it('H8: our signature is found under any label, also behind 31 others', async () => {
  const { jwks, verify } = await setUp();
  await using _ = jwks;
  let signed = await makeWebhook(ours, { label: 'concord' });
  for (let index = 0; index < 31; index += 1)
    signed = add(
      signed,
      await makeWebhook(theirs, {
        label: index === 0 ? 'sig1' : `proxy${index}`,
        created: start - index * 20,
      }),
      true,
    );
  expect(await verify(signed)).toMatchObject({ kid: 'ours' });
  expect(await verify(signed, 'concord')).toMatchObject({ kid: 'ours' });
  await expect(verify(signed, 'sig1')).rejects.toMatchObject({ code: 'key_unknown' });
});

it('H8: a request with signatures of others only is refused', async () => {
  const { jwks, verify } = await setUp();
  await using _ = jwks;
  const signed = add(await makeWebhook(theirs), await makeWebhook(theirs, { label: 'proxy' }), true);
  await expect(verify(signed)).rejects.toMatchObject({ code: 'key_unknown', step: 'find_key' });
});

it('H8: the error is that of the signature that looks most like ours', async () => {
  const { jwks, verify } = await setUp();
  await using _ = jwks;
  const old = await makeWebhook(ours, { created: start - 241 });
  const signed = add(old, await makeWebhook(theirs, { label: 'proxy' }), true);
  await expect(verify(signed)).rejects.toMatchObject({ code: 'created_too_old' });
});
