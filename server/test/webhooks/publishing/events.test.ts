// Events over HTTP, to a real receiver.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  atOnce,
  expectCode,
  expectFault,
  expectStatus,
  type Player,
  pluck,
  succeed,
  times,
  useCast,
  uuidOf,
} from '../../stage/cast.ts';
import { inForm } from '../../stage/form.ts';
import { toLoopback, useReceiver } from '../../stage/receiver.ts';

let partner: string;
let owner: Player;
const { service, cast } = useCast(toLoopback);
const receiver = useReceiver(service);
beforeAll(async () => {
  partner = await cast.partner();
  owner = await cast.owner(partner);
});

const send = (method: string, path: string, body?: unknown, headers = {}, at = partner) =>
  service.request(method, `/partners/${at}/${path}`, { headers, body });
const stock = (quantity: number, rest: object = {}) => ({
  type: 'inventory.updated',
  data: { sku: 'a', quantity },
  ...rest,
});
const publish = async (body: unknown, headers = {}) => succeed(await send('POST', 'events', body, headers));
const endpoint = async (url: string, rest: object = {}, at = partner) =>
  succeed(await send('POST', 'webhook-endpoints', { url, ...rest }, {}, at)).id;

describe('publishing', () => {
  it('W9, W14: an event arrives signed, in the bytes fixed at its publication', async () => {
    const url = receiver.url();
    await endpoint(url);
    const data =
      '{"sku":"é","quantity":10,"big":12345678901234567890,"1.0":1.0,"2":[ ],"1":{"b" : "c d", "a":"\\u00e9"}}';
    const answer = await send(
      'POST',
      'events',
      `{ "data" : ${data.replaceAll(',', ' ,\n ')}, "type": "inventory.updated" }`,
    );
    expect(answer.status).toBe(202);
    const kept = data.replace('[ ]', '[]').replace('"b" : "c d", ', '"b":"c d",');
    expect(answer.text.endsWith(`,"data":${kept}}`)).toBe(true);
    const { id, created_at } = answer.body;
    const [got] = await receiver.count(url, 1);
    expect(got?.body.toString()).toBe(
      `{"id":"${id}","type":"inventory.updated","created_at":"${created_at}","partner_id":"${partner}","environment":"live","data":${kept}}`,
    );
    expect(got?.headers).toMatchObject({
      'webhook-id': id,
      'webhook-attempt': '1',
      'content-type': 'application/json',
      'user-agent': 'Concord (http://concord.test)',
    });
    expect(got?.headers['signature-input']).toMatch(
      /^sig1=\("@method" "@target-uri" "content-type" "content-digest" "webhook-id"\);created=\d+;alg="ecdsa-p384-sha384";keyid="[\w-]+"$/,
    );
  });

  it('W4, W9: an event goes only to the endpoints of its environment that select its type', async () => {
    const at = await cast.partner();
    const [all, orders, sandbox, elsewhere] = [
      receiver.url(),
      receiver.url(),
      receiver.url(),
      receiver.url(),
    ];
    await endpoint(all, {}, at);
    await endpoint(orders, { event_types: ['order.status_changed'] }, at);
    await endpoint(sandbox, { environment: 'sandbox' }, at);
    await endpoint(elsewhere);
    const live = succeed(await send('POST', 'events', stock(1), {}, at)).id;
    const test = succeed(await send('POST', 'events', stock(1, { environment: 'sandbox' }), {}, at)).id;
    const order = { type: 'order.status_changed', data: { order_id: '1', status: 'paid' } };
    const ordered = succeed(await send('POST', 'events', order, {}, at)).id;
    await Promise.all([receiver.count(all, 2), receiver.count(orders, 1), receiver.count(sandbox, 1)]);
    const ids = (url: string) => receiver.at(url).map(({ event }) => event.id);
    expect([ids(all).toSorted(), ids(orders), ids(sandbox), ids(elsewhere)]).toEqual([
      [live, ordered],
      [ordered],
      [test],
      [],
    ]);
    expect(receiver.at(sandbox)[0]?.headers['user-agent']).toBe('Concord (http://concord.test/sandbox)');
    expect((await send('GET', 'deliveries', undefined, {}, at)).body).toHaveLength(4);
  });

  it('W12: unknown types, invalid data and unknown members get 400', async () => {
    const wrong: [unknown, string][] = [
      [{ type: 'no.such', data: {} }, '/type'],
      [{ type: 'inventory.updated' }, '/data'],
      [stock(-1), '/data/quantity'],
      [stock(1.5), '/data/quantity'],
      [{ ...stock(1), data: { sku: 'a', quantity: 1, updated_at: 'now' } }, '/data/updated_at'],
      [{ ...stock(1), data: [] }, '/data'],
      [{ ...stock(1), data: { quantity: 1 } }, '/data/sku'],
      [{ ...stock(1), data: { sku: 'a', quantity: 1, x: ['\0'] } }, '/data'],
      [{ ...stock(1), data: { sku: 'a', quantity: 1, '\ud800': 1 } }, '/data'],
      [stock(1, { environment: 'test' }), '/environment'],
      [stock(1, { producer_id: '' }), '/producer_id'],
      [stock(1, { id: 'x' }), '/id'],
    ];
    for (const [body, pointer] of wrong) {
      await expectFault(pointer, send('POST', 'events', body));
      await expectFault(`/1${pointer}`, send('POST', 'events/batch', [stock(1), body]));
    }
    for (const body of [
      '{"type":"inventory.updated","data":{"sku":"a","sku":"b","quantity":1}}',
      '[]',
      'null',
    ])
      await expectStatus(400, send('POST', 'events', body));
  });

  it('W60: a number that binary64 cannot hold gets 400 with its pointer, alone, in a small and in a large batch', async () => {
    const withText = (n: string) =>
      `{"type":"inventory.updated","data":{"sku":"a","quantity":1,"a/b":[0,{"n":${n}}]}}`;
    const padding = `,${JSON.stringify({ ...stock(1), data: { sku: 'x'.repeat(70_000), quantity: 1 } })}`;
    for (const number of ['1e400', '-1E+0400', '1.8e308', '9'.repeat(309), `${'9'.repeat(300)}e10`]) {
      const message = 'must be between -1.7976931348623157e+308 and 1.7976931348623157e+308';
      for (const [path, body, pointer] of [
        ['events', withText(number), '/data/a~1b/1/n'],
        ['events/batch', `[${withText('1')},${withText(number)}]`, '/1/data/a~1b/1/n'],
        ['events/batch', `[${withText('1')},${withText(number)}${padding}]`, '/1/data/a~1b/1/n'],
      ] as const) {
        const { status, body: answer } = await send('POST', path, body);
        expect([status, answer.errors?.[0]]).toMatchObject([
          400,
          { pointer, message: expect.stringContaining(message) },
        ]);
      }
    }
    for (const number of ['1.7976931348623157e308', '9'.repeat(308), '1e-400', '0e400', '-0', '"1e400"']) {
      const { status, text } = await send('POST', 'events', withText(number));
      expect([status, text.includes(`{"n":${number}}`)]).toEqual([202, true]);
    }
  });

  it('F5: an event has at most 256 KiB, and a batch at most 4 MiB and 1,000 events', async () => {
    const of = (bytes: number) => ({ ...stock(1), data: { sku: 'x'.repeat(bytes), quantity: 1 } });
    // This partner has no endpoint, because the events are large and the test needs no deliveries.
    const at = await cast.partner();
    await expectStatus(202, send('POST', 'events', of(255 * 1024), {}, at));
    await expectStatus(413, send('POST', 'events', of(257 * 1024), {}, at));
    await expectStatus(413, send('POST', 'events/batch', [of(257 * 1024)], {}, at));
    await expectStatus(202, send('POST', 'events/batch', Array(16).fill(of(255 * 1024)), {}, at));
    await expectStatus(413, send('POST', 'events/batch', Array(17).fill(of(255 * 1024)), {}, at));
    expect((await send('POST', 'events/batch', Array(1_000).fill(stock(1)), {}, at)).body).toHaveLength(
      1_000,
    );
    await expectStatus(400, send('POST', 'events/batch', Array(1_001).fill(stock(1)), {}, at));
    expect((await send('POST', 'events/batch', [], {}, at)).body).toEqual([]);
  });

  it('F5: a batch with too many events is refused before its events are validated', async () => {
    const answer = await send('POST', 'events/batch', `[${'{},'.repeat(1_000_000)}{}]`);
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ pointer: '', code: 'too_long', message: expect.any(String) }],
    ]);
  });

  it('W12: a changed type applies its new schema at once', async () => {
    const type = { description: 'd', schema: { type: 'object', required: ['a'] }, example: { a: 1 } };
    const put = async (body: object) =>
      succeed(await service.put('/event-types/some.thing?force=true', body));
    await put(type);
    const event = (data: object) => send('POST', 'events', { type: 'some.thing', data });
    expect([(await event({ a: 1 })).status, (await event({ b: 1 })).status]).toEqual([202, 400]);
    await put({ ...type, schema: { type: 'object', required: ['b'] }, example: { b: 1 } });
    expect([(await event({ a: 1 })).status, (await event({ b: 1 })).status]).toEqual([400, 202]);
  });

  it('W9: a repeated producer_id returns the same event, or 400 if the content differs', async () => {
    const first = await publish(stock(1, { producer_id: 'p1' }));
    expect(
      await publish(`{"producer_id":"p1","data": {"sku":"a",  "quantity":1},"type":"inventory.updated"}`),
    ).toEqual(first);
    for (const other of [stock(2), { type: 'order.status_changed', data: { order_id: '1', status: 'a' } }])
      await expectCode('producer_id_reused', send('POST', 'events', { ...other, producer_id: 'p1' }));
    // Each environment and each partner has its own producer ids.
    expect((await publish(stock(2, { producer_id: 'p1', environment: 'sandbox' }))).id).not.toBe(first.id);
    await expectStatus(
      202,
      send('POST', 'events', stock(2, { producer_id: 'p1' }), {}, await cast.partner()),
    );
    expect(await publish(stock(1, { producer_id: 'p1' }))).toEqual(first);
  });

  it('W9: twenty simultaneous requests with one producer_id publish one event with one delivery', async () => {
    const at = await cast.partner();
    await endpoint(receiver.url(), {}, at);
    const all = await atOnce(20, () => send('POST', 'events', stock(1, { producer_id: 'x' }), {}, at));
    expect(new Set(all.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await send('GET', 'deliveries', undefined, {}, at)).body).toHaveLength(1);
  });

  it('W9: a batch is atomic, keeps its order, and may contain an event twice', async () => {
    const at = await cast.partner();
    const batch = [1, 2, 1, 3].map((quantity) => stock(quantity, { producer_id: `q${quantity}` }));
    const answer = succeed(await send('POST', 'events/batch', batch, {}, at));
    expect(answer.map(({ data }: { data: { quantity: number } }) => data.quantity)).toEqual([1, 2, 1, 3]);
    expect(answer[0]).toEqual(answer[2]);
    expect((await send('GET', 'events', undefined, {}, at)).body).toEqual([answer[0], answer[1], answer[3]]);
    const broken = [stock(9), stock(5, { producer_id: 'q1' })];
    await expectCode('producer_id_reused', send('POST', 'events/batch', broken, {}, at));
    const twice = [stock(7, { producer_id: 'q7' }), stock(8, { producer_id: 'q7' })];
    await expectCode('producer_id_reused', send('POST', 'events/batch', twice, {}, at));
    expect((await send('GET', 'events', undefined, {}, at)).body).toHaveLength(3);
    // Two batches with the same ids in opposite order do not deadlock.
    const ids = times(50, (index) => stock(index, { producer_id: `z${index}` }));
    const both = await Promise.all(
      [ids, ids.toReversed()].map((each) => send('POST', 'events/batch', each, {}, at)),
    );
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(both[1]?.body.toReversed()).toEqual(both[0]?.body);
  });

  it('C2: a repeated Idempotency-Key returns the same bytes, or 422 if the body differs', async () => {
    const body = '{"type":"inventory.updated","data":{"quantity":1,"sku":"a","big":12345678901234567890}}';
    const headers = { 'idempotency-key': 'k1' };
    const first = await send('POST', 'events', body, headers);
    const again = await send('POST', 'events', body, headers);
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
    expect(first.text).toContain('12345678901234567890');
    await expectStatus(422, send('POST', 'events', body.replace('890}', '891}'), headers));
  });

  it('E3: a caller without the permission to publish is refused before the body is read', async () => {
    const member = await cast.member(partner);
    const ask = (token: string | null) => service.post(`/partners/${partner}/events`, '{', token);
    expect([
      (await ask(member.token)).status,
      (await ask(null)).status,
      (await ask(owner.token)).status,
    ]).toEqual([403, 401, 400]);
  });
});

