// Endpoints with retries, a timeout and a time until disabling of their own (behaviour W68).
import { expect, it } from 'vitest';
import { succeed } from '../../stage/cast.ts';
import { answer, useWebhookStage, type WebhookPartner } from '../../stage/webhook-stage.ts';

const { service, receiver, newPartner } = useWebhookStage();
const fail = () => receiver.url(answer(500));

const attemptsOf = async (partner: WebhookPartner) => {
  await partner.until('failed', 1);
  const [{ id }] = await partner.deliveries();
  return (await partner.get(`deliveries/${id}`)).attempts;
};

it('W68: an endpoint is retried by its own schedule, and [] allows one attempt', async () => {
  const once = await newPartner(fail(), { retry_schedule: [] });
  const twice = await newPartner(fail(), { retry_schedule: [1], ordering: 'strict' });
  const asPlatform = await newPartner(fail());
  const all = [once, twice, asPlatform];
  for (const partner of all) await partner.publish();
  expect(await Promise.all(all.map(async (each) => (await attemptsOf(each)).length))).toEqual([1, 2, 3]);
  const [first, second] = await attemptsOf(twice);
  // A fifth shorter or longer than a second.
  expect(Date.parse(second?.started_at) - Date.parse(first?.started_at)).toBeGreaterThanOrEqual(800);
});

it('W68, W14: an attempt lasts as long as the endpoint says', async () => {
  const never = receiver.url(() => {});
  const partner = await newPartner(never, { timeout_seconds: 1, retry_schedule: [1] });
  await partner.publish();
  const timedOut = { status_code: null, error: 'timeout: no status within 1000 ms' };
  expect(await attemptsOf(partner)).toMatchObject([timedOut, timedOut]);
});

it('W16: failures before a restore of the partner do not count', async () => {
  const url = fail();
  const partner = await newPartner(url, { retry_schedule: [] });
  const { sql } = service;
  await partner.publish();
  const age = `update lane set failing_since = now() - interval '6 days' from webhook_endpoint
    where id = endpoint_id and url = $1 and failing_since is not null and owner is null returning 1`;
  await expect.poll(async () => (await sql(age, [url])).length).toBe(1);
  succeed(await service.remove(`/partners/${partner.id}`));
  succeed(await service.post(`/partners/${partner.id}/restore`));
  await partner.publish();
  await receiver.count(url, 2);
  const fails = `select failing_since > now() - interval '1 minute' as since from lane join webhook_endpoint on id = endpoint_id where url = $1`;
  await expect.poll(async () => sql(fails, [url])).toEqual([{ since: true }]);
  expect((await partner.read()).status).toBe('active');
});

it('W68, W16: an endpoint is disabled after its own time of failures, and not after the one before', async () => {
  const url = fail();
  const partner = await newPartner(url, { disable_after_hours: 2, retry_schedule: [] });
  /** Once the lane is released: its next owner reads it. */
  const failingSince = async (age: string) => {
    const update = `update lane set failing_since = now() - $2::interval from webhook_endpoint
      where id = endpoint_id and url = $1 and failing_since is not null and owner is null returning 1`;
    await expect.poll(async () => (await service.sql(update, [url, age])).length).toBe(1);
  };
  const failOnce = async (number: number) => {
    await partner.publish();
    await receiver.count(url, number);
    await partner.until('failed', number);
  };
  await failOnce(1);
  await failingSince('1 hour 50 minutes');
  await failOnce(2);
  expect((await partner.read()).status).toBe('active');
  await failingSince('2 hours');
  await failOnce(3);
  await expect
    .poll(() => partner.read())
    .toMatchObject({ status: 'disabled', disabled_reason: 'Every attempt failed for 2 hours.' });
});
