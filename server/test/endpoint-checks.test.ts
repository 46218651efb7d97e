// Checks of endpoints: what a receiver is told, the gate before live endpoints, and the waiver.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createWebhookReceiver, toNodeHandler } from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { newId, parseId } from '../src/base/ids.ts';
import { prepare } from '../src/webhooks/tools/endpoint-check/requests.ts';
import { acl, codeOf, may, pluck, succeed } from './cast.ts';
import { faults, faultyReceiver, keysOf, listen, ourReceiver } from './endpoint-receivers.ts';
import { kill } from './launch.ts';
import { stopAt, waiters } from './locks.ts';
import { toLoopback } from './receiver.ts';
import { openService, startBeside, type TestService } from './start-service.ts';
import {
  answer,
  createWebhookPartner,
  endedCheck,
  readCheck,
  startWorker,
  startWorkerHere,
  useWebhookStage,
  type WebhookPartner,
} from './webhook-stage.ts';

const { service, cast } = useWebhookStage();

type Case = { name: string; status: string; problem: string | null; advice: string | null };

const check = (partner: WebhookPartner) => partner.act('check');
const setFailing = ({ endpoint }: WebhookPartner, { sql } = service) =>
  sql('update lane set failing_since = now() where endpoint_id = $1', [
    parseId('webhook_endpoint', endpoint),
  ]);
async function isFailing({ endpoint }: WebhookPartner, { sql } = service): Promise<boolean> {
  const id = parseId('webhook_endpoint', endpoint);
  const rows = await sql('select from lane where endpoint_id = $1 and failing_since is not null', [id]);
  return rows.length > 0;
}
const failedOf = ({ cases }: { cases: Case[] }) =>
  pluck(
    cases.filter(({ status }) => status === 'failed'),
    'name',
  );

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
/** A partner whose endpoint has this receiver. The receiver is made when the partner exists. */
async function newPartner(
  receiverOf: (url: string, partnerId: string) => Handler,
  terms: Record<string, unknown> = { environment: 'sandbox' },
  at: TestService = service,
) {
  let handler: Handler = answer(500);
  const server = await listen(() => handler);
  const partner = await createWebhookPartner(at, server.url, terms);
  handler = receiverOf(server.url, partner.id);
  return { ...partner, ...server };
}
const goodIn =
  (environment: 'live' | 'sandbox', at: TestService = service) =>
  (url: string, partnerId: string) =>
    ourReceiver(url, keysOf(at.url, environment), partnerId);

const refusals = [
  'refuses_missing_signature',
  'refuses_wrong_signature',
  'refuses_stale',
  'refuses_foreign_partner',
  'refuses_foreign_url',
  'refuses_changed_body',
  'refuses_unknown_key',
];

it('W61: our receiver passes, in both environments, and nothing of it is a delivery', async () => {
  for (const environment of ['sandbox', 'live'] as const) {
    const partner = await newPartner(goodIn(environment), { environment });
    expect((await partner.read()).check).toEqual({
      status: 'none',
      checked_at: null,
      blocks_deliveries: false,
    });
    expect((await partner.send('GET', `webhook-endpoints/${partner.endpoint}/check`)).status).toBe(404);
    await setFailing(partner);
    const started = await check(partner);
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({
      endpoint_id: partner.endpoint,
      url: partner.url,
      status: 'running',
    });
    const { cases, status, finished_at } = await endedCheck(partner);
    expect([status, failedOf({ cases }), cases.length]).toEqual(['passed', [], 10]);
    expect(partner.requests).toHaveLength(10);
    expect(await isFailing(partner)).toBe(false);
    expect((await partner.read()).check).toEqual({
      status: 'passed',
      checked_at: finished_at,
      blocks_deliveries: false,
    });
    expect([await partner.deliveries(), await partner.get('events')]).toEqual([[], []]);
    expect((await partner.get(`webhook-endpoints/${partner.endpoint}/stats`)).attempts).toBe(0);
  }
});

