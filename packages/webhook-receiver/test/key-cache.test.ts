// The key cache over real HTTP, with a clock that the test sets.
import { describe, expect, it } from 'vitest';
import { createKeyCache, type KeyCacheOptions } from '../src/index.ts';
import { answerWith, jwksOf, makeClock, makeKey, startJwks } from './sender.ts';

const [one, two, three] = await Promise.all([makeKey('one'), makeKey('two'), makeKey('three')]);
const minute = 60_000;
const hour = 60 * minute;

async function setUp(answer = answerWith(jwksOf(one)), options: Partial<KeyCacheOptions> = {}) {
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
  return { jwks, clock, keys, find, [Symbol.asyncDispose]: () => jwks[Symbol.asyncDispose]() };
}

describe('freshness', () => {
  it('fetches a document once while it is fresh, also for concurrent callers', async () => {
    await using test = await setUp();
    expect(await Promise.all(Array.from({ length: 50 }, () => test.find('one')))).toEqual(
      Array(50).fill('found'),
    );
    test.clock.advance(hour - 1);
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(1);
    test.clock.advance(1);
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(2);
  });

  it.each([
    [{ 'cache-control': 'max-age=5' }, minute],
    [{ 'cache-control': 'no-store' }, minute],
    [{ 'cache-control': 'max-age=600, no-cache' }, minute],
    [{ 'cache-control': 'max-age=600' }, 10 * minute],
    [{ 'cache-control': 'Public, MAX-AGE=600' }, 10 * minute],
    [{ 'cache-control': 'max-age=9999999' }, 24 * hour],
    [{ 'cache-control': 'max-age=-1' }, hour],
    [{ 'cache-control': '' }, hour],
    // A cache has kept it.
    [{ 'cache-control': 'max-age=3600', age: '600' }, 50 * minute],
    [{ 'cache-control': 'max-age=3600', age: '3599' }, minute],
    [{ 'cache-control': 'max-age=3600', age: '9999999' }, minute],
    [{ 'cache-control': 'max-age=3600', age: '-600' }, hour],
    [{ 'cache-control': 'max-age=3600', age: '10 minutes' }, hour],
  ])('W5: an answer with %j is fresh for %i ms', async (headers, freshMs) => {
    await using test = await setUp(answerWith(jwksOf(one), headers));
    await test.find('one');
    test.clock.advance(freshMs - 1);
    await test.find('one');
    expect(test.jwks.requests).toBe(1);
    test.clock.advance(1);
    await test.find('one');
    expect(test.jwks.requests).toBe(2);
  });

  it('fetches again when the clock is set back', async () => {
    await using test = await setUp();
    await test.find('one');
    test.clock.advance(-24 * hour);
    test.jwks.answer = answerWith(jwksOf(two));
    expect(await test.find('two')).toBe('found');
  });
});

