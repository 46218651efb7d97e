// What a sandbox receiver keeps of the requests that come.
import { expect, it, onTestFinished } from 'vitest';
import { parseId } from '../../../src/base/ids.ts';
import { expectStatus, pluck, succeed, times } from '../../stage/cast.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { startRelay } from '../../stage/relay.ts';
import { openService } from '../../stage/start-service.ts';
import { connected, createSandboxPartner, delivered, retries, useSandboxStage } from './sandbox-stage.ts';

const stage = useSandboxStage();

it('B12: the newest 50 requests are kept, also when many come at once', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const send = (number: number) => stage.post(url, JSON.stringify({ number }));
  await Promise.all(times(60, (index) => send(index)));
  for (let number = 100; number < 110; number++) await send(number);
  const numbers = (await partner.requests()).map(({ body }: { body: string }) => JSON.parse(body).number);
  expect(numbers).toHaveLength(50);
  expect(numbers.slice(0, 10)).toEqual([109, 108, 107, 106, 105, 104, 103, 102, 101, 100]);
  expect(new Set(numbers).size).toBe(50);
  const id = parseId('partner', partner.partner);
  const full = `insert into sandbox_receiver_request (partner_id, slot, number, method, headers, body, received_at, verification)
    values ($1, 50, 100, 'POST', '[]', '', now(), '{}')`;
  await expect(stage.service.sql(full, [id])).rejects.toThrow('slot');
});

it('B12: a request that is no webhook is kept with the step that fails, with its bytes, and without its own headers', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const broken = Buffer.from([0x7b, 0xff, 0x00]);
  await expectStatus(
    204,
    stage.post(url, broken, {
      authorization: 'Bearer hidden',
      'x-tenant': 'hidden',
      'webhook-id': 'evt_1',
    }),
  );
  await expectStatus(204, stage.post(url, '{"\\u0000":"\\ud800"'));
  // As escapes in JSON, 4 MiB of these would be 24 MiB.
  await expectStatus(204, stage.post(url, '"\x01"'));
  await expectStatus(413, stage.post(url, 'x'.repeat(1_048_577)));
  await expectStatus(415, stage.post(url, 'a', { 'content-type': 'text/plain' }));
  const requests = await partner.requests();
  expect(JSON.stringify(requests)).not.toContain('hidden');
  expect(requests).toMatchObject([
    { body: Buffer.from('"\x01"').toString('base64'), body_encoding: 'base64' },
    {
      body: '{"\\u0000":"\\ud800"',
      body_encoding: 'utf8',
      verification: { verified: false, code: 'signature_missing' },
    },
    {
      method: 'POST',
      body: broken.toString('base64'),
      body_encoding: 'base64',
      verification: { verified: false, step: 'parse', key_id: null, event_id: null, delivery_id: null },
    },
  ]);
});

it('B12: a webhook with a changed body, or of another partner, is not verified', async () => {
  const [partner, stranger] = [await stage.newPartner(), await stage.newPartner()];
  const { url } = await connected(partner);
  const other = await stranger.receiver();
  await partner.publish();
  const { id } = await delivered(partner);
  const { request } = await partner.get(`deliveries/${id}/attempts/1`);
  const kept = ['content-type', 'content-digest', 'webhook-id', 'signature-input', 'signature'];
  const headers = Object.fromEntries(
    request.headers.flatMap(({ name, value }: { name: string; value: string }) =>
      kept.includes(name) ? [[name, value]] : [],
    ),
  );
  await stage.post(url, request.body.replace('Åse', 'Ase'), headers);
  await stage.post(other, request.body, headers);
  expect(pluck(await partner.requests(), 'verification')).toMatchObject([
    { verified: false, code: 'digest_mismatch', delivery_id: null },
    { verified: true, delivery_id: id },
  ]);
  const [strange] = await stranger.requests();
  expect(strange.verification).toMatchObject({
    verified: false,
    code: 'signature_invalid',
    delivery_id: null,
  });
  expect(strange.verification.key_id).toBe((await partner.requests())[0].verification.key_id);
});

it('B12: an event of another partner, whose endpoint may go to any address here, is not verified', async () => {
  const own = await startRelay();
  onTestFinished(own.close);
  const open = await openService({ ...toLoopback, ...retries, CONCORD_BASE_URL: own.url });
  own.to(open.url);
  const [partner, stranger] = [await createSandboxPartner(open), await createSandboxPartner(open)];
  succeed(await stranger.create(await partner.receiver()));
  await stranger.publish();
  await delivered(stranger);
  expect((await partner.requests())[0].verification).toMatchObject({
    verified: false,
    code: 'partner_mismatch',
    delivery_id: null,
  });
});

it('B12: a list has at most 4 MiB of bodies, and a body of 256 KiB fits', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  const body = 'x'.repeat(256 * 1024);
  for (let count = 0; count < 18; count++) await expectStatus(204, stage.post(url, body));
  expect(await partner.requests()).toHaveLength(16);
});

it('B12: requests are deleted with their receiver, and when the retention of events has ended', async () => {
  const partner = await stage.newPartner();
  const url = await partner.receiver();
  await stage.post(url, {});
  const count = async () =>
    (
      await stage.service.sql('select from sandbox_receiver_request where partner_id = $1', [
        parseId('partner', partner.partner),
      ])
    ).length;
  await stage.service.advanceClock(89 * 86_400_000);
  await stage.service.runTask('delete old requests to sandbox receivers');
  expect(await count()).toBe(1);
  await stage.service.advanceClock(91 * 86_400_000);
  await stage.service.runTask('delete old requests to sandbox receivers');
  expect(await count()).toBe(0);
  await stage.service.advanceClock(0);
  await stage.post(url, {});
  succeed(await partner.send('DELETE', 'sandbox-receiver'));
  expect(await count()).toBe(0);
});
