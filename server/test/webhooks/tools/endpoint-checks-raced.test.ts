// Checks of endpoints that run: how many at once, and what ends them.
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { codeOf, expectCode, expectStatus, pluck, statusesOf, succeed } from '../../stage/cast.ts';
import { kill } from '../../stage/launch.ts';
import { stopAt, waiters } from '../../stage/locks.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { openService, startBeside } from '../../stage/start-service.ts';
import {
  answer,
  endedCheck,
  readCheck,
  startWorker,
  startWorkerHere,
  useWebhookStage,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';
import { createCheckedPartner, goodReceiver, type ReceiverOf } from './endpoint-check-stage.ts';

const { service } = useWebhookStage();
const check = (partner: WebhookPartner) => partner.act('check');
const newPartner = (receiverOf: ReceiverOf) => createCheckedPartner(service, receiverOf);

it('W61: one check runs at a time, and five of a partner in an hour', async () => {
  const held: ServerResponse[] = [];
  let holds = true;
  const partner = await newPartner(
    () => (_, response) => (holds ? void held.push(response) : void response.writeHead(500).end()),
  );
  const path = `webhook-endpoints/${partner.endpoint}/check`;
  const both = await Promise.all([check(partner), check(partner)]);
  expect(statusesOf(both)).toEqual([202, 400]);
  await expectCode('check_running', check(partner));
  await expect.poll(() => held.length).toBe(1);
  holds = false;
  held[0]?.writeHead(500).end();
  await endedCheck(partner);
  const once = { 'idempotency-key': 'once' };
  const second = await partner.send('POST', path, undefined, once);
  await endedCheck(partner);
  const repeated = await partner.send('POST', path, undefined, once);
  expect([second.status, repeated.body]).toEqual([202, second.body]);
  for (let n = 3; n <= 5; n++) {
    succeed(await check(partner));
    await endedCheck(partner);
  }
  const sixth = await check(partner);
  expect(codeOf(sixth)).toEqual([429, 'rate_limited']);
  expect(sixth.headers.ratelimit).toMatch(/^"endpoint-checks";r=0;t=3\d{3}$/);
  const other = await startBeside(service, { ...toLoopback, CONCORD_ROLE: 'api' });
  const elsewhere = await fetch(`${other.url}/partners/${partner.id}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.operatorToken}` },
  });
  expect(elsewhere.status).toBe(429);
});

it('W61: another URL deletes the check, and ends one that runs', async () => {
  const held: ServerResponse[] = [];
  const partner = await newPartner(() => (_, response) => void held.push(response));
  const other = await newPartner(() => answer(500));
  succeed(await check(other));
  const kept = [await endedCheck(other), await other.read()];
  succeed(await check(partner));
  await expect.poll(() => held.length).toBe(1);
  const url = `${partner.url}/other`;
  const changed = await partner.change({ url });
  expect(succeed(changed).check.status).toBe('none');
  held[0]?.writeHead(204).end();
  const path = `webhook-endpoints/${partner.endpoint}/check`;
  await expectStatus(404, partner.send('GET', path));
  succeed(await check(partner));
  await expect.poll(() => held.length).toBe(2);
  expect(pluck(partner.requests as never, 'url')).toEqual(['/concord', '/concord/other']);
  succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
  held[1]?.writeHead(204).end();
  await expect.poll(() => service.sql('select from endpoint_check where url = $1', [url])).toEqual([]);
  expect([await readCheck(other), await other.read()]).toEqual(kept);
});

it('W61: receivers of one partner that do not answer delay no check of another partner', async () => {
  const held: ServerResponse[] = [];
  const slow = await newPartner(() => (_, response) => void held.push(response));
  succeed(await check(slow));
  for (let more = 0; more < 3; more++) {
    const body = { url: `${slow.url}/${more}`, environment: 'sandbox' };
    const { id } = await slow.post('webhook-endpoints', body);
    await slow.post(`webhook-endpoints/${id}/check`);
  }
  await expect.poll(() => held.length).toBeGreaterThanOrEqual(2);
  const quick = await newPartner(goodReceiver(service, 'sandbox'));
  succeed(await check(quick));
  expect((await endedCheck(quick)).status).toBe('passed');
  succeed(await service.remove(`/partners/${slow.id}`));
  for (const response of held) response.writeHead(204).end();
});

it('W61: claims at the same time run two checks of a partner at most', async () => {
  const { database, sql } = service;
  const held: ServerResponse[] = [];
  const partner = await newPartner(() => (_, response) => void held.push(response));
  const claimed = await stopAt(database, {
    table: 'endpoint_check',
    event: 'update',
    when: 'old.owner is null and new.owner is not null',
  });
  succeed(await check(partner));
  for (let more = 0; more < 2; more++) {
    const { id } = await partner.post('webhook-endpoints', {
      url: `${partner.url}/${more}`,
      environment: 'sandbox',
    });
    await partner.post(`webhook-endpoints/${id}/check`);
  }
  await expect.poll(() => waiters(database)).toHaveLength(3);
  await claimed.release();
  await expect
    .poll(() =>
      sql(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and query like '%endpoint_check%'`,
      ),
    )
    .toEqual([]);
  expect(await sql('select from endpoint_check where owner is not null')).toHaveLength(2);
  succeed(await service.remove(`/partners/${partner.id}`));
  for (const response of held) response.writeHead(204).end();
});

it('W61, W18: a check whose process is killed goes on in another process', async () => {
  const environment = { CONCORD_WEBHOOK_TIMEOUT: '1s' };
  const service = await openService({ ...toLoopback, ...environment, CONCORD_ROLE: 'api' });
  let holds = true;
  let handled = 0;
  const partner = await createCheckedPartner(service, (url, partnerId) => {
    const receive = goodReceiver(service, 'sandbox')(url, partnerId);
    return (request, response) => {
      handled++;
      if (!holds || handled < 4) receive(request, response);
    };
  });
  succeed(await check(partner));
  const first = await startWorker(service, environment);
  await expect.poll(() => handled).toBe(4);
  await kill(first.child);
  holds = false;
  const shown = await readCheck(partner);
  expect([
    shown.status,
    shown.cases.filter(({ status }: { status: string }) => status === 'passed').length,
  ]).toEqual(['running', 3]);
  // The lease of the first has ended.
  await service.advanceClock(60_000);
  await startWorkerHere(service, environment);
  expect(await endedCheck(partner)).toMatchObject({ status: 'passed' });
  expect(handled).toBe(11);
});
