// After an outage: what waits for a retry is sent now, from each page that shows it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const within = (path: string): string => `/p/${stage().world.partner}/webhooks/${path}`;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const rows = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr');
const send = async (method: string, path: string, body?: object) =>
  succeed(
    await stage().service.request(method, `/partners/${stage().world.partner}/${path}`, {
      ...(body && { body }),
    }),
  );

/** An endpoint whose deliveries have failed once, and wait for a day. Its receiver works. */
async function newOutage(count: number, status = 'active', url = stage().receiver.url()) {
  const { id } = await send('POST', 'webhook-endpoints', { url, event_types: ['order.status_changed'] });
  await send('POST', `webhook-endpoints/${id}/pause`);
  const data = { order_id: 'o', status: 'shipped' };
  const { body: types } = await stage().service.request('GET', '/event-types');
  const example =
    types.find(({ name }: { name: string }) => name === 'order.status_changed')?.example ?? data;
  await send(
    'POST',
    'events/batch',
    Array.from({ length: count }, () => ({ type: 'order.status_changed', data: example })) as never,
  );
  await stage().service.database.sql(
    `update delivery set attempt_count = 1, round_attempts = 1, next_attempt_at = now() + interval '1 day'
     where status = 'pending' and endpoint_id = (select id from webhook_endpoint where url = $1)`,
    [url],
  );
  if (status === 'active') await send('POST', `webhook-endpoints/${id}/resume`);
  return {
    id: id as string,
    url,
    delivered: () => stage().receiver.received.filter((each) => url.endsWith(each.path)).length,
  };
}

it('B54, B55: an endpoint, a delivery, a selection and a filter are sent now, with the count before', async () => {
  const page = await stage().openAs('owner');
  const one = await newOutage(7);
  await show(page, within(`endpoints/${one.id}`));
  await page.getByText('7 deliveries wait to be sent').waitFor();
  // One delivery, on its own page.
  await rows(page, 'Recent deliveries').first().getByRole('link').first().click();
  await button(page, 'Send now').click();
  await page.getByText('Delivered').first().waitFor();
  expect(one.delivered()).toBe(1);
  // Two of a selection.
  await show(page, within(`deliveries?endpoint_id=${one.id}`));
  const pending = rows(page, 'Deliveries').filter({ hasNotText: 'Delivered' });
  for (const index of [0, 1]) await pending.nth(index).getByRole('checkbox').check();
  expect(await button(page, /^Replay .* deliver(y|ies)$/).count()).toBe(0);
  await button(page, 'Send 2 deliveries now').click();
  await expect.poll(one.delivered).toBe(3);
  await button(page, 'Close').click();
  // The rest, by the filters.
  await show(page, within(`deliveries?endpoint_id=${one.id}&status=pending`));
  await button(page, 'Send 4 deliveries now…').click();
  const dialog = page.getByRole('dialog', { name: 'Send 4 deliveries now?' });
  await dialog.getByText(one.url).waitFor();
  await dialog.getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Pending deliveries are on their way').waitFor();
  await page.getByText('4 on their way, 0 left as they are, of 4 that matched').waitFor();
  await expect.poll(one.delivered).toBe(7);
  await show(page, within(`deliveries?endpoint_id=${one.id}&status=pending`));
  await page.getByText('Endpoint', { exact: true }).first().waitFor();
  expect(await button(page, /^(Send|Replay) .*…$/).count()).toBe(0);
});

it('B54: the banner of a failing endpoint offers to send again what failed', async () => {
  const page = await stage().openAs('owner');
  await show(page, within(`endpoints/${stage().world.endpoints.failing}`));
  const banner = page.getByRole('alert').filter({ hasText: 'Failing' });
  await banner.getByRole('button', { name: /^Send [\d,]+ failed deliver(y|ies) again…$/ }).click();
  await page.getByRole('dialog', { name: 'Replay a period' }).waitFor();
});

