// Sends generated valid and invalid requests: no answer is 5xx or outside the contract.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textNames } from '../../src/partners/columns.ts';
import { times } from '../stage/cast.ts';
import { inForm } from '../stage/form.ts';
import { seed } from '../stage/random.ts';
import { useService } from '../stage/start-service.ts';

const total = inForm({ short: 1_500, long: 10_000 });
const atOnce = 20;

const service = useService({ CONCORD_LOG_LEVEL: 'error' });

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', 'null', '\0', '\ud800', '__proto__', 'x'.repeat(3_000)),
);
const textOrNull = fc.oneof(anyText, fc.constant(null));
const goodText = fc.option(fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), { nil: null });
const addressMembers = ['street', 'postal_code', 'city', 'region', 'country', 'latitude', 'longitude'];

const address = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(
    fc.oneof(fc.constantFrom(...addressMembers), anyText),
    fc.oneof(textOrNull, fc.double(), fc.jsonValue()),
    {
      maxKeys: 9,
    },
  ),
);
const partnerBody = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom(...textNames),
      fc.oneof({ weight: 12, arbitrary: goodText }, { weight: 1, arbitrary: textOrNull }, fc.jsonValue()),
      { maxKeys: 8 },
    ),
    fc.option(address, { nil: undefined }),
    fc.oneof(
      { weight: 9, arbitrary: fc.constant({}) },
      fc.dictionary(anyText, fc.jsonValue(), { maxKeys: 1 }),
    ),
  )
  .map(([body, billing_address, extra]) => ({
    ...body,
    ...extra,
    ...(billing_address !== undefined && { billing_address }),
  }));
const body = fc.oneof(
  { weight: 6, arbitrary: partnerBody.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: partnerBody.map((value) => JSON.stringify({ ...value, name: 'n' })) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
);

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constant('known') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'ptr_01h2xcejqtf2nbrexx3vqjhp41',
      '%00',
      '..',
      '%2e%2e',
      'a%2Fb',
      '%',
      '%zz',
      'x'.repeat(10_000),
    ),
  },
  { weight: 1, arbitrary: anyText.map((text) => encodeURIComponent(text.toWellFormed())) },
);
const query = fc.option(
  fc
    .dictionary(
      fc.constantFrom(
        'page_size',
        'page_from',
        'sort_by',
        'sort_dir',
        'filter[name]',
        'filter[vat_no]',
        'other',
      ),
      fc.oneof(
        fc.constantFrom('1', '10', '1000', 'name', 'created_at', 'asc', 'desc', 'WyJpZCIsImFzYyIsIiIsIiJd'),
        anyText,
      ),
      { maxKeys: 4 },
    )
    .map((parameters) => `?${new URLSearchParams(parameters)}`),
  { nil: '' },
);
const path = fc.oneof(
  { weight: 6, arbitrary: id.map((each) => `/partners/${each}`) },
  { weight: 1, arbitrary: id.map((each) => `/partners/${each}/restore`) },
  { weight: 3, arbitrary: query.map((each) => `/partners${each}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '/nowhere',
      '/health/live',
      '/health/ready',
      '/openapi.json',
      '/api/auth/sign-in/email',
      '/api/auth/x',
    ),
  },
);
const headerText = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  maxLength: 30,
});
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'if-match',
    'if-none-match',
    'idempotency-key',
    'accept-version',
    'accept',
    'x-forwarded-for',
    'cookie',
    'range',
    'expect',
  ),
  fc.oneof(
    fc.constantFrom('application/json', 'application/merge-patch+json', '*', '2.0', '"x"', 'W/"x", "y"'),
    headerText,
  ),
  { maxKeys: 2 },
);
const request = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('GET', 'PATCH', 'POST', 'PATCH', 'POST', 'DELETE') },
    fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PURGE'),
  ),
  path,
  caller: fc.oneof(
    { weight: 6, arbitrary: fc.constant('operator') },
    fc.constantFrom('stranger', 'nobody', 'garbled'),
  ),
  body: fc.option(body, { nil: undefined }),
  headers: fc.oneof(
    { weight: 6, arbitrary: fc.constant({}) },
    { weight: 2, arbitrary: headers },
    // These requests are frequent, so that every long run reaches their outcomes.
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        { 'if-match': '"x"' },
        { 'accept-version': '1.0' },
        { 'content-type': 'text/plain' },
      ),
    },
  ),
});

it('E1, E2: every answer follows the contract, and no answer is 5xx', async () => {
  const tokens: Record<string, string | null> = {
    operator: service.operatorToken,
    stranger: (await service.signInStranger()).token,
    nobody: null,
    garbled: 'x'.repeat(32),
  };
  const known: string[] = [];
  const seen = new Map<string, number>();
  const requests = fc.sample(request, {
    numRuns: total,
    seed,
  });
  let next = 0;

  async function worker() {
    for (let each = requests[next++]; each; each = requests[next++]) {
      const partner = known.at(-1 - (next % 5)) ?? 'x';
      const {
        status,
        body: answer,
        method,
      } = await service.request(each.method, each.path.replace('/known', `/${partner}`), {
        token: tokens[each.caller] ?? null,
        ...(each.body !== undefined && { body: each.body }),
        headers: each.headers,
      });
      expect(status, JSON.stringify(each)).toBeLessThan(500);
      seen.set(`${method} ${status}`, (seen.get(`${method} ${status}`) ?? 0) + 1);
      if (method === 'POST' && status === 201) known.push(answer.id);
    }
  }
  await Promise.all(times(atOnce, () => worker()));

  expect([...seen.values()].reduce((sum, count) => sum + count)).toBe(total);
  // The generator must reach every expected outcome. Only the long form reaches the rare ones.
  const rare = ['PATCH 412', 'PATCH 415', 'POST 403', 'GET 406'];
  const outcomes = ['POST 201', 'PATCH 200', 'PATCH 400', 'PATCH 401', 'PATCH 404', 'GET 200', 'DELETE 204'];
  for (const outcome of inForm({ short: outcomes, long: [...outcomes, ...rare] })) {
    expect(seen.get(outcome) ?? 0, outcome).toBeGreaterThan(0);
  }
});