const order = { type: 'order.status_changed', data: { order_id: '1', status: 'paid' } };
/** Paused endpoints make a batch expensive to publish, and receive nothing. */
async function pausedEndpoints(at: string, count: number) {
  for (let n = 0; n < count; n++) await endpoint(receiver.url(), {}, at);
  await service.sql(`update webhook_endpoint set status = 'paused' where partner_id = $1`, [uuidOf(at)]);
}

it('W9: large batches wait in a queue and do not delay other partners', async () => {
  const [heavy, other] = [await cast.partner(), await cast.partner()];
  await pausedEndpoints(heavy, inForm({ short: 10, long: 30 }));
  // Above 20 it is large.
  const many = inForm({ short: 30, long: 300 });
  const heavily = times(12, () => send('POST', 'events/batch', Array(many).fill(order), {}, heavy));
  for (let n = 0; n < 20; n++) succeed(await send('POST', 'events', stock(n), {}, other));
  expect((await Promise.all(heavily)).map(({ status }) => status)).toEqual(Array(12).fill(202));
});

it('W9: at most twenty large batches of a partner wait, and further ones get 429 with Retry-After', async () => {
  const at = await cast.partner();
  await pausedEndpoints(at, 10);
  const batch = Array(inForm({ short: 50, long: 200 })).fill(order);
  const answers = await atOnce(60, () => send('POST', 'events/batch', batch, {}, at));
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect([...counts.keys()].toSorted()).toEqual([202, 429]);
  expect(counts.get(202)!.length).toBeGreaterThanOrEqual(21);
  expect(counts.get(429)!.every(({ headers }) => headers['retry-after'] === '5')).toBe(true);
  expect(counts.get(429)![0]!.headers.ratelimit).toBe('"large-batches";r=0;t=5');
  // The accepted batches are complete, and the refused batches left no event.
  const [{ events }] = (await service.sql('select count(*)::int as events from event where partner_id = $1', [
    uuidOf(at),
  ])) as [{ events: number }];
  expect(events).toBe(batch.length * counts.get(202)!.length);
});

