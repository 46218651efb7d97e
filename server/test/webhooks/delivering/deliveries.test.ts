// Deliveries over real sockets.

import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { expectStatus, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { answer, only, quantities, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

type Attempt = { started_at: string; duration_ms: number };
const endOf = ({ started_at, duration_ms }: Attempt) => Date.parse(started_at) + duration_ms;
/**
 * The time between the end of each attempt and the start of the next, in milliseconds, by the sender's own
 * clock.
 */
const pauses = (attempts: Attempt[]) =>
  attempts.slice(1).map(({ started_at }, index) => Date.parse(started_at) - endOf(attempts[index]!));

/** Each moment is rounded to a millisecond. */
const roundingMs = 2;

const { service, receiver, newPartner } = useWebhookStage();

describe('attempts', () => {
  it('W11, W14: a 2xx acknowledges the delivery, and the API shows the delivery and its attempt', async () => {
    const partner = await newPartner(receiver.url(answer(299, {}, 'thanks\0\x01\n')));
    const event = await partner.publish();
    const { id, attempts, created_at, completed_at, ...rest } = await only(partner, 'delivered');
    expect(rest).toEqual({
      event_id: event,
      event_type: 'inventory.updated',
      endpoint_id: partner.endpoint,
      environment: 'live',
      status: 'delivered',
      state: 'delivered',
      attempt_count: 1,
      next_attempt_at: null,
      status_code: 299,
      reason: null,
    });
    const [{ started_at, duration_ms: _duration, ...attempt }] = attempts;
    expect([attempts.length, attempt]).toEqual([
      1,
      { number: 1, batch: null, status_code: 299, error: null, response_body: 'thanks\ufffd\ufffd\n' },
    ]);
    expect([created_at <= started_at, endOf(attempts[0]) <= Date.parse(completed_at)]).toEqual([true, true]);
    const { attempts: _, ...listed } = await partner.delivery(id);
    expect(await partner.deliveries()).toEqual([listed]);
  });

  it('W2, W15: a failed attempt is retried with the same bytes and a new signature until the delivery has failed', async () => {
    // The limit of 16 KiB is inside a character.
    const url = receiver.url(answer(500, {}, `x${'ø'.repeat(10_000)}`));
    const partner = await newPartner(url);
    await partner.publish();
    const { attempts, attempt_count, next_attempt_at } = await only(partner, 'failed');
    expect([attempt_count, next_attempt_at, pluck(attempts, 'number')]).toEqual([3, null, [1, 2, 3]]);
    expect(attempts[0].response_body).toBe(`x${'ø'.repeat(8 * 1024 - 1)}`);
    const all = receiver.at(url);
    expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(all.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(all.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(all.map(({ headers }) => headers.signature)).size).toBe(3);
    // The jitter is 20 %.
    const [first = 0, second = 0] = pauses(attempts);
    expect([first >= 40 - roundingMs, second >= 80 - roundingMs]).toEqual([true, true]);
  });

  it('W14: redirects, resets, refused connections and unknown names are failed attempts with a reason', async () => {
    const cases: [string, number | null, RegExp | null][] = [
      [receiver.url(answer(302, { location: 'http://127.0.0.1:1/' })), 302, /^redirect: /],
      [receiver.url((_, response) => response.destroy()), null, /^connection: /],
      ['http://127.0.0.1:1/', null, /^connection: /],
      ['http://no-such-name.invalid/', null, /^dns: /],
    ];
    for (const [url, statusCode, error] of cases) {
      const partner = await newPartner(url);
      await partner.publish();
      const { attempts } = await only(partner, 'failed');
      expect(attempts[0]).toMatchObject({
        status_code: statusCode,
        error: error ? expect.stringMatching(error) : null,
      });
    }
  });

  it('W21: an address that is no longer allowed causes a failed attempt without a connection', async () => {
    const partner = await newPartner('http://127.0.0.1:1/');
    await service.sql(
      `update webhook_endpoint set url = 'http://10.0.0.1/' where partner_id in (select partner_id from webhook_endpoint order by created_at desc limit 1)`,
    );
    await partner.publish();
    expect((await only(partner, 'failed')).attempts[0].error).toMatch(/^address_refused: /);
  });

  it('W15: Retry-After of a 429 or 503 extends the pause to twice the step at most', async () => {
    for (const status of [429, 503]) {
      const url = receiver.url(answer(status, { 'retry-after': '60' }));
      const partner = await newPartner(url);
      await partner.publish();
      const { attempts } = await only(partner, 'failed');
      // Retry-After asks for a minute. The step is 50 ms, so the pause is twice the step.
      expect(pauses(attempts)[0]).toBeGreaterThanOrEqual(100 - roundingMs);
    }
  });

  it('W8: each attempt sends the headers of the endpoint', async () => {
    const url = receiver.url();
    const partner = await newPartner(url, {
      headers: { 'X-Key': 'a secret', Authorization: 'Bearer x' },
    });
    await partner.publish();
    const [got] = await receiver.count(url, 1);
    expect(got?.headers).toMatchObject({ 'x-key': 'a secret', authorization: 'Bearer x' });
    expect(service.logs.join()).not.toContain('a secret');
  });
});

describe('lanes', () => {
  it('W17: strict lanes are first in, first out, and continue after a delivery that has failed', async () => {
    let failures = 0;
    const url = receiver.url((got, response) => {
      const fails = quantities([got])[0] === 3 && ++failures <= 3;
      response.writeHead(fails ? 500 : 204).end();
    });
    const partner = await newPartner(url, { ordering: 'strict' });
    await partner.publishMany(10);
    await partner.publish(10);
    const all = await receiver.count(url, 13);
    expect(quantities(all)).toEqual([0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10]);
    await partner.until('failed', 1);
  });

  it.each([[['none']], [['none', 'strict']]])(
    'W14: a delivery in flight is not sent again when the ordering changes from strict to %s',
    async (orderings) => {
      const held = new Map<number | undefined, () => void>();
      const url = receiver.url((got, response) => {
        const [quantity] = quantities([got]);
        const end = () => void response.writeHead(204).end();
        if (quantity === 0) end();
        else held.set(quantity, end);
      });
      const partner = await newPartner(url, { ordering: 'strict' });
      await partner.publishMany(2);
      await receiver.count(url, 2);
      succeed(await partner.change({ ordering: 'none' }));
      await partner.publish(2);
      await receiver.count(url, 3);
      for (const ordering of orderings.slice(1)) succeed(await partner.change({ ordering }));
      held.get(1)?.();
      await partner.until('delivered', 2);
      await partner.publish(0);
      held.get(2)?.();
      await partner.until('delivered', 4);
      expect(quantities(receiver.at(url)).toSorted()).toEqual([0, 0, 1, 2]);
    },
  );

  it('W17: an endpoint gets at most max_concurrency requests at once', async () => {
    let now = 0;
    let most = 0;
    const url = receiver.url((_, response) => {
      most = Math.max(most, ++now);
      const answerOne = () => {
        now--;
        response.writeHead(204).end();
      };
      // A busy machine sends the first three in this time.
      setTimeout(answerOne, most < 3 ? 2_000 : 20);
    });
    const partner = await newPartner(url, { max_concurrency: 3 });
    await partner.publishMany(60);
    await receiver.count(url, 60);
    expect(most).toBe(3);
  });

  it('W17: an endpoint gets at most its rate of requests, and the wait costs no attempt', async () => {
    const url = receiver.url();
    const partner = await newPartner(url, { rate_limit_per_second: 20 });
    const start = performance.now();
    await partner.publishMany(25);
    const all = await receiver.count(url, 25);
    expect(all.every(({ attempt }) => attempt === 1)).toBe(true);
    // The first request leaves after the start, and each next request 50 ms later. Timers may fire 1 ms
    // early.
    const early = all.filter(({ at }, index) => at - start < index * 50 - 1);
    expect(early).toEqual([]);
  });

  it('W8, W17: a strict delivery that waits for the rate limit has not begun: a pause stops it, and another URL gets it', async () => {
    for (const change of ['pause', 'url']) {
      const [url, next] = [receiver.url(), receiver.url()];
      const partner = await newPartner(url, { ordering: 'strict', rate_limit_per_second: 1 });
      await partner.publishMany(3);
      await receiver.count(url, 1);
      await partner.until('delivered', 1);
      succeed(await (change === 'pause' ? partner.act('pause') : partner.change({ url: next })));
      const before = receiver.at(url).length;
      if (change === 'pause') {
        // Longer than the limit holds a request back.
        const other = await newPartner(receiver.url(), { rate_limit_per_second: 1 });
        await other.publishMany(3);
        await other.until('delivered', 3);
      } else await partner.until('delivered', 3);
      expect(receiver.at(url).length, change).toEqual(before);
    }
  });

  it('W8: deliveries wait while the endpoint is paused or the partner is deleted, and then continue', async () => {
    const url = receiver.url();
    const partner = await newPartner(url);
    await partner.pause();
    await partner.publish(1);
    const other = await newPartner(receiver.url());
    await other.publish();
    await only(other, 'delivered');
    expect([receiver.at(url).length, (await partner.deliveries())[0].status]).toEqual([0, 'pending']);
    await partner.resume();
    await receiver.count(url, 1);
    await only(partner, 'delivered');

    await partner.pause();
    await partner.publish(2);
    succeed(await service.remove(`/partners/${partner.id}`));
    await service.sql(`update webhook_endpoint set status = 'active' where url = $1`, [url]);
    await service.sql(`update lane set next_at = now() where owner is null and next_at = 'infinity'`);
    await other.publish();
    await other.until('delivered', 2);
    expect(receiver.at(url)).toHaveLength(1);
    // Nobody goes on to claim its lane.
    const rests = `select from lane join webhook_endpoint on id = endpoint_id where url = $1 and owner is null and next_at = 'infinity'`;
    await expect.poll(() => service.sql(rests, [url])).toHaveLength(1);
    succeed(await service.post(`/partners/${partner.id}/restore`));
    await receiver.count(url, 2);
  });

  it('W16: deleting an endpoint cancels its pending deliveries', async () => {
    const [partner, other] = [await newPartner(receiver.url()), await newPartner(receiver.url())];
    for (const each of [other, partner]) {
      await each.pause();
      await each.publishMany(3);
    }
    succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
    expect(await other.statuses()).toEqual(['pending', 'pending', 'pending']);
    const all = await partner.deliveries();
    expect(pluck(all, 'status')).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const replayed = await partner.send('POST', `deliveries/${all[0].id}/replay`);
    expect([replayed.status, replayed.body.code]).toEqual([400, 'endpoint_deleted']);
  });

  it('W16: of deleted endpoints with thousands of pending deliveries, each has all of them cancelled', async () => {
    await service.pauseTask('cancel waiting deliveries');
    for (const _ of [1, 2]) {
      const partner = await newPartner(receiver.url());
      await partner.makePending(5_001);
      succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
    }
    const left = () =>
      service.sql(
        `select from delivery where status = 'pending' and endpoint_id not in (select id from webhook_endpoint)`,
      );
    expect(await left()).toHaveLength(2);
    await service.runTask('cancel waiting deliveries');
    // The next run begins at once.
    await service.runDue('cancel waiting deliveries');
    expect(await left()).toEqual([]);
  });
});

it('W11: the list of deliveries has filters by status, endpoint, event, type, environment and time', async () => {
  const partner = await newPartner(receiver.url());
  const more = (await partner.post('webhook-endpoints', { url: receiver.url(answer(500)) })).id;
  const first = await partner.publish();
  const second = await partner.publish();
  await partner.until('failed', 2);
  await partner.until('delivered', 2);
  const count = async (query: string) => (await partner.deliveries(query)).length;
  expect(await count(`?filter[endpoint_id]=${more}`)).toBe(2);
  expect(await count(`?filter[event_id]=${first}`)).toBe(2);
  expect(await count(`?filter[event_id]=${second}&filter[endpoint_id]=${more}&filter[status]=failed`)).toBe(
    1,
  );
  expect(await count('?filter[event_type]=inventory.updated')).toBe(4);
  expect(await count('?filter[event_type]=order.status_changed')).toBe(0);
  expect(await count('?filter[environment]=live')).toBe(4);
  expect(await count('?filter[environment]=sandbox')).toBe(0);
  for (const none of ['endpoint_id', 'event_id']) expect(await count(`?filter[${none}]=nonsense`)).toBe(0);
  const [{ created_at: at }, , { created_at: later }] = await partner.deliveries();
  const of = (range: string) => count(`?filter[created_at]=${encodeURIComponent(range)}`);
  expect(await of(`${at}..`)).toBe(4);
  expect(await of(`..${at}`)).toBe(0);
  expect([await of('0001-01-01T00:00:00Z..'), await of('..1969-12-31T00:00:00Z')]).toEqual([4, 0]);
  expect(await of(`${at}..${later}`)).toBe(2);
  for (const bad of ['..', at, `${at}..${at}..`, 'a..b', '2026..'])
    await expectStatus(400, partner.send('GET', `deliveries?filter[created_at]=${bad}`));
  const page = await partner.send('GET', 'deliveries?page_size=3&sort_dir=desc');
  expect([page.body.length, page.headers['total-count']]).toEqual([3, undefined]);
  const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? '';
  const rest = (await service.get(next)).body;
  expect([...page.body, ...rest]).toEqual((await partner.deliveries()).toReversed());
});

const attemptOf = async (partner: WebhookPartner, delivery: string, number: number | string) =>
  partner.send('GET', `deliveries/${delivery}/attempts/${number}`);
const nothing = { request: null, signature_base: null, key_id: null, created: null, signature: null };

it('W28: an attempt shows the request that its receiver got, and the signature verifies over the text that it shows', async () => {
  const url = receiver.url(answer(500));
  const partner = await newPartner(url, { headers: { 'X-Key': 'a secret' } });
  const text = '{"quantity":1.0,"sku":"é\\u00e9"}';
  succeed(
    await partner.send('POST', 'events', `{"type": "inventory.updated", "data": ${text}}`, {
      'content-type': 'application/json',
    }),
  );
  const { id, attempts } = await only(partner, 'failed');
  succeed(
    await partner.change({
      url: receiver.url(),
      headers: null,
    }),
  );
  const { keys } = succeed(await service.get('/.well-known/jwks.json', null));
  const captured = receiver.at(url);
  expect(captured).toHaveLength(3);
  for (const [index, got] of captured.entries()) {
    const { request, signature_base, key_id, created, signature, ...attempt } = succeed(
      await attemptOf(partner, id, index + 1),
    );
    expect(attempt).toEqual(attempts[index]);
    const headers = Object.entries(got.headers).filter(([name]) => name !== 'x-key' && name !== 'connection');
    expect(request).toEqual({
      method: 'POST',
      url,
      body: got.body.toString(),
      headers: headers.map(([name, value]) => ({ name, value })),
    });
    expect(request.body).toContain(text);
    expect(got.headers['signature-input']).toContain(
      `;created=${created};alg="ecdsa-p384-sha384";keyid="${key_id}"`,
    );
    expect(got.headers.signature).toBe(`sig1=:${signature}:`);
    const jwk = keys.find(({ kid }: { kid: string }) => kid === key_id);
    const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha384', Buffer.from(signature_base), key, Buffer.from(signature, 'base64'))).toBe(true);
  }
  const { headers, text: shown } = await attemptOf(partner, id, 1);
  expect(shown).not.toContain('a secret');
  const again = await partner.send('GET', `deliveries/${id}/attempts/1`, undefined, {
    'if-none-match': String(headers.etag),
  });
  expect(again.status).toBe(304);
  for (const number of ['0', '4', '01', '-1', 'x', '1.0', '9'.repeat(20)])
    expect((await attemptOf(partner, id, number)).status, number).toBe(404);
});

it('W28: an attempt without a signed request, or of an earlier version, shows none', async () => {
  const partner = await newPartner('http://127.0.0.1:1/');
  const { sql } = service;
  await sql(`update webhook_endpoint set url = 'http://10.0.0.1/' where id = $1`, [uuidOf(partner.endpoint)]);
  await partner.publish();
  const refused = await only(partner, 'failed');
  expect(succeed(await attemptOf(partner, refused.id, 1))).toEqual({ ...refused.attempts[0], ...nothing });

  const old = await newPartner(receiver.url());
  await old.publish();
  const { id, attempts } = await only(old, 'delivered');
  await sql(
    'update attempt set url = null, created = null, key_id = null, signature = null where delivery_id = $1',
    [uuidOf(id)],
  );
  expect(succeed(await attemptOf(old, id, 1))).toEqual({ ...attempts[0], ...nothing });
  await expect(sql(`update attempt set url = 'x' where delivery_id = $1`, [uuidOf(id)])).rejects.toThrow(
    /attempt_signed/,
  );
});

it('W1: the service verifies a delivered webhook, and refuses it when one byte differs', async () => {
  const url = receiver.url();
  const partner = await newPartner(url);
  await partner.publish(0);
  const [got] = await receiver.count(url, 1);
  const verified = async (body: string) => {
    const request = { method: 'POST', url, headers: got!.headers, body };
    return succeed(await service.post('/webhook-debug/verify', request)).verified;
  };
  const body = got!.body.toString();
  const changed = body.replace('"quantity":0', '"quantity":1');
  expect([changed === body, await verified(body), await verified(changed)]).toEqual([false, true, false]);
});
