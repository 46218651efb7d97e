// Checkpoints: the signed statement, its list, what is missing, and checkpoints that did not arrive.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Checkpoint, fetchMissing, missing, unseenCheckpoints, verifyCheckpoint } from '../src/index.ts';
import { merkleRoot } from '../src/merkle-root.ts';
import { readKeys } from './sender.ts';

type Vector = { name: string; accept: boolean; jws: string; code?: string; step?: string };
const file = new URL('../../../vectors/checkpoints.json', import.meta.url);
const vectors: {
  jwks: object;
  partner_id: string;
  endpoint_id: string;
  statement: Checkpoint;
  roots: { entries: string[]; root: string }[];
  cases: Vector[];
} = JSON.parse(readFileSync(file, 'utf8'));
const { partner_id: partnerId, endpoint_id: endpointId, statement } = vectors;
const keys = await readKeys(JSON.stringify(vectors.jwks));

describe('W77: vectors', () => {
  it.each(vectors.cases.filter(({ accept }) => accept))('W77: accepts $name', async ({ jws }) => {
    for (const endpoint of [{ endpointId }, {}])
      expect(await verifyCheckpoint(jws, { keys, partnerId, ...endpoint })).toMatchObject({
        root: statement.root,
      });
  });

  it.each(vectors.cases.filter(({ accept }) => !accept))(
    'W77: refuses $name',
    async ({ jws, code, step }) => {
      await expect(verifyCheckpoint(jws, { keys, partnerId, endpointId })).rejects.toMatchObject({
        name: 'WebhookError',
        code,
        step,
      });
    },
  );

  it('W77: refuses a header that is no object', async () => {
    const verifying = verifyCheckpoint(`bnVsbA.e30.${'A'.repeat(128)}`, { keys, partnerId });
    await expect(verifying).rejects.toMatchObject({ code: 'checkpoint_invalid' });
  });

  it('H3: refuses a missing key cache, and a missing partner', async () => {
    for (const [options, message] of [
      [{ partnerId }, /createKeyCache/],
      [{ keys }, /partnerId/],
    ] as const)
      await expect(verifyCheckpoint('', options as never)).rejects.toThrow(message);
  });

  it('W77: refuses the form before it asks for a key', async () => {
    const [header, payload, signature] = vectors.cases.find(({ accept }) => accept)?.jws.split('.') ?? [];
    for (const wrong of [
      undefined,
      `${header}.${payload}.${signature?.slice(1)}`,
      `${header}.${'A'.repeat(16_384)}.${signature}`,
    ])
      await expect(verifyCheckpoint(wrong as string, { keys, partnerId })).rejects.toMatchObject({
        code: 'checkpoint_invalid',
      });
  });

  it.each(vectors.roots)('W77: the root of $entries.length entries', async ({ entries, root }) => {
    expect(await merkleRoot(entries)).toBe(root);
  });
});

/** An API that answers by path, as Concord does. */
function apiOf(answers: Record<string, { body: unknown; next?: string; status?: number }>) {
  const asked: string[] = [];
  const fetch = async (url: string, { headers, redirect, signal }: RequestInit) => {
    const { pathname, search, origin } = new URL(url);
    asked.push(`${pathname}${search}`);
    expect([origin, (headers as Record<string, string>).authorization]).toEqual([
      'https://concord.example.com',
      'Bearer secret',
    ]);
    expect([redirect, signal?.aborted]).toEqual(['manual', false]);
    const { body = null, next, status = 200 } = answers[`${pathname}${search}`] ?? { status: 404 };
    return new Response(JSON.stringify(body), {
      status,
      headers: next ? { link: `<${next}>; rel="next"` } : {},
    });
  };
  return { api: { url: 'https://concord.example.com', token: () => 'secret', fetch }, asked };
}

const path = `/partners/${partnerId}/webhook-endpoints/${endpointId}/checkpoints`;
const list = `${path}/${statement.checkpoint_id}/deliveries?page_size=1000`;
const entries = vectors.roots.find(({ root }) => root === statement.root)?.entries ?? [];
const statuses = ['delivered', 'delivered', 'failed', 'pending', 'pending', 'cancelled', 'delivered'];
const items = entries.map((event_id, index) => ({ event_id, delivery_id: 'dlv_1', status: statuses[index] }));

it('W77: what was not received is lost, or on its way, page by page', async () => {
  const { api, asked } = apiOf({
    [list]: { body: items.slice(0, 4), next: `${list}&page_from=x` },
    [`${list}&page_from=x`]: { body: items.slice(4) },
  });
  const have = new Set([entries[0], entries[3]] as string[]);
  const expected = { lost: [1, 2, 5, 6].map((n) => entries[n]), pending: [entries[4]] };
  expect(await missing(statement, have, api)).toEqual(expected);
  expect(await missing(statement, async (id) => have.has(id), api)).toEqual(expected);
  expect(asked).toHaveLength(4);
});

