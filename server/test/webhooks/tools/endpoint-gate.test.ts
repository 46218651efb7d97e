// The gate before live endpoints: without a check of the present URL nothing is sent to it.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/program/config.ts';
import { startService } from '../../../src/program/service.ts';
import { expectCode, pluck, succeed, uuidOf } from '../../stage/cast.ts';
import { keysOf, listen, ourReceiver } from '../../stage/endpoint-receivers.ts';
import { toLoopback } from '../../stage/receiver.ts';
import {
  answer,
  createWebhookPartner,
  endedCheck,
  useWebhookStage,
  type WebhookPartner,
} from '../../stage/webhook-stage.ts';

const { service } = useWebhookStage({ CONCORD_REQUIRE_ENDPOINT_CHECK: 'true' });

/** A partner with our receiver. `events` has the ids that it handled, also those of checks. */
async function newPartner(terms: object = {}, environment: 'live' | 'sandbox' = 'live') {
  let handler: ReturnType<typeof ourReceiver> = answer(500);
  const server = await listen(() => handler);
  const partner = await createWebhookPartner(service, server.url, { environment, ...terms });
  const receiverAt = (url: string) => ourReceiver(url, keysOf(service.url, environment), partner.id);
  handler = receiverAt(server.url);
  const events = () => server.requests.map(({ headers }) => headers['webhook-id']);
  return { ...partner, ...server, events, moveTo: (url: string) => (handler = receiverAt(url)) };
}
const check = async (partner: WebhookPartner) => {
  succeed(await partner.act('check'));
  return endedCheck(partner);
};
/** The lane was looked at, and released with nothing to send. */
const laneRests = async ({ endpoint }: WebhookPartner) =>
  expect
    .poll(() =>
      service.sql(`select next_at = 'infinity' and owner is null as rests from lane where endpoint_id = $1`, [
        uuidOf(endpoint),
      ]),
    )
    .toEqual([{ rests: true }]);

for (const ordering of ['none', 'strict'] as const) {
  it(`W62, W49, W53: nothing reaches a live endpoint without a check, however it is asked for (ordering ${ordering})`, async () => {
    const partner = await newPartner({ ordering });
    expect((await partner.read()).check).toEqual({
      status: 'none',
      checked_at: null,
      blocks_deliveries: true,
    });
    const published = [await partner.publish(), ...pluck(await partner.publishMany(30), 'id')];
    const [delivery] = await partner.deliveries();
    expect(delivery).toMatchObject({ state: 'waiting', next_attempt_at: null });
    for (const [state, count] of Object.entries({ waiting: 31, queued: 0 }))
      expect(await partner.deliveries(`?filter[state]=${state}`)).toHaveLength(count);
    const ofEndpoint = { endpoint_id: partner.endpoint };
    await expectCode('endpoint_unchecked', partner.send('POST', `deliveries/${delivery.id}/send-now`));
    await expectCode('endpoint_unchecked', partner.send('POST', 'deliveries/send-now', ofEndpoint));
    const all = await partner.post('deliveries/send-now', { status: 'pending' });
    await expect
      .poll(async () => await partner.get(`replays/${all.id}`))
      .toMatchObject({ status: 'completed', replayed: 0, skipped: 31 });
    expect(await partner.get('delivery-counts')).toMatchObject({
      matching: 31,
      sendable: 0,
    });
    await partner.pause();
    await expectCode('endpoint_unchecked', partner.act('resume', { send_now: true }));
    expect((await partner.read()).status).toBe('paused');
    await partner.resume();
    await expectCode('endpoint_live', partner.act('test'));
    await laneRests(partner);
    expect(partner.requests).toEqual([]);

    const { status } = await check(partner);
    expect(status).toBe('passed');
    await expect.poll(async () => new Set(await partner.statuses())).toEqual(new Set(['delivered']));
    expect(partner.events().slice(10).toSorted()).toEqual(published.toSorted());
    if (ordering === 'strict') expect(partner.events().slice(10)).toEqual(published);
  });
}