it('B54: the banner of an open page counts what fails meanwhile', async () => {
  const page = await stage().openAs('owner');
  const url = stage().receiver.url((_, response) => response.writeHead(500).end());
  const { id } = await send('POST', 'webhook-endpoints', { url });
  const fail = async (count: number) => {
    await send('POST', 'events', { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } });
    const failed = `deliveries?filter[endpoint_id]=${id}&filter[status]=failed&page_size=10`;
    await expect.poll(async () => (await send('GET', failed)).length).toBe(count);
  };
  await fail(1);
  await show(page, within(`endpoints/${id}`));
  await button(page, 'Send 1 failed delivery again…').waitFor();
  await fail(2);
  await button(page, 'Send 2 failed deliveries again…').waitFor();
  await send('DELETE', `webhook-endpoints/${id}`);
});

it('B54: Resume asks whether what waits for a retry is sent now', async () => {
  const page = await stage().openAs('owner');
  const paused = await newOutage(3, 'paused');
  await show(page, within(`endpoints/${paused.id}`));
  await button(page, 'Resume…').click();
  const dialog = page.getByRole('dialog', { name: `Resume the endpoint ${paused.url}?` });
  await dialog.getByText('3 deliveries wait for it.').waitFor();
  expect(await dialog.getByRole('checkbox').isChecked()).toBe(true);
  await dialog.getByRole('button', { name: 'Resume the endpoint' }).click();
  await button(page, 'Pause').waitFor();
  await expect.poll(paused.delivered).toBe(3);
});

it('B32, B54: the list of endpoints says what is pending, and Resume in it asks too', async () => {
  const page = await stage().openAs('owner');
  const paused = await newOutage(2, 'paused');
  await show(page, within('endpoints'));
  await rows(page, 'Endpoints').filter({ hasText: paused.url }).getByText('2 pending').waitFor();
  await page.getByRole('button', { name: `Actions of ${paused.url}` }).click();
  await page.getByRole('menuitem', { name: 'Resume…' }).click();
  const dialog = page.getByRole('dialog', { name: `Resume the endpoint ${paused.url}?` });
  await dialog.getByText('2 deliveries wait for it.').waitFor();
  await dialog.getByRole('button', { name: 'Resume the endpoint' }).click();
  await expect.poll(paused.delivered).toBe(2);
});

it('B54, N5: a long queue has the same number in the dialog of Resume, in the banner and in the statistics', async () => {
  const page = await stage().openAs('owner');
  const paused = await newOutage(1, 'paused');
  // Counting by filters ends at 10,000 (W47).
  await stage().service.database.sql(
    `insert into delivery (id, event_id, event_type, partner_id, endpoint_id, environment, position, attempt_count, next_attempt_at, created_at)
     select overlay(id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, event_id, event_type, partner_id, endpoint_id, environment, position, 1,
       next_attempt_at, created_at
     from delivery, generate_series(1, 12344) n where endpoint_id = (select id from webhook_endpoint where url = $1)`,
    [paused.url],
  );
  await show(page, within(`endpoints/${paused.id}`));
  await page.getByText('12,345', { exact: true }).waitFor();
  await button(page, 'Resume…').click();
  const dialog = page.getByRole('dialog', { name: `Resume the endpoint ${paused.url}?` });
  await dialog.getByText('12,345 deliveries wait for it.').waitFor();
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByRole('button', { name: 'Resume the endpoint' }).click();
  await page.getByText('12,345 deliveries wait to be sent').waitFor();
  await button(page, 'Send 12,345 deliveries now…').waitFor();
  // Another endpoint fails behind this queue.
  const url = stage().receiver.url((_, response) => response.writeHead(500).end());
  const body = { url, event_types: ['order.status_changed'], retry_schedule: [86_400] };
  const { id } = await send('POST', 'webhook-endpoints', body);
  await newOutage(1);
  await show(page, within(`endpoints/${id}`));
  await button(page, 'Send 1 delivery now…').waitFor();
  await show(page, within(`deliveries?endpoint_id=${id}&status=pending`));
  await button(page, 'Send deliveries now…').waitFor();
  for (const each of [paused.id, id]) await send('DELETE', `webhook-endpoints/${each}`);
});