describe('the feed', () => {
  it('W10: lists every event in the order of publication, in pages, in reverse, and after a given event', async () => {
    const at = await cast.partner();
    const events = [];
    for (let n = 0; n < 7; n++) {
      const environment = n % 3 === 2 ? 'sandbox' : 'live';
      events.push(succeed(await send('POST', 'events', stock(n, { environment }), {}, at)));
    }
    const feed = async (query: string) => (await send('GET', `events${query}`, undefined, {}, at)).body;
    expect(await feed('')).toEqual(events);
    expect(await feed('?sort_dir=desc')).toEqual(events.toReversed());
    expect(await feed('?filter[environment]=sandbox')).toEqual([events[2], events[5]]);
    expect(await feed(`?page_from=${events[3].id}`)).toEqual(events.slice(4));
    const first = await send('GET', 'events?page_size=3', undefined, {}, at);
    expect(first.headers['total-count']).toBeUndefined();
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? '';
    expect([...first.body, ...(await service.get(next)).body]).toEqual(events.slice(0, 6));
    await expectStatus(400, send('GET', 'events?filter[environment]=x', undefined, {}, at));
    await expectStatus(400, send('GET', 'events?page_from=nonsense', undefined, {}, at));
    expect(await feed(`?page_from=${events[6].id}`)).toEqual([]);
    expect(await feed('?page_from=evt_01h2xcejqtf2nbrexx3vqjhp41')).toEqual(events);
  });

  it('W10: starts at the first event if the cursor is an event of another partner', async () => {
    const [at, elsewhere] = [await cast.partner(), await cast.partner()];
    const first = succeed(await send('POST', 'events', stock(1), {}, at));
    const others = succeed(await send('POST', 'events', stock(2), {}, elsewhere));
    expect(succeed(await send('GET', `events?page_from=${others.id}`, undefined, {}, at))).toEqual([first]);
  });

  it('W10, Q1: has shorter pages for large events, and still lists all of them', async () => {
    const at = await cast.partner();
    const large = { type: 'inventory.updated', data: { sku: 'x'.repeat(250 * 1024), quantity: 1 } };
    for (let n = 0; n < 3; n++) succeed(await send('POST', 'events/batch', Array(15).fill(large), {}, at));
    for (const [query, ...pages] of [
      ['sort_dir=asc', 33, 12],
      ['sort_dir=desc', 33, 12],
      ['filter[type]=inventory.updated', 32, 13],
    ]) {
      const ids: string[] = [];
      const sizes: number[] = [];
      for (let path: string | undefined = `/partners/${at}/events?page_size=1000&${query}`; path; ) {
        const page = await service.get(path);
        sizes.push(page.body.length);
        ids.push(...pluck(page.body, 'id'));
        path = /<([^>]+)>/.exec(String(page.headers.link))?.[1];
      }
      expect([sizes, new Set(ids).size]).toEqual([pages, 45]);
    }
    expect(succeed(await send('GET', 'events', undefined, {}, at))).toHaveLength(45);
  });

  it('W10: shows every event to a reader while many callers publish', async () => {
    const at = await cast.partner();
    const published: string[] = [];
    let publishing = true;
    const publishers = times(8, async (publisher) => {
      for (let n = 0; n < 25; n++) {
        const batch = times(1 + ((publisher + n) % 5), (index) => stock(index));
        published.push(...pluck(succeed(await send('POST', 'events/batch', batch, {}, at)), 'id'));
      }
    });
    const read: string[] = [];
    const reader = (async () => {
      for (let last = false; ; last = !publishing) {
        const from = read.at(-1);
        const page = succeed(
          await send('GET', `events?page_size=50${from ? `&page_from=${from}` : ''}`, undefined, {}, at),
        );
        read.push(...pluck(page, 'id'));
        if (last && page.length === 0) return;
      }
    })();
    await Promise.all(publishers);
    publishing = false;
    await reader;
    expect(read).toHaveLength(published.length);
    expect(new Set(read)).toEqual(new Set(published));
  });
});