it('W62: another URL must be checked again, and a replay then waits', async () => {
  const partner = await newPartner();
  await check(partner);
  await partner.publish();
  await expect.poll(partner.statuses).toEqual(['delivered']);
  const before = partner.requests.length;
  const url = `${partner.url}/other`;
  const changed = await partner.change({ url });
  expect(succeed(changed).check).toMatchObject({ status: 'none', blocks_deliveries: true });
  partner.moveTo(url);
  const [{ id }] = await partner.deliveries();
  expect((await partner.post(`deliveries/${id}/replay`)).state).toBe('waiting');
  const all = await partner.post('deliveries/replay', { endpoint_id: partner.endpoint });
  await expect.poll(async () => (await partner.get(`replays/${all.id}`)).status).toBe('completed');
  await partner.publish();
  await laneRests(partner);
  expect(partner.requests).toHaveLength(before);
  expect((await check(partner)).status).toBe('passed');
  await expect.poll(partner.statuses).toEqual(['delivered', 'delivered']);
});

it('W62, W63: a waiver lets deliveries go, a failed check of another endpoint does not, and sandbox needs none', async () => {
  const [waived, failing] = [await newPartner(), await newPartner()];
  failing.moveTo('https://elsewhere.example/');
  for (const each of [waived, failing]) await each.publish();
  await check(failing);
  expect((await failing.read()).check).toMatchObject({ status: 'failed', blocks_deliveries: true });
  const path = `webhook-endpoints/${waived.endpoint}/check/waive`;
  await waived.post(path, { reason: 'known' });
  expect((await waived.read()).check.blocks_deliveries).toBe(false);
  await expect.poll(waived.statuses).toEqual(['delivered']);
  await laneRests(failing);
  expect([await failing.statuses(), failing.requests.length]).toEqual([['pending'], 10]);

  const sandbox = await newPartner({}, 'sandbox');
  succeed(await sandbox.act('test'));
  await expect.poll(sandbox.statuses).toEqual(['delivered']);
  sandbox.moveTo('https://elsewhere.example/');
  await check(sandbox);
  expect((await sandbox.read()).check).toMatchObject({ status: 'failed', blocks_deliveries: false });
});

it('W62: the setting of the process that started last holds for the endpoints that exist', async () => {
  const partner = await newPartner();
  await partner.publish();
  await laneRests(partner);
  const startAnother = async (requires: string) => {
    const { config } = readConfig({
      ...toLoopback,
      PORT: '0',
      DATABASE_URL: service.database.url,
      CONCORD_DATA_DIR: service.dataDir,
      CONCORD_BASE_URL: 'http://concord.test',
      CONCORD_WORKERS: '0',
      CONCORD_REQUIRE_ENDPOINT_CHECK: requires,
    });
    const started = await startService({ config, logger: pino({ level: 'silent' }), announce: () => {} });
    await started.stop();
  };
  await startAnother('false');
  await expect.poll(partner.statuses).toEqual(['delivered']);
  expect((await partner.read()).check.blocks_deliveries).toBe(false);
  const [sandbox, passed, failed] = [await newPartner({}, 'sandbox'), await newPartner(), await newPartner()];
  failed.moveTo('https://elsewhere.example/');
  for (const each of [passed, failed]) await check(each);
  // A check that runs again does not end a waiver.
  const waived = await newPartner();
  await waived.post(`webhook-endpoints/${waived.endpoint}/check/waive`, { reason: 'known' });
  await service.sql(`update webhook_endpoint set check_status = 'running' where id = $1`, [
    uuidOf(waived.endpoint),
  ]);
  await startAnother('true');
  for (const each of [partner, failed]) expect((await each.read()).check.blocks_deliveries).toBe(true);
  for (const each of [waived, passed, sandbox])
    expect((await each.read()).check.blocks_deliveries).toBe(false);
  expect((await newPartner().then((other) => other.read())).check.blocks_deliveries).toBe(true);
});
