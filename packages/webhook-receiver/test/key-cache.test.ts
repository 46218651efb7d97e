// The key cache over real HTTP, with a clock that the test moves (W24).
import { describe, expect, it } from 'vitest';
import { createKeyCache, type KeyCacheOptions } from '../src/index.ts';
import { answerWith, jwksOf, makeClock, makeKey, startJwks } from './sender.ts';

const [one, two, three] = await Promise.all([makeKey('one'), makeKey('two'), makeKey('three')]);
const minute = 60_000;
const hour = 60 * minute;

async function set(answer = answerWith(jwksOf(one)), options: Partial<KeyCacheOptions> = {}) {
  const jwks = await startJwks(answer);
  const clock = makeClock();
  const keys = createKeyCache({ url: jwks.url, allowHttp: true, now: clock.now, ...options });
  const find = async (kid: string) => {
    try {
      return (await keys.findKey(kid)) ? 'found' : 'unknown';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  return { jwks, clock, find, [Symbol.asyncDispose]: () => jwks[Symbol.asyncDispose]() };
}

describe('W24, freshness:', () => {
  it('a document is fetched once while it is fresh, also by many at once', async () => {
    await using test = await set();
    expect(await Promise.all(Array.from({ length: 50 }, () => test.find('one')))).toEqual(Array(50).fill('found'));
    test.clock.advance(hour - 1);
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(1);
    test.clock.advance(1);
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(2);
  });

  it.each([
    ['max-age=5', minute],
    ['no-store', minute],
    ['max-age=600', 10 * minute],
    ['Public, MAX-AGE=600', 10 * minute],
    ['max-age=9999999', 24 * hour],
    ['max-age=-1', hour],
    ['', hour],
  ])('Cache-Control %j is fresh for %i ms', async (cacheControl, freshMs) => {
    await using test = await set(answerWith(jwksOf(one), { 'cache-control': cacheControl }));
    await test.find('one');
    test.clock.advance(freshMs - 1);
    await test.find('one');
    expect(test.jwks.requests).toBe(1);
    test.clock.advance(1);
    await test.find('one');
    expect(test.jwks.requests).toBe(2);
  });

  it('a clock that goes back fetches again, and does not block', async () => {
    await using test = await set();
    await test.find('one');
    test.clock.advance(-24 * hour);
    test.jwks.answer = answerWith(jwksOf(two));
    expect(await test.find('two')).toBe('found');
  });
});

describe('W24, rotation:', () => {
  it('a new kid is fetched, and a removed one is forgotten with the next document', async () => {
    await using test = await set(answerWith(jwksOf(one, two)));
    expect(await test.find('one')).toBe('found');
    test.jwks.answer = answerWith(jwksOf(two, three));
    test.clock.advance(minute);
    expect(await test.find('three')).toBe('found');
    expect(test.jwks.requests).toBe(2);
    expect(await test.find('one')).toBe('unknown');
  });

  it('a flood of unknown kids causes one fetch a cool-down', async () => {
    await using test = await set();
    await test.find('one');
    for (let second = 0; second < 300; second += 1) {
      test.clock.advance(1_000);
      const flood = await Promise.all([1, 2, 3].map((n) => test.find(`unknown-${second}-${n}`)));
      expect(flood).toEqual(Array(3).fill('unknown'));
    }
    expect(test.jwks.requests).toBe(1 + 300 / 30);
    expect(await test.find('one')).toBe('found');
  });
});

describe('W24, the JWKS is down:', () => {
  const down = answerWith('down', {}, 503);

  it('what was cached serves for stale-if-error, and is asked for once a cool-down', async () => {
    await using test = await set();
    await test.find('one');
    test.jwks.answer = down;
    test.clock.advance(hour);
    for (let second = 0; second < 60; second += 1) {
      expect(await test.find('one')).toBe('found');
      test.clock.advance(1_000);
    }
    expect(test.jwks.requests).toBe(3);
    expect(await test.find('two')).toBe('keys_unavailable');
    test.clock.advance(24 * hour - minute - 1);
    expect(await test.find('one')).toBe('found');
    test.clock.advance(1);
    expect(await test.find('one')).toBe('keys_unavailable');
    test.jwks.answer = answerWith(jwksOf(one));
    test.clock.advance(30_000);
    expect(await test.find('one')).toBe('found');
  });

  it.each([
    ['stale-if-error=60', 24 * hour, minute],
    ['stale-if-error=9999999', 2 * hour, 2 * hour],
    ['max-age=3600', 2 * hour, 2 * hour],
  ])('%s with a cap of %i ms serves %i ms longer', async (cacheControl, maxStaleMs, expected) => {
    await using test = await set(answerWith(jwksOf(one), { 'cache-control': `max-age=3600, ${cacheControl}` }), { maxStaleMs });
    await test.find('one');
    test.jwks.answer = down;
    test.clock.advance(hour + expected - 1);
    expect(await test.find('one')).toBe('found');
    test.clock.advance(1);
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('down from the beginning: unavailable, and fetched once a cool-down', async () => {
    await using test = await set(down);
    for (let second = 0; second < 60; second += 1) {
      expect(await test.find('one')).toBe('keys_unavailable');
      test.clock.advance(1_000);
    }
    expect(test.jwks.requests).toBe(2);
  });

  it('a kid that is unknown while fetching fails is unavailable, not unknown', async () => {
    await using test = await set();
    await test.find('one');
    test.jwks.answer = down;
    test.clock.advance(minute);
    expect(await test.find('two')).toBe('keys_unavailable');
    expect(await test.find('two')).toBe('keys_unavailable');
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(2);
  });
});

describe('W24, a JWKS that misbehaves:', () => {
  it('that never answers is given up after the timeout', async () => {
    await using test = await set(() => {}, { timeoutMs: 50 });
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('that begins to answer and stalls is given up after the timeout', async () => {
    await using test = await set((response) => void response.writeHead(200).write('{"keys":['), { timeoutMs: 50 });
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('that never stops is left after 64 KiB', async () => {
    const left = Promise.withResolvers<void>();
    await using test = await set((response) => {
      response.on('close', () => left.resolve());
      const write = () => {
        while (!response.destroyed && response.write(' '.repeat(16_384)));
        response.once('drain', write);
      };
      write();
    });
    expect(await test.find('one')).toBe('keys_unavailable');
    await left.promise;
  });

  it('of exactly 64 KiB is read', async () => {
    await using test = await set(answerWith(jwksOf(one).padEnd(65_536)));
    expect(await test.find('one')).toBe('found');
  });

  it.each([201, 206, 404, 500])('that answers %i is not read, whatever it says', async (status) => {
    await using test = await set(answerWith(jwksOf(one), {}, status));
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('that redirects is not followed', async () => {
    await using target = await set();
    await using test = await set(answerWith('', { location: target.jwks.url }, 302));
    expect(await test.find('one')).toBe('keys_unavailable');
    expect(target.jwks.requests).toBe(0);
  });

  it.each([
    ['is no JSON', '<html>'],
    ['is no object', '[]'],
    ['has no keys', '{}'],
    ['has a key that is no object', '{"keys":[null]}'],
    ['has a kid twice', jwksOf(one, { jwk: { ...two.jwk, kid: 'one' } })],
    ['has a kid twice, once for something else', jwksOf(one, { jwk: { kty: 'RSA', kid: 'one' } })],
    ['has a private key', jwksOf(one, { jwk: { ...two.jwk, d: 'AAAA' } })],
    ['has a point that is not on the curve', jwksOf({ jwk: { ...one.jwk, y: one.jwk.x } })],
    ['has a point of the wrong length', jwksOf({ jwk: { ...one.jwk, x: 'AAAA' } })],
    ['is empty', ''],
  ])('that %s is refused whole', async (_, body) => {
    await using test = await set(answerWith(body));
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it.each([
    ['another curve', { crv: 'P-256' }],
    ['another type', { kty: 'OKP' }],
    ['another use', { use: 'enc' }],
    ['other operations', { key_ops: ['sign'] }],
    ['operations that are no list', { key_ops: 'verify' }],
    ['another algorithm', { alg: 'ES256' }],
    ['a kid that is no text', { kid: 1 }],
    ['no kid', { kid: undefined }],
  ])('a key with %s is passed over', async (_, change) => {
    await using test = await set(answerWith(jwksOf({ jwk: { ...one.jwk, ...change } }, two)));
    expect(await test.find('one')).toBe('unknown');
    expect(await test.find('two')).toBe('found');
  });
});

it('W24: the JWKS must be https, unless http is allowed', () => {
  expect(() => createKeyCache({ url: 'http://concord.example.com/jwks.json' })).toThrow(TypeError);
  expect(() => createKeyCache({ url: 'file:///jwks.json', allowHttp: true })).toThrow(TypeError);
  expect(createKeyCache({ url: 'https://concord.example.com/jwks.json' })).toBeDefined();
});
