// Disabled endpoints, and repeated deliveries: resume, replay, test.
import { describe, expect, it } from 'vitest';
import { expectCode, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { untilSent } from '../../stage/mailbox.ts';
import { only, useWebhookStage } from '../../stage/webhook-stage.ts';

const { service, mailbox, receiver, cast, newPartner } = useWebhookStage();
/** The second mail to this address. The first mail is the invitation. */
async function noticeTo(email: string) {
  await mailbox.next(email);
  return mailbox.next(email);
}

/** An endpoint of another partner, whose failures and status must stay. */
async function failingBeside() {
  const id = uuidOf((await newPartner(receiver.url())).endpoint);
  const read = () =>
    service.sql(
      'select failing_since, status from lane join webhook_endpoint on id = endpoint_id where id = $1',
      [id],
    );
  await service.sql(`update lane set failing_since = now() - interval '1 day' where endpoint_id = $1`, [id]);
  return { since: await read(), read };
}

describe('disabled endpoints', () => {
  it('W15, W16: a 410 disables the endpoint and notifies the owners; its deliveries wait until it is resumed, and it cannot be paused', async () => {
    let gone = true;
    const url = receiver.url((_, response) => response.writeHead(gone ? 410 : 204).end());
    const [partner, beside] = [await newPartner(url), await newPartner(url)];
    const owner = await cast.owner(partner.id);
    await cast.member(partner.id);
    await partner.publish();
    const mail = await noticeTo(owner.email);
    expect(mail.subject).toBe('A webhook endpoint of Acme is disabled');
    expect(mail.text).toContain(
      `http://concord.test/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/resume`,
    );
    expect(await partner.read()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'It answered 410 Gone.',
    });
    expect((await beside.read()).status).toBe('active');
    const [row] = await service.sql(
      `select actor_id, target from audit_log where action = 'webhook_endpoint.disable' order by position desc limit 1`,
    );
    expect(row).toEqual({ actor_id: 'system', target: partner.endpoint });
    await partner.publish();
    const [first] = await partner.deliveries();
    const all = await partner.send('POST', 'deliveries/replay', { endpoint_id: partner.endpoint });
    const waiting = await partner.deliveries();
    expect(waiting).toMatchObject([
      { status: 'pending', attempt_count: 1, next_attempt_at: null },
      { status: 'pending', attempt_count: 0, next_attempt_at: null },
    ]);
    const replays = waiting.map(({ id }: { id: string }) => partner.send('POST', `deliveries/${id}/replay`));
    for (const refused of [all, await partner.act('pause'), ...(await Promise.all(replays))])
      expect([refused.status, refused.body.code]).toEqual([400, 'endpoint_disabled']);
    gone = false;
    const resumed = await partner.resume();
    expect([resumed.status, resumed.disabled_reason]).toEqual(['active', null]);
    await partner.until('delivered', 2);
    expect((await partner.delivery(first.id)).attempt_count).toBe(2);
  });

  it('W16: whoever resumes an endpoint again and again floods no owner, and hides no other partner: five mails an hour, and the last says so', async () => {
    const gone = receiver.url((_, response) => response.writeHead(410).end());
    const partner = await newPartner(gone);
    const owner = await cast.owner(partner.id);
    for (let round = 0; round < 7; round++) {
      await partner.publish();
      await expect.poll(async () => (await partner.read()).status).toBe('disabled');
      await partner.resume();
    }
    const other = await newPartner(gone);
    await cast.join(other.id, owner, { owner: true });
    await other.publish();
    await expect.poll(async () => (await other.read()).status).toBe('disabled');
    await untilSent(service);
    const mails = mailbox.to(owner.email).filter(({ subject }) => subject?.endsWith('is disabled'));
    const of = ({ id }: typeof partner) => mails.filter(({ text }) => text?.includes(id));
    const last = mails.filter(({ text }) => text?.includes('You get no more'));
    expect([of(partner).length, of(other).length, last.length]).toEqual([5, 1, 1]);
  });

  it('W16: a 410 from a former URL of the endpoint does not disable it', async () => {
    const gone = Promise.withResolvers<void>();
    const old = receiver.url((_, response) => void gone.promise.then(() => response.writeHead(410).end()));
    const partner = await newPartner(old);
    await partner.publish();
    await receiver.count(old, 1);
    const url = receiver.url();
    succeed(await partner.change({ url }));
    gone.resolve();
    await receiver.count(url, 1);
    await only(partner, 'delivered');
    expect((await partner.read()).status).toBe('active');
  });

  it('W16: five days of failures disable an endpoint, and a success restarts the period', async () => {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url);
    const owner = await cast.owner(partner.id);
    const beside = await failingBeside();
    const since = async () =>
      (
        await service.sql(
          `select failing_since, now() - failing_since < interval '1 minute' as fresh from lane join webhook_endpoint on id = endpoint_id where url = $1`,
          [url],
        )
      )[0];
    const age = async () => {
      await service.sql(
        `update lane set failing_since = failing_since - interval '5 days' from webhook_endpoint where id = endpoint_id and url = $1`,
        [url],
      );
      await service.sql(
        `update delivery_minute set at = at - interval '5 days' from webhook_endpoint where id = endpoint_id and url = $1`,
        [url],
      );
    };
    await partner.publish();
    await partner.until('failed', 1);
    // The end of a series is recorded after the result.
    await expect.poll(async () => (await since()).fresh).toBe(true);
    fails = false;
    await age();
    await partner.publish();
    await partner.until('delivered', 1);
    await expect.poll(async () => (await since()).failing_since).toBeNull();
    fails = true;
    await partner.publish();
    await partner.until('failed', 2);
    expect((await partner.read()).status).toBe('active');
    await age();
    await partner.publish();
    await noticeTo(owner.email);
    expect(await partner.read()).toMatchObject({
      status: 'disabled',
      disabled_reason: 'Every attempt failed for five days.',
    });
    await partner.resume();
    expect((await since()).failing_since === null || (await since()).fresh).toBe(true);
    // Nothing was tried while a partner was deleted.
    succeed(await service.remove(`/partners/${partner.id}`));
    await service.sql(
      `update lane set failing_since = now() - interval '1 day' from webhook_endpoint where id = endpoint_id and url = $1`,
      [url],
    );
    succeed(await service.post(`/partners/${partner.id}/restore`));
    expect((await since()).failing_since === null || (await since()).fresh).toBe(true);
    expect(await beside.read()).toEqual(beside.since);
  });

  it('W16: an endpoint that got something in the five days is not disabled, also if the process died before it noted the success', async () => {
    const { sql } = service;
    let fails = false;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url, { retry_schedule: [] });
    const beside = await failingBeside();
    const bare = [uuidOf(partner.endpoint)];
    const atRest = (what: string) =>
      expect
        .poll(() =>
          sql(`update lane set ${what} where endpoint_id = $1 and owner is null returning endpoint_id`, bare),
        )
        .toHaveLength(1);
    const failOnce = async (number: number) => {
      await partner.publish();
      await partner.until('failed', number);
    };
    await partner.publish();
    await only(partner, 'delivered');
    fails = true;
    await sql(`update delivery_minute set at = at - interval '1 day' where endpoint_id = $1`, bare);
    await atRest(`failing_since = now() - interval '6 days'`);
    await failOnce(1);
    const since = `select failing_since between now() - interval '25 hours' and now() - interval '23 hours' as moved from lane where endpoint_id = $1`;
    await expect.poll(() => sql(since, bare)).toEqual([{ moved: true }]);
    expect((await partner.read()).status).toBe('active');
    // The success has left the minutes of the last week.
    await sql(
      `insert into delivery_hour select partner_id, endpoint_id, date_trunc('hour', now() - interval '10 days'), 'delivered', 1, 1 from delivery_minute where endpoint_id = $1 limit 1`,
      bare,
    );
    await sql(`delete from delivery_minute where endpoint_id = $1`, bare);
    await atRest(`failing_since = now() - interval '12 days'`);
    await failOnce(2);
    const moved = `select failing_since > now() - interval '11 days' as moved from lane where endpoint_id = $1`;
    await expect.poll(() => sql(moved, bare)).toEqual([{ moved: true }]);
    expect((await partner.read()).status).toBe('active');
    // Another endpoint of the partner got something.
    await sql(
      `insert into delivery_minute select partner_id, gen_random_uuid(), date_trunc('minute', now()), 'delivered', 1, 1 from webhook_endpoint where id = $1`,
      bare,
    );
    await failOnce(3);
    await expect.poll(async () => (await partner.read()).status).toBe('disabled');
    expect(await beside.read()).toEqual(beside.since);
  });

  it('W16, W18: a success counts for an endpoint whose turn its holder lost and has again', async () => {
    const { sql } = service;
    const answered = Promise.withResolvers<void>();
    const url = receiver.url(async (_, response) => {
      await answered.promise;
      response.writeHead(204).end();
    });
    const partner = await newPartner(url);
    const bare = [uuidOf(partner.endpoint)];
    await sql(`update lane set failing_since = now() - interval '1 day' where endpoint_id = $1`, bare);
    await partner.publish();
    await receiver.count(url, 1);
    const lane = () =>
      sql(`select owner is not null as owned, failing_since from lane where endpoint_id = $1`, bare);
    await sql(
      `update lane set owner = null, next_at = now() - interval '1 second' where endpoint_id = $1`,
      bare,
    );
    await expect.poll(lane).toMatchObject([{ owned: true }]);
    answered.resolve();
    await only(partner, 'delivered');
    await expect.poll(lane).toMatchObject([{ failing_since: null }]);
  });
});