it.each<[keyof typeof faults, string[]]>([
  ['accepts everything', refusals],
  ['refuses everything', ['accepts_good', 'accepts_largest_body', 'accepts_same_delivery_twice']],
  ['needs no signature', ['refuses_missing_signature']],
  ['does not verify the signature', ['refuses_wrong_signature', 'refuses_foreign_url']],
  ['does not check the digest', ['refuses_changed_body']],
  ['does not check the age', ['refuses_stale']],
  ['does not check its partner', ['refuses_foreign_partner']],
  ['ignores the URL', ['refuses_foreign_url']],
  ['accepts unknown keys', ['refuses_unknown_key']],
  ['takes small bodies only', ['accepts_largest_body']],
  ['refuses duplicates', ['accepts_same_delivery_twice']],
])('W61: a receiver that %s is told so', async (fault, failed) => {
  const partner = await newPartner((url, partnerId) =>
    faultyReceiver(faults[fault], url, { partnerId, keys: keysOf(service.url, 'sandbox') }),
  );
  succeed(await check(partner));
  const { status, cases } = await endedCheck(partner);
  expect([status, failedOf({ cases })]).toEqual(['failed', failed]);
  for (const each of cases as Case[]) {
    const isFailed = failed.includes(each.name);
    expect([each.problem !== null, each.advice !== null]).toEqual([isFailed, isFailed]);
  }
  expect((await partner.read()).check.status).toBe('failed');
});

it('W61, W65: a receiver that verifies with the signing secret alone passes, too', async () => {
  let secret = '';
  const partner = await newPartner((url, partnerId) => {
    const options = { url, partnerId, handle() {}, onError() {} };
    return (request, response) =>
      toNodeHandler(createWebhookReceiver({ ...options, secret }))(request, response);
  });
  ({ secret } = succeed(await partner.act('signing-secret')));
  await check(partner);
  expect(failedOf(await endedCheck(partner))).toEqual([]);
});

it('W61: a request that gets no answer fails its case, and a 410 disables nothing', async () => {
  const silent = await newPartner(() => (request) => void request.socket.destroy());
  succeed(await check(silent));
  const [first] = (await endedCheck(silent)).cases;
  expect(first).toMatchObject({
    status: 'failed',
    status_code: null,
    problem: expect.stringMatching(/connection: /),
  });
  const gone = await newPartner(() => answer(410));
  succeed(await check(gone));
  await endedCheck(gone);
  expect((await gone.read()).status).toBe('active');
});

it('W61, W21: the requests have the headers of the endpoint, and go only where webhooks may go', async () => {
  const headers = { 'X-Tenant': 'nordlys' };
  const limits = { headers, rate_limit_per_second: 50 };
  const partner = await newPartner(goodIn('sandbox'), { environment: 'sandbox', ...limits });
  const startedAt = performance.now();
  succeed(await check(partner));
  expect((await endedCheck(partner)).status).toBe('passed');
  expect(performance.now() - startedAt).toBeGreaterThan(9 * 19);
  expect(partner.requests.map((request) => request.headers['x-tenant'])).toEqual(Array(10).fill('nordlys'));

  const elsewhere = await createWebhookPartner(service, 'https://hooks.example.com/', {
    environment: 'sandbox',
  });
  await service.sql(`update webhook_endpoint set url = 'http://10.0.0.1/' where partner_id = $1`, [
    parseId('partner', elsewhere.id),
  ]);
  succeed(await check(elsewhere));
  for (const { problem } of (await endedCheck(elsewhere)).cases)
    expect(problem).toMatch(/^The receiver gave no answer: address_refused/);
});

it('W61: what is signed for another URL is signed for a host that nobody has, whatever the path', async () => {
  const sample = {
    url: new URL('https://own.example//victim.example/hook?a=b'),
    environment: 'live' as const,
    partnerId: newId('partner'),
    eventId: newId('event'),
    batch: null,
    type: 'inventory.updated',
    example: {},
    payload: 'full' as const,
    userAgent: 'Concord',
    now: new Date(),
    secret: null,
  };
  const bases: string[] = [];
  const sign = async (base: Uint8Array) => {
    bases.push(String(base));
    return Buffer.alloc(96);
  };
  await prepare('refuses_foreign_url', { ...sample, key: { kid: 'key', sign } });
  expect(bases[0]).toContain('"@target-uri": https://another-receiver.invalid//victim.example/hook\n');
});