it('B54: what was just sent now is not offered again while the receiver still works on it', async () => {
  const page = await stage().openAs('owner');
  const answers: (() => void)[] = [];
  const url = stage().receiver.url((_, response) => {
    answers.push(() => response.writeHead(204).end());
  });
  const { id } = await newOutage(3, 'active', url);
  await show(page, within(`endpoints/${id}`));
  await button(page, 'Send 3 deliveries now…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Pending deliveries are on their way').waitFor();
  // The page is read again at the end, and once more by itself.
  for (let read = 0; read < 2; read++) await page.waitForResponse(/webhook-endpoints\/\w+\/stats/);
  await page.getByText('Pending now').waitFor();
  expect(await button(page, /^Send \d+ deliver.* now…$/).count()).toBe(0);
  for (const answer of answers) answer();
});

it('B59: what happens on an open page has just happened, and is not in the future', async () => {
  const page = await stage().openAs('owner');
  const { id } = await send('POST', 'webhook-endpoints', { url: stage().receiver.url() });
  await page.clock.setSystemTime(Date.now() - 15_000);
  await show(page, within(`endpoints/${id}`));
  const changed = page.locator('dl > div').filter({ hasText: /^Changed/ });
  await changed.waitFor();
  // It takes a while until the page has this time, so it is one that the service has not reached yet.
  await page.clock.setSystemTime(Date.now() + 5_000);
  await button(page, 'Pause').click();
  await button(page, 'Resume').waitFor();
  expect(await changed.textContent()).toContain('just now');
});

it('B46: who pauses, resumes and sends now by keyboard keeps the focus', async () => {
  const page = await stage().openAs('owner');
  const outage = await newOutage(2);
  await show(page, within(`endpoints/${outage.id}`));
  const focused = page.locator(':focus');
  await button(page, 'Pause').press('Enter');
  await button(page, 'Resume…').and(page.locator(':focus:not([aria-disabled])')).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox').uncheck();
  await dialog.getByRole('button', { name: 'Resume the endpoint' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused.innerText()).toBe('Pause');
  // The button that opened this dialog goes away.
  await button(page, 'Send 2 deliveries now…').press('Enter');
  await dialog.getByRole('button', { name: 'Send now' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => focused.innerText()).toBe(outage.url);
});

it('B55: what runs shows a bar, the total and Stop', async () => {
  const page = await stage().openAs('owner');
  const outage = await newOutage(2);
  const { sql } = stage().service.database;
  // It never ends by itself.
  await sql(`create function wait_here() returns trigger language plpgsql as
    $$ begin if old.completed_at is null and not new.stopped then perform pg_sleep(0.05); new.completed_at := null; end if; return new; end $$`);
  await sql('create trigger wait_here before update on replay for each row execute function wait_here()');
  await show(page, within(`endpoints/${outage.id}`));
  await button(page, 'Send 2 deliveries now…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
  await page.getByText('Sending pending deliveries').first().waitFor();
  await page.getByRole('progressbar', { name: 'Deliveries' }).waitFor();
  await page.getByText('2 of 2').waitFor();
  // Those who may only look see it too.
  const viewer = await stage().openAs('viewer');
  for (const path of [`endpoints/${outage.id}`, 'deliveries']) {
    await show(viewer, within(path));
    await viewer.getByText('2 of 2').waitFor();
    expect(await button(viewer, 'Stop').count()).toBe(0);
  }
  await button(page, 'Stop').click();
  await page.getByText('Sending now was stopped').waitFor();
  await sql('drop trigger wait_here on replay');
});