describe('replays and test events', () => {
  it('W11: a replay starts a new round of the same delivery, and changes nothing if it is pending, as at a paused endpoint', async () => {
    let fails = true;
    const url = receiver.url((_, response) => response.writeHead(fails ? 500 : 204).end());
    const partner = await newPartner(url);
    await partner.publish();
    const { id } = await only(partner, 'failed');
    const replay = (headers = {}) => partner.send('POST', `deliveries/${id}/replay`, undefined, headers);
    succeed(await replay());
    await receiver.count(url, 6);
    expect((await only(partner, 'failed')).attempt_count).toBe(6);
    await partner.pause();
    const pending = succeed(await replay({ 'idempotency-key': 'r' }));
    expect(pending).toMatchObject({
      status: 'pending',
      completed_at: null,
      attempt_count: 6,
      next_attempt_at: null,
    });
    expect(succeed(await replay())).toEqual(pending);
    fails = false;
    await partner.resume();
    const { attempts } = await only(partner, 'delivered');
    expect(pluck(attempts, 'number')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(receiver.at(url).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(succeed(await replay({ 'idempotency-key': 'r' }))).toEqual(pending);
    succeed(await replay());
    await receiver.count(url, 8);
  });

  it('W31: a replay of an endpoint and a period covers what failed there and then, and nothing else', async () => {
    const [url, other] = [receiver.url(), receiver.url()];
    const partner = await newPartner(url);
    const { id } = await partner.post('webhook-endpoints', { url: other });
    for (const each of [partner.endpoint, id]) await partner.post(`webhook-endpoints/${each}/pause`);
    await partner.publish();
    const since = (await partner.get(`events/${await partner.publish()}`)).created_at;
    await partner.publish();
    // The deliveries fail while the endpoints are paused, so the test needs no attempts.
    await service.sql(
      `update delivery set status = 'failed', next_attempt_at = null, completed_at = now() where partner_id = $1`,
      [uuidOf(partner.id)],
    );
    for (const each of [partner.endpoint, id]) await partner.post(`webhook-endpoints/${each}/resume`);
    const filter = { endpoint_id: partner.endpoint, status: 'failed', created_at: `${since}..` };
    expect(await partner.post('deliveries/replay', filter)).toMatchObject({
      filter,
      total: 2,
    });
    await receiver.count(url, 2);
    await partner.until('delivered', 2);
    expect(await partner.deliveries('?filter[status]=failed')).toHaveLength(4);
    expect(receiver.at(other)).toHaveLength(0);
  });

  it('W11: a delivery with 200 attempts gets no new round', async () => {
    const partner = await newPartner(receiver.url());
    await partner.publish();
    const { id } = await only(partner, 'delivered');
    const set = (count: number) =>
      service.sql(
        `update delivery set attempt_count = $1 where id = (select id from delivery order by id desc limit 1)`,
        [count],
      );
    await set(200);
    await expectCode('limit_reached', partner.send('POST', `deliveries/${id}/replay`));
    await set(199);
    await partner.post(`deliveries/${id}/replay`);
    await only(partner, 'delivered');
  });

  it('C1: a replay and a test event honour If-Match', async () => {
    const partner = await newPartner(receiver.url(), { environment: 'sandbox' });
    succeed(await partner.act('test'));
    const { id } = await only(partner, 'delivered');
    const path = `deliveries/${id}`;
    const other = { 'if-match': '"other"' };
    const tag = String((await partner.send('GET', path)).headers.etag);
    const endpoint = `webhook-endpoints/${partner.endpoint}`;
    const endpointTag = String((await partner.send('GET', endpoint)).headers.etag);
    for (const [action, good] of [
      [`${path}/replay`, tag],
      [`${endpoint}/test`, endpointTag],
    ] as const) {
      expect((await partner.send('POST', action, undefined, other)).status, action).toBe(412);
      expect((await partner.send('POST', action, undefined, { 'if-match': good })).status).toBeLessThan(300);
    }
  });

  it('W8: a test event goes to one sandbox endpoint; a live endpoint gets 400', async () => {
    const url = receiver.url();
    const other = receiver.url();
    const partner = await newPartner(url, {
      environment: 'sandbox',
      event_types: ['order.status_changed'],
    });
    await partner.post('webhook-endpoints', { url: other, environment: 'sandbox' });
    const { status, body } = await partner.act('test');
    expect([status, body.type, body.environment]).toEqual([202, 'order.status_changed', 'sandbox']);
    const [got] = await receiver.count(url, 1);
    expect([got?.event.id, got?.event.environment]).toEqual([body.id, 'sandbox']);
    expect(receiver.at(other)).toHaveLength(0);
    const live = await newPartner(receiver.url());
    await expectCode('endpoint_live', live.act('test'));
  });
});