it.each([
  ['an event less', items.slice(1)],
  ['an event twice', [...items, ...items.slice(-1)]],
  ['another order', items.toReversed()],
  ['another event', [...items.slice(0, -1), { ...items[0], event_id: 'evt_other' }]],
])('W77: a list with %s does not have the signed root', async (_, body) => {
  const { api } = apiOf({ [list]: { body } });
  const asking = missing(statement, () => true, api);
  await expect(asking).rejects.toMatchObject({ code: 'checkpoint_mismatch', step: 'checkpoint' });
});

it('W77: JSON that is not of Concord is refused', async () => {
  for (const [body, code] of [
    [null, 'api_unavailable'],
    ['x', 'api_unavailable'],
    [{}, 'checkpoint_mismatch'],
  ] as const)
    await expect(missing(statement, () => true, apiOf({ [list]: { body } }).api)).rejects.toMatchObject({
      code,
    });
  const { api } = apiOf({ [`/partners/${partnerId}/events/evt_1`]: { body: null } });
  await expect(fetchMissing(statement, ['evt_1'], api).next()).rejects.toMatchObject({
    code: 'api_unavailable',
  });
});

it('W77: a list without end is given up', async () => {
  const { api, asked } = apiOf({ [list]: { body: items, next: list } });
  await expect(missing(statement, () => true, api)).rejects.toMatchObject({ code: 'checkpoint_mismatch' });
  expect(asked).toHaveLength(2);
});

it('W77: a list of empty pages without end is given up', async () => {
  const { api, asked } = apiOf({ [list]: { body: [], next: list } });
  const fetch: typeof api.fetch = async (...request) => {
    if (asked.length > 1) throw new Error('Asked again');
    return api.fetch(...request);
  };
  const asking = missing(statement, () => true, { ...api, fetch });
  await expect(asking).rejects.toMatchObject({ code: 'checkpoint_mismatch' });
});

it('W77: the token goes to Concord only, and a refusal says what was asked', async () => {
  const elsewhere = apiOf({ [list]: { body: items.slice(1), next: 'https://elsewhere.example/' } });
  await expect(missing(statement, () => true, elsewhere.api)).rejects.toMatchObject({
    code: 'api_unavailable',
  });
  expect(elsewhere.asked).toHaveLength(1);
  const refusing = apiOf({});
  await expect(missing(statement, () => true, refusing.api)).rejects.toThrow('answered 404');
});

it.each([
  [{ url: 'http://concord.example.com' }, 'url must be the URL of your Concord'],
  [{ url: undefined }, 'such as https://concord.example.com'],
  [{ timeoutMs: Number.NaN }, 'timeoutMs must be an integer'],
])('H3: an API with %j is refused', async (wrong, message) => {
  const { api, asked } = apiOf({});
  await expect(missing(statement, () => true, { ...api, ...wrong } as typeof api)).rejects.toThrow(message);
  expect(asked).toEqual([]);
});

it('W77: events are fetched as webhooks have them', async () => {
  const shown = {
    id: 'evt_1',
    type: 'inventory.updated',
    environment: 'live',
    created_at: 'now',
    data: { sku: 'a' },
  };
  const { api } = apiOf({
    [`/partners/${partnerId}/events/evt_1`]: { body: { ...shown, producer_id: null, deliveries: null } },
  });
  for await (const event of fetchMissing(statement, ['evt_1'], api))
    expect(event).toEqual({ ...shown, partner_id: partnerId });
  await expect(fetchMissing(statement, ['evt_2'], api).next()).rejects.toMatchObject({
    code: 'api_unavailable',
  });
  const odd = apiOf({});
  await expect(fetchMissing(statement, ['../x'], odd.api).next()).rejects.toThrow('answered 404');
  expect(odd.asked).toEqual([`/partners/${partnerId}/events/..%2Fx`]);
});

it('W77: checkpoints that were never seen are found by the one after them, the oldest first', async () => {
  const [, first] = vectors.cases;
  const previous = String(statement.previous_id);
  const answer = { [`${path}/${previous}`]: { body: { jws: first?.jws } } };
  const options = { ...apiOf(answer).api, keys, partnerId };
  expect(await unseenCheckpoints(statement, new Set([previous]), options)).toEqual([]);
  // The answer is signed, and is another checkpoint.
  await expect(unseenCheckpoints(statement, () => false, options)).rejects.toMatchObject({
    code: 'checkpoint_mismatch',
  });
});