describe('rotation', () => {
  it('fetches a new kid, and forgets a removed one with the next document', async () => {
    await using test = await setUp(answerWith(jwksOf(one, two)));
    expect(await test.find('one')).toBe('found');
    test.jwks.answer = answerWith(jwksOf(two, three));
    test.clock.advance(minute);
    expect(await test.find('three')).toBe('found');
    expect(test.jwks.requests).toBe(2);
    expect(await test.find('one')).toBe('unknown');
  });

  it('fetches once per cool-down during a flood of unknown kids', async () => {
    await using test = await setUp();
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

describe('while the JWKS is down', () => {
  const down = answerWith('down', {}, 503);

  it('serves the cached document for stale-if-error, and retries once per cool-down', async () => {
    await using test = await setUp();
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
    ['stale-if-error=9999999', undefined, 24 * hour],
  ])(
    'W5: %s with a maximum of %s ms serves a stale document for %i ms',
    async (cacheControl, maxStaleMs, expected) => {
      await using test = await setUp(
        answerWith(jwksOf(one), { 'cache-control': `max-age=3600, ${cacheControl}` }),
        maxStaleMs === undefined ? {} : { maxStaleMs },
      );
      await test.find('one');
      test.jwks.answer = down;
      test.clock.advance(hour + expected - 1);
      expect(await test.find('one')).toBe('found');
      test.clock.advance(1);
      expect(await test.find('one')).toBe('keys_unavailable');
    },
  );

  it('without a document, keys are unavailable, and it retries once per cool-down', async () => {
    await using test = await setUp(down);
    for (let second = 0; second < 60; second += 1) {
      expect(await test.find('one')).toBe('keys_unavailable');
      test.clock.advance(1_000);
    }
    expect(test.jwks.requests).toBe(2);
  });

  it('an unknown kid is unavailable, not unknown, while a stale document cools down', async () => {
    await using test = await setUp(undefined, { cooldownMs: 2 * hour });
    await test.find('one');
    test.clock.advance(hour);
    expect(await test.find('two')).toBe('keys_unavailable');
    expect(test.jwks.requests).toBe(1);
  });

  it('an unknown kid is unavailable, not unknown, when fetching fails', async () => {
    await using test = await setUp();
    await test.find('one');
    test.jwks.answer = down;
    test.clock.advance(minute);
    expect(await test.find('two')).toBe('keys_unavailable');
    expect(await test.find('two')).toBe('keys_unavailable');
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(2);
  });
});

describe('a JWKS', () => {
  it('that never answers times out', async () => {
    await using test = await setUp(() => {}, { timeoutMs: 50 });
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('that stalls in its answer times out', async () => {
    await using test = await setUp((response) => void response.writeHead(200).write('{"keys":['), {
      timeoutMs: 50,
    });
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it.each([200, 503])('that answers %i and never ends is cancelled', async (status) => {
    const never = { timeoutMs: 2_000_000_000 };
    const left = Promise.withResolvers<void>();
    await using test = await setUp((response) => {
      response.writeHead(status).on('close', () => left.resolve());
      const write = () => {
        while (!response.destroyed && response.write(' '.repeat(16_384)));
        response.once('drain', write);
      };
      write();
    }, never);
    expect(await test.find('one')).toBe('keys_unavailable');
    await left.promise;
  });

  it('of exactly 64 KiB is read, and a longer one is not', async () => {
    await using test = await setUp(answerWith(jwksOf(one).padEnd(65_537)));
    const message = expect.stringContaining('at most 65536 bytes');
    await expect(test.keys.findKey('one')).rejects.toMatchObject({
      code: 'keys_unavailable',
      cause: { message },
    });
    test.jwks.answer = answerWith(jwksOf(one).padEnd(65_536));
    test.clock.advance(minute);
    expect(await test.find('one')).toBe('found');
  });

  it.each([201, 206, 404, 500])('that answers %i is not read', async (status) => {
    await using test = await setUp(answerWith(jwksOf(one), {}, status));
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it('that redirects is not followed', async () => {
    await using target = await setUp();
    await using test = await setUp(answerWith('', { location: target.jwks.url }, 302));
    expect(await test.find('one')).toBe('keys_unavailable');
    expect(target.jwks.requests).toBe(0);
  });

  it.each([
    ['is not JSON', '<html>'],
    ['is not an object', '[]'],
    ['has no keys', '{}'],
    ['has a key that is not an object', '{"keys":[null]}'],
    ['has a kid twice', jwksOf(one, { jwk: { ...two.jwk, kid: 'one' } })],
    ['has a kid twice, once for another purpose', jwksOf(one, { jwk: { kty: 'RSA', kid: 'one' } })],
    ['has the private part of its only key', jwksOf({ jwk: { ...one.jwk, d: 'AAAA' } })],
    ['has a point that is not on the curve', jwksOf({ jwk: { ...one.jwk, y: one.jwk.x } })],
    ['has a point of the wrong length', jwksOf({ jwk: { ...one.jwk, x: 'AAAA' } })],
    ['is empty', ''],
    ['is not UTF-8', Buffer.from(jwksOf({ jwk: { ...one.jwk, use: 'sig', x5u: '\xff' } }), 'latin1')],
  ])('that %s is refused', async (_, body) => {
    await using test = await setUp(answerWith(body));
    expect(await test.find('one')).toBe('keys_unavailable');
  });

  it.each([
    ['is not an object', null, 'a key must be an object'],
    ['has its private part', { ...one.jwk, d: 'AAAA' }, 'the private part of one is published'],
    [
      'has a point that is not on the curve',
      { ...one.jwk, y: one.jwk.x },
      'must be a valid ecdsa-p384-sha384 key',
    ],
    ['has a point of the wrong length', { ...one.jwk, x: 'AAAA' }, 'must be a valid ecdsa-p384-sha384 key'],
    ['has no point', { ...one.jwk, x: undefined }, 'must be a valid ecdsa-p384-sha384 key'],
  ])('H7: with a key that %s is read without that key, which is reported', async (_, jwk, problem) => {
    const reports: unknown[] = [];
    const body = JSON.stringify({ keys: [jwk, two.jwk] });
    await using test = await setUp(answerWith(body), { onInvalidKeys: (error) => reports.push(error) });
    expect(await test.find('one')).toBe('unknown');
    expect(await test.find('two')).toBe('found');
    expect(reports).toMatchObject([
      { code: 'key_invalid', step: 'fetch_keys', message: expect.stringContaining(problem) },
    ]);
    expect(JSON.stringify(reports)).not.toContain('AAAA');
  });

  it('H7: with one kid twice is read without both keys', async () => {
    const reports: Error[] = [];
    const answer = answerWith(jwksOf(one, { jwk: { ...two.jwk, kid: 'one' } }, three));
    await using test = await setUp(answer, { onInvalidKeys: (error) => reports.push(error as Error) });
    expect(await test.find('one')).toBe('unknown');
    expect(await test.find('three')).toBe('found');
    expect(reports.map(({ message }) => message)).toEqual([
      expect.stringContaining('the kid one appears more than once'),
    ]);
  });

  it('H7: with invalid keys only is refused, so the cached document serves', async () => {
    await using test = await setUp();
    await test.find('one');
    test.jwks.answer = answerWith(jwksOf({ jwk: { ...one.jwk, x: 'AAAA' } }));
    test.clock.advance(hour);
    expect(await test.find('one')).toBe('found');
    expect(test.jwks.requests).toBe(2);
  });

  it.each([
    ['another curve', { crv: 'P-256' }],
    ['another type', { kty: 'OKP' }],
    ['another use', { use: 'enc' }],
    ['other operations', { key_ops: ['sign'] }],
    ['operations that are not an array', { key_ops: 'verify' }],
    ['another algorithm', { alg: 'ES256' }],
    ['a kid that is not a string', { kid: 1 }],
    ['no kid', { kid: undefined }],
  ])('that has a key with %s is read without it', async (_, change) => {
    await using test = await setUp(answerWith(jwksOf({ jwk: { ...one.jwk, ...change } }, two)));
    expect(await test.find('one')).toBe('unknown');
    expect(await test.find('two')).toBe('found');
  });
});

it('H3: refuses a JWKS URL that is missing or not https, unless http is allowed', () => {
  const url = 'http://concord.example.com/jwks.json';
  for (const wrong of [
    undefined,
    {},
    { url },
    { url: '/jwks.json' },
    { url: 'file:///a', allowHttp: true },
  ]) {
    const create = () => createKeyCache(wrong as KeyCacheOptions);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(
      'url must be the URL of the JWKS, such as https://concord.example.com/.well-known/jwks.json',
    );
  }
  expect(createKeyCache({ url, allowHttp: true })).toBeDefined();
  expect(createKeyCache({ url: 'https://concord.example.com/jwks.json' })).toBeDefined();
});

it.each(['minFreshMs', 'maxFreshMs', 'maxStaleMs', 'cooldownMs', 'timeoutMs'] as const)(
  'H3: refuses a %s that is no number of milliseconds',
  (name) => {
    const url = 'https://concord.example.com/jwks.json';
    for (const wrong of [Number.NaN, -1, 0.5, '5000', null])
      expect(() => createKeyCache({ url, [name]: wrong }), String(wrong)).toThrow(
        new RegExp(`^${name} must be an integer of milliseconds, .* and not ${wrong}$`),
      );
    // A timer that is longer ends at once.
    const largest = name === 'timeoutMs' ? 2_147_483_647 : Number.POSITIVE_INFINITY;
    for (const outside of name === 'timeoutMs' ? [0, largest + 1] : [-1])
      expect(() => createKeyCache({ url, [name]: outside })).toThrow(RangeError);
    expect(createKeyCache({ url, [name]: largest })).toBeDefined();
  },
);

it.each(['now', 'fetch', 'onInvalidKeys'] as const)('H3: refuses a %s that is no function', (name) => {
  expect(() => createKeyCache({ url: 'https://concord.example.com/jwks.json', [name]: 5 })).toThrow(
    `${name} must be a function`,
  );
});
