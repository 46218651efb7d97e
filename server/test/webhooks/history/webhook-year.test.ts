// A year of webhooks and rotated keys, with a clock that the test moves.
import { expect, it } from 'vitest';
import { succeed } from '../../stage/cast.ts';
import { inForm } from '../../stage/form.ts';
import { createWebhookPartner, openDelivering } from '../../stage/webhook-stage.ts';

const dayMs = 86_400_000;
const days = inForm({ short: 100, long: 365 });
const rotations = Math.floor(days / 30);
const due = `select id from delivery where status = 'pending' and next_attempt_at <= concord_now()`;
const kidOf = (headers: Record<string, string>) => /keyid="([^"]+)"/.exec(headers['signature-input']!)![1]!;
const createdOf = (headers: Record<string, string>) =>
  Number(/created=(\d+)/.exec(headers['signature-input']!)![1]) * 1_000;

it('W2, W6: during a year of rotations, a receiver that follows the rules verifies every attempt and retry', async () => {
  // After the first keys were made.
  const start = Math.ceil(Date.now() / dayMs) * dayMs;
  let clock = start;
  const { service, receiver } = await openDelivering(
    { CONCORD_WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s', CONCORD_WEBHOOK_RETENTION: '365d' },
    { now: () => clock },
  );
  const failed = new Set<string>();
  const url = receiver.url((got, response) => {
    // The first attempt fails; the second starts after the clock has moved.
    const again = failed.has(got.event.id);
    failed.add(got.event.id);
    response.writeHead(again ? 204 : 500).end();
  });
  const partner = await createWebhookPartner(service, url);
  const signed = new Map<string, number>();
  const listed = new Map<string, number>();
  while (clock - start < days * dayMs) {
    clock += dayMs * (0.5 + 4 * Math.random());
    await service.sql('update auth.session set expires_at = $2, created_at = $1, updated_at = $1', [
      new Date(clock),
      new Date(clock + 6 * dayMs),
    ]);
    await service.setClock(new Date(clock).toISOString());
    await Promise.all([service.runTask('rotate signing keys'), service.runTask('make webhook partitions')]);
    await service.sql(`select pg_notify('concord_lanes', '')`);
    await partner.publishMany(1);
    // Each attempt is recorded before the clock moves. A busy receiver that cannot read the keys gets another one.
    await expect.poll(() => service.sql(due)).toEqual([]);
    for (const { headers } of receiver.at(url)) {
      const kid = kidOf(headers);
      signed.set(kid, Math.max(signed.get(kid) ?? 0, createdOf(headers)));
    }
    const { keys } = succeed(await service.get('/.well-known/jwks.json'));
    for (const { kid } of keys) listed.set(kid, clock);
  }
  expect(receiver.refused).toEqual([]);
  expect(await service.sql(`select id from delivery where status = 'failed'`)).toEqual([]);
  const delivered = await service.sql(`select id from delivery where status = 'delivered'`);
  expect(delivered.length).toBeGreaterThanOrEqual(failed.size - 2);
  expect(signed.size).toBeGreaterThanOrEqual(rotations);
  const retired = [...signed].filter(([kid]) => listed.get(kid)! < clock);
  expect(retired.length).toBeGreaterThanOrEqual(rotations - 2);
  for (const [kid, last] of retired) expect((listed.get(kid)! - last) / dayMs).toBeGreaterThan(14);
});