it('W61: one check runs at a time, and five of a partner in an hour', async () => {
  const held: ServerResponse[] = [];
  let holds = true;
  const partner = await newPartner(
    () => (_, response) => (holds ? void held.push(response) : void response.writeHead(500).end()),
  );
  const path = `webhook-endpoints/${partner.endpoint}/check`;
  const both = await Promise.all([check(partner), check(partner)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 400]);
  expect(codeOf(await check(partner))).toEqual([400, 'check_running']);
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

it('W61: a live endpoint that is in use is not checked; after a change of its URL it is', async () => {
  const partner = await newPartner(goodIn('live'), {});
  await partner.publish();
  await expect.poll(partner.statuses).toEqual(['delivered']);
  expect(codeOf(await check(partner))).toEqual([400, 'endpoint_in_use']);
  const second = (await partner.post('webhook-endpoints', { url: partner.url })).id;
  expect(codeOf(await partner.send('POST', `webhook-endpoints/${second}/check`))).toEqual([
    400,
    'endpoint_in_use',
  ]);
  const url = `${partner.url}?version=2`;
  succeed(await partner.change({ url }));
  expect(succeed(await check(partner)).url).toBe(url);
  await endedCheck(partner);
  // The first endpoint has moved on, but its receiver has not.
  expect(codeOf(await partner.send('POST', `webhook-endpoints/${second}/check`))).toEqual([
    400,
    'endpoint_in_use',
  ]);
});

it('W61: another URL deletes the check, and ends one that runs', async () => {
  const held: ServerResponse[] = [];
  const partner = await newPartner(() => (_, response) => void held.push(response));
  succeed(await check(partner));
  await expect.poll(() => held.length).toBe(1);
  const url = `${partner.url}/other`;
  const changed = await partner.change({ url });
  expect(succeed(changed).check.status).toBe('none');
  held[0]?.writeHead(204).end();
  const path = `webhook-endpoints/${partner.endpoint}/check`;
  expect((await partner.send('GET', path)).status).toBe(404);
  succeed(await check(partner));
  await expect.poll(() => held.length).toBe(2);
  expect(pluck(partner.requests as never, 'url')).toEqual(['/concord', '/concord/other']);
  succeed(await partner.send('DELETE', `webhook-endpoints/${partner.endpoint}`));
  held[1]?.writeHead(204).end();
  await expect.poll(() => service.sql('select from endpoint_check where url = $1', [url])).toEqual([]);
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
  const quick = await newPartner(goodIn('sandbox'));
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

it("W61, W63: checks of other people's endpoints are hidden, and only operators waive one", async () => {
  const partner = await newPartner(goodIn('sandbox'));
  const [stranger, reader, owner] = [
    await cast.user(),
    await cast.member(partner.id, may('webhook_endpoints', 'get')),
    await cast.owner(partner.id),
  ];
  const path = `/partners/${partner.id}/webhook-endpoints/${partner.endpoint}/check`;
  const another = `/partners/${await cast.partner()}/webhook-endpoints/${partner.endpoint}/check`;
  const statuses = async (token?: string, at = path) =>
    (
      await Promise.all([
        service.post(at, undefined, token),
        service.get(at, token),
        service.post(`${at}/waive`, { reason: 'none' }, token),
      ])
    ).map(({ status }) => status);
  expect(await statuses(stranger.token)).toEqual([404, 404, 404]);
  expect(await statuses(service.operatorToken, another)).toEqual([404, 404, 404]);
  expect(await statuses(reader.token)).toEqual([403, 404, 403]);
  const program = await cast.accessToken({ ...owner, token: owner.token }, [acl('*')]);
  expect((await service.post(`${path}/waive`, { reason: 'none' }, program)).status).toBe(403);
  expect((await service.post(`${path}/waive`, { reason: 'none' }, owner.token)).body.message).toBe(
    'You need to be an operator.',
  );
  expect((await service.post(path, undefined, owner.token)).status).toBe(202);
  await endedCheck(partner);
});

it('W63: a waiver has a reason, which the audit log keeps, and ends with the URL', async () => {
  const partner = await newPartner(() => answer(500));
  const path = `webhook-endpoints/${partner.endpoint}/check/waive`;
  expect((await partner.send('POST', path, {})).status).toBe(400);
  const reason = 'A gateway that we cannot change';
  await setFailing(partner);
  const waived = await partner.post(path, { reason });
  expect(await isFailing(partner)).toBe(false);
  expect(waived).toMatchObject({ status: 'waived', waived: { reason }, cases: [] });
  expect((await partner.read()).check.status).toBe('waived');
  // A failed check does not end it.
  succeed(await check(partner));
  expect(await endedCheck(partner)).toMatchObject({ status: 'waived', waived: { reason } });
  expect(failedOf(await readCheck(partner))).toHaveLength(3);
  const rows = await service.sql(
    `select action, changes from audit_log where target = $1 and action like '%check' order by position`,
    [partner.endpoint],
  );
  expect(rows).toEqual([
    { action: 'webhook_endpoint.waive_check', changes: { waived_reason: { before: null, after: reason } } },
    { action: 'webhook_endpoint.check', changes: { check: { before: 'waived', after: 'running' } } },
  ]);
  const url = `${partner.url}/other`;
  succeed(await partner.change({ url }));
  expect((await partner.read()).check.status).toBe('none');
});

it('W61, W18: a check whose process is killed goes on in another process', async () => {
  const environment = { CONCORD_WEBHOOK_TIMEOUT: '1s' };
  const service = await openService({ ...toLoopback, ...environment, CONCORD_ROLE: 'api' });
  let holds = true;
  let handled = 0;
  const partner = await newPartner(
    (url, partnerId) => {
      const receive = goodIn('sandbox', service)(url, partnerId);
      return (request, response) => {
        handled++;
        if (!holds || handled < 4) receive(request, response);
      };
    },
    { environment: 'sandbox' },
    service,
  );
  succeed(await check(partner));
  const first = await startWorker(service, environment);
  await expect.poll(() => handled).toBe(4);
  await kill(first.child);
  holds = false;
  const shown = await readCheck(partner);
  expect([shown.status, shown.cases.filter(({ status }: Case) => status === 'passed').length]).toEqual([
    'running',
    3,
  ]);
  // The lease of the first has ended.
  await service.advanceClock(60_000);
  await startWorkerHere(service, environment);
  expect(await endedCheck(partner)).toMatchObject({ status: 'passed' });
  expect(handled).toBe(11);
});

it('W61: a restore ends a check that was running', async () => {
  const service = await openService({ ...toLoopback, CONCORD_ROLE: 'api' });
  const partner = await createWebhookPartner(service, 'http://127.0.0.1:1/', { environment: 'sandbox' });
  succeed(await check(partner));
  const waived = await createWebhookPartner(service, 'http://127.0.0.1:1/', { environment: 'sandbox' });
  const waive = `webhook-endpoints/${waived.endpoint}/check/waive`;
  await waived.post(waive, { reason: 'known' });
  succeed(await check(waived));
  await setFailing(partner, service);
  await service.sql('select finish_restore(now())');
  expect(await isFailing(partner, service)).toBe(false);
  const token = await service.signIn();
  for (const [{ id, endpoint }, status] of [
    [partner, 'failed'],
    [waived, 'waived'],
  ] as const) {
    const path = `/partners/${id}/webhook-endpoints/${endpoint}`;
    expect(succeed(await service.get(`${path}/check`, token)).status).toBe(status);
    expect(succeed(await service.get(path, token)).check.status).toBe(status);
  }
});
