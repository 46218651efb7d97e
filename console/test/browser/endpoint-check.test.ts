// The go-live check on the page of an endpoint: its list, why deliveries wait, and the waiver.
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { listen } from '../../../server/test/stage/endpoint-receivers.ts';
import { findBarriers, findOverflow } from './barriers.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B78, B46, B54: the list of a check fills while it runs, the page says why deliveries wait, and an operator waives the check', async () => {
  const { service, world } = stage();
  // As with CONCORD_REQUIRE_ENDPOINT_CHECK=true, but the endpoints of the world are as they were.
  await service.sql('update webhook_policy set requires_check = true');
  const held: ServerResponse[] = [];
  let count = 0;
  const { url } = await listen(() => (request, response) => {
    request.resume();
    count++;
    if (count === 3) held.push(response);
    else response.writeHead(204).end();
  });
  const path = `/partners/${world.partner}`;
  const body = { url, environment: 'live' };
  const { id } = succeed(await service.request('POST', `${path}/webhook-endpoints`, { body }));
  const event = { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } };
  succeed(await service.request('POST', `${path}/events`, { body: event }));

  const owner = await stage().openAs('owner');
  const address = `/p/${world.partner}/webhooks/endpoints/${id}`;
  await show(owner, address);
  await owner.getByText('Deliveries wait until the go-live check of its URL passes.').first().waitFor();
  expect(await owner.getByRole('button', { name: 'Waive the check…' }).count()).toBe(0);
  // Resuming it does not offer to send what waits: that would be refused (W49).
  const [pause, resume] = ['Pause', 'Resume'].map((name) => owner.getByRole('button', { name, exact: true }));
  await pause?.click();
  await resume?.click();
  await pause?.waitFor();
  await owner.getByRole('button', { name: 'Check the receiver' }).click();
  await owner.getByText('Accepts a correct request: passed').waitFor();
  await owner.getByText('Refuses a wrong signature: sending').waitFor();
  await owner.getByText('Refuses a changed body: not sent').waitFor();
  held[0]?.writeHead(204).end();
  await owner.getByText('Refuses a changed body: failed').waitFor();
  await owner.getByText('Compute the digest of the raw body').waitFor();
  await owner.getByText('Change the receiver as the list says').waitFor();
  expect([...(await findBarriers(owner, 'light')), ...(await findBarriers(owner, 'dark'))]).toEqual([]);
  await owner.setViewportSize({ width: 360, height: 800 });
  expect(await findOverflow(owner)).toBe(0);

  const operator = await stage().openAs('operator');
  await show(operator, address);
  await operator.getByRole('button', { name: 'Waive the check…' }).click();
  await operator.getByLabel('Reason').fill('A gateway that we cannot change');
  await operator.getByRole('button', { name: 'Waive the check', exact: true }).click();
  await operator.getByText('A gateway that we cannot change').waitFor();
  await expect.poll(() => count).toBe(11);
  await operator.getByText('Deliveries wait until').first().waitFor({ state: 'detached' });
  await service.sql('update webhook_policy set requires_check = false');
});

it('B78: the page says what to check in place of an endpoint that is in use', async () => {
  const { partner, endpoints } = stage().world;
  const page = await stage().openAs('owner');
  await show(page, `/p/${partner}/webhooks/endpoints/${endpoints.healthy}`);
  await page.getByRole('button', { name: 'Check the receiver' }).click();
  await page.getByText('Check a sandbox endpoint with the same code.').waitFor();
});
