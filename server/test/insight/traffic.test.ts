// Requests and events of the platform, and its failing endpoints.
import { expect, it } from 'vitest';
import { expectStatus, pluck, stock, succeed, uuidOf } from '../stage/cast.ts';
import { openService, startBeside } from '../stage/start-service.ts';
import { answer, createWebhookPartner, useWebhookStage } from '../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();

const get = async (path: string) => succeed(await service.get(path));
const traffic = () => get('/platform/traffic?step=1m');

it('N6: requests and events are counted, probes are not, and reading does not write', async () => {
  const partner = await newPartner(receiver.url());
  // A heartbeat has the counts of all requests before it.
  await expect.poll(async () => (await traffic()).requests).toBeGreaterThan(0);
  const before = await traffic();
  await partner.publishMany(7);
  await partner.publish();
  for (let n = 0; n < 3; n++) await expectStatus(401, service.get('/partners/ptr_x', 'none'));
  for (let n = 0; n < 50; n++) await service.get('/health/live');
  await expect.poll(async () => (await traffic()).events).toBe(before.events + 8);
  const after = await traffic();
  expect([after.client_errors - before.client_errors, after.server_errors]).toEqual([3, 0]);
  const sum = (member: 'requests' | 'events') =>
    after.steps.reduce((total: number, step: Record<string, number>) => total + (step[member] ?? 0), 0);
  expect([sum('requests'), sum('events')]).toEqual([after.requests, after.events]);
  await expectStatus(400, service.get('/platform/traffic?step=2m'));
});

it('N6: counts of several instances are added, and a stop adds the last ones', async () => {
  const service = await openService();
  const other = await startBeside(service, { CONCORD_ROLE: 'api' });
  const partner = await createWebhookPartner(service, 'https://hooks.example.com/');
  await partner.publishMany(2);
  for (let n = 0; n < 3; n++) {
    const answer = await fetch(`${other.url}/partners/${partner.id}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(stock(n)),
    });
    expect(answer.status).toBe(202);
  }
  await other.stop();
  const events = async () => succeed(await service.get('/platform/traffic')).events;
  await expect.poll(events).toBe(5);
});

it('N6: old minutes become hours, and their sum stays', async () => {
  const { sql } = service;
  await sql(`insert into traffic select date_trunc('hour', concord_now() - interval '10 days') + n * interval '10 minutes', 10, 2, 1, 5
    from generate_series(0, 11) n`);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const period = `/platform/traffic?step=1h&from=${daysAgo(11)}&to=${daysAgo(9)}`;
  const before = await get(period);
  expect(before).toMatchObject({ requests: 120, client_errors: 24, server_errors: 12, events: 60 });
  const fold = async () => {
    await sql(
      `update scheduled_task set next_at = '-infinity' where name = 'sum up requests and events by the hour'`,
    );
    await service.runDue('sum up requests and events by the hour');
  };
  await fold();
  await fold();
  expect(await get(period)).toEqual(before);
  const rows = await sql(`select at from traffic where at < concord_now() - interval '8 days'`);
  expect(rows).toHaveLength(2);
});

it('N7, N8: failing endpoints of all partners with their names; a mended one leaves at once', async () => {
  let works = false;
  const broken = await newPartner(receiver.url((_, response) => response.writeHead(works ? 204 : 500).end()));
  let turn = 0;
  const partly = await newPartner(
    receiver.url((_, response) => response.writeHead(turn++ % 2 === 0 ? 204 : 500).end()),
  );
  const fine = await newPartner(receiver.url());
  for (const partner of [broken, partly, fine]) await partner.publishMany(6);
  const failing = () => get('/platform/failing-endpoints');
  const shown = async () =>
    pluck(await failing(), 'endpoint_id').filter((id) =>
      [broken, partly, fine].some(({ endpoint }) => endpoint === id),
    );
  await expect.poll(shown).toEqual([broken.endpoint, partly.endpoint]);
  const [worst] = await failing();
  expect(worst).toMatchObject({
    partner: { id: broken.id, name: 'Acme' },
    status: 'active',
    since: expect.any(String),
  });
  const recent = async () => (await get(`/partners/${broken.id}/webhook-endpoint-stats`))[0].recent;
  expect(await recent()).toMatchObject({ delivered: 0 });
  // The failures are older than the successes, as a minute after the receiver is mended.
  await expect.poll(async () => (await broken.statuses()).every((status) => status === 'failed')).toBe(true);
  await service.sql(`update delivery_minute set at = at - interval '10 minutes'`);
  works = true;
  await broken.publishMany(5);
  await expect.poll(recent).toEqual({ attempts: 5, delivered: 5 });
  await expect.poll(shown).not.toContain(broken.endpoint);
});

it('N8: an endpoint that was disabled more than a week ago, or whose partner is deleted, takes no place in the list', async () => {
  const { sql } = service;
  const broken = await newPartner(receiver.url(answer(500)));
  const ids = [broken.endpoint];
  for (let more = 0; more < 2; more++) {
    const partner = await newPartner('http://127.0.0.1:9/');
    ids.push(partner.endpoint);
    if (more > 0) succeed(await service.remove(`/partners/${partner.id}`));
  }
  const [own, disabled, deleted] = ids.map((id) => uuidOf(id));
  await sql(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'It failed.', disabled_at = now() - interval '8 days' where id = $1`,
    [disabled],
  );
  await sql(`update lane set failing_since = now() - interval '9 days' where endpoint_id = any($1)`, [
    [disabled, deleted],
  ]);
  await sql(`update lane set failing_since = now() - interval '1 day' where endpoint_id = $1`, [own]);
  const listed = pluck(await get('/platform/failing-endpoints'), 'endpoint_id');
  expect(ids.map((id) => listed.includes(id))).toEqual([true, false, false]);
});
