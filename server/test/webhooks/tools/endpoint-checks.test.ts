// Checks of endpoints: what a receiver is told, the gate before live endpoints, and the waiver.
import { createWebhookReceiver, toNodeHandler } from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { prepare } from '../../../src/webhooks/tools/endpoint-check/requests.ts';
import { acl, expectCode, expectStatus, may, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { faults, faultyReceiver, keysOf } from '../../stage/endpoint-receivers.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { openService } from '../../stage/start-service.ts';
import {
  answer,
  createWebhookPartner,
  endedCheck,
  readCheck,
  useWebhookStage,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';
import { createCheckedPartner, goodReceiver, type ReceiverOf } from './endpoint-check-stage.ts';

const { service, cast } = useWebhookStage();

type Case = { name: string; status: string; problem: string | null; advice: string | null };

const check = (partner: WebhookPartner) => partner.act('check');
const setFailing = ({ endpoint }: WebhookPartner, { sql } = service) =>
  sql('update lane set failing_since = now() where endpoint_id = $1', [uuidOf(endpoint)]);
async function isFailing({ endpoint }: WebhookPartner, { sql } = service) {
  const id = uuidOf(endpoint);
  const rows = await sql('select from lane where endpoint_id = $1 and failing_since is not null', [id]);
  return rows.length > 0;
}
const failedOf = ({ cases }: { cases: Case[] }) =>
  pluck(
    cases.filter(({ status }) => status === 'failed'),
    'name',
  );

const newPartner = (receiverOf: ReceiverOf, terms?: Record<string, unknown>) =>
  createCheckedPartner(service, receiverOf, terms);
const goodIn = (environment: 'live' | 'sandbox') => goodReceiver(service, environment);

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
    await expectStatus(404, partner.send('GET', `webhook-endpoints/${partner.endpoint}/check`));
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
  const broken = await newPartner(() => answer(503));
  succeed(await check(broken));
  expect((await endedCheck(broken)).cases[0].advice).toContain('look at its log');
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
    uuidOf(elsewhere.id),
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

it('W61: a live endpoint that is in use is not checked; after a change of its URL it is', async () => {
  const partner = await newPartner(goodIn('live'), {});
  await partner.publish();
  await expect.poll(partner.statuses).toEqual(['delivered']);
  await expectCode('endpoint_in_use', check(partner));
  const second = (await partner.post('webhook-endpoints', { url: partner.url })).id;
  await expectCode('endpoint_in_use', partner.send('POST', `webhook-endpoints/${second}/check`));
  const url = `${partner.url}?version=2`;
  succeed(await partner.change({ url }));
  expect(succeed(await check(partner)).url).toBe(url);
  await endedCheck(partner);
  // The first endpoint has moved on, but its receiver has not.
  await expectCode('endpoint_in_use', partner.send('POST', `webhook-endpoints/${second}/check`));
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
  await expectStatus(403, service.post(`${path}/waive`, { reason: 'none' }, program));
  expect((await service.post(`${path}/waive`, { reason: 'none' }, owner.token)).body.message).toBe(
    'You need to be an operator.',
  );
  await expectStatus(202, service.post(path, undefined, owner.token));
  await endedCheck(partner);
});

it('W63: a waiver has a reason, which the audit log keeps, and ends with the URL', async () => {
  const partner = await newPartner(() => answer(500));
  const path = `webhook-endpoints/${partner.endpoint}/check/waive`;
  await expectStatus(400, partner.send('POST', path, {}));
  const reason = 'A gateway that we cannot change';
  await setFailing(partner);
  const waived = await partner.post(path, { reason });
  expect(await isFailing(partner)).toBe(false);
  expect(waived).toMatchObject({ status: 'waived', waived: { reason }, cases: [] });
  expect((await partner.read()).check.status).toBe('waived');
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
