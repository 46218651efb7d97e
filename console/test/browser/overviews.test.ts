// The overviews of the platform and of a partner, and who did it in the audit log.
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage();

it('B61, B32: overviews show trouble first; a mended endpoint leaves', async () => {
  const { world, service } = stage();
  const titles = ['Endpoints that need attention', 'Last 24 hours'];
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}`);
  await page.getByText(/^\d+ of \d+ attempts of the last hour failed$/).waitFor();
  const headings = async () =>
    (await page.locator('main h2').allInnerTexts()).filter((heading) => titles.includes(heading));
  await expect.poll(headings).toEqual(titles);
  const table = page.getByRole('region', { name: 'Endpoints that need attention' });
  const texts = [/Endpoint[\s\S]*Failed lately/, /old ERP[\s\S]*Failing/, /Paused/].map((text) =>
    expect.stringMatching(text),
  );
  await expect.poll(() => table.getByRole('row').allInnerTexts()).toEqual(texts);
  await page.getByRole('img', { name: /^Attempts\./ }).waitFor();

  const platform = await stage().openAs('operator');
  await show(platform, '/admin');
  await platform.getByText(/^\d+ of \d+ attempts of the last hour failed$/).waitFor();
  const worst = platform
    .getByRole('region', { name: 'Endpoints that need attention' })
    .getByRole('row')
    .nth(1);
  expect(await worst.innerText()).toMatch(/old ERP[\s\S]*Nordlys Energi AS[\s\S]*Failing/);
  await expect.poll(() => platform.getByText('Published events').first().isVisible()).toBe(true);
  const read = async () => succeed(await service.request('GET', '/platform/traffic')).events;
  await expect.poll(read, { timeout: 30_000 }).toBeGreaterThan(0);

  // All attempts so far were an hour ago, and the last ones since were delivered.
  await service.database.sql(`update delivery_minute set at = at - interval '70 minutes'`);
  await service.database.sql(`insert into delivery_minute (partner_id, endpoint_id, at, outcome, bucket, count)
    select partner_id, endpoint_id, date_trunc('minute', concord_now()), 'delivered', 3, 5 from delivery_minute group by 1, 2`);
  await show(platform, '/admin');
  await platform.getByText('No endpoint fails.').waitFor();
  await show(page, `/p/${world.partner}`);
  expect(await page.getByText(/^\d+ of \d+ attempts of the last hour failed$/).count()).toBe(0);
  expect(await table.innerText()).not.toContain('Failing');
});

it('B46: another period leaves the page where it is', async () => {
  const { world } = stage();
  const page = await stage().openAs('operator', { viewport: { width: 1280, height: 500 } });
  for (const path of ['/admin', `/p/${world.partner}/webhooks/endpoints/${world.endpoints.failing}`]) {
    await show(page, path);
    const tab = page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name: '7 days' });
    await tab.evaluate((link) => link.scrollIntoView({ block: 'start' }));
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(0);
    await tab.click();
    await page.waitForURL(/period=week/);
    await page.locator('[aria-current=page]', { hasText: '7 days' }).waitFor();
    expect([path, await page.evaluate('scrollY')]).toEqual([path, before]);
  }
});

it('B61: no overview says that no endpoint needs attention when that cannot be read', async () => {
  const page = await stage().openAs('owner');
  await page.route('**/webhook-endpoint-stats*', (route) =>
    route.fulfill({ status: 400, json: { code: 'invalid_request', message: 'Refused.' } }),
  );
  await show(page, `/p/${stage().world.partner}`);
  const section = page.locator('section').filter({ hasText: 'Endpoints that need attention' });
  await section.getByText(/Refused|No endpoint needs attention/).waitFor();
  expect(await section.getByText('No endpoint needs attention').count()).toBe(0);
  expect(await section.getByRole('button', { name: 'Try again' }).count()).toBe(1);
});

it('B61: a paused endpoint needs attention only while deliveries wait for it', async () => {
  const { world, service } = stage();
  const of = (path: string) => `/partners/${world.empty}/${path}`;
  const { id } = succeed(
    await service.request('POST', of('webhook-endpoints'), {
      body: { url: 'https://hooks.example.com/paused' },
    }),
  );
  await service.request('POST', of(`webhook-endpoints/${id}/pause`));
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/webhooks/endpoints/${id}`);
  await page.getByText('Answer time').waitFor();
  expect(await page.getByText('95% within').count()).toBe(0);
  await show(page, `/p/${world.empty}`);
  await page.getByText('No endpoint needs attention.').waitFor();
  await page.getByText('Nothing failed').waitFor();
  succeed(
    await service.request('POST', of('events'), {
      body: { type: 'inventory.updated', data: { sku: 'a', quantity: 1 } },
    }),
  );
  await show(page, `/p/${world.empty}`);
  const row = page.getByRole('region', { name: 'Endpoints that need attention' }).getByRole('row').nth(1);
  expect(await row.innerText()).toMatch(/Paused\s+1 delivery waits/);
});

it('B61, B32: an endpoint that takes deliveries more slowly than they come needs attention', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  let oldest = 299;
  await page.route('**/webhook-endpoint-stats*', async (route) => {
    const response = await route.fetch();
    const all: { endpoint_id: string }[] = await response.json();
    const json = all.map((each) =>
      each.endpoint_id === world.endpoints.healthy
        ? { ...each, pending: 1_000, oldest_pending_age_seconds: oldest }
        : each.endpoint_id === world.endpoints.failing
          ? { ...each, pending: 12, recent: { attempts: 5, delivered: 0 } }
          : each,
    );
    await route.fulfill({ response, json });
  });
  const rows = page.getByRole('region', { name: 'Endpoints that need attention' }).getByRole('row');
  const slow = rows.filter({ hasText: '1,000 deliveries wait' });
  await show(page, `/p/${world.partner}`);
  await rows.first().waitFor();
  expect(await slow.count()).toBe(0);
  oldest = 300;
  await show(page, `/p/${world.partner}`);
  expect(await slow.innerText()).toMatch(/Active\s+1,000 deliveries wait/);
  expect(await rows.filter({ hasText: 'Failing' }).innerText()).toMatch(/Failing\s+12 deliveries wait/);
});

it('B62: operators land on the overview of the platform, everybody else on the start', async () => {
  const { world } = stage();
  const signIn = async (email: string, path: string) => {
    const page = await stage().newPage();
    await page.goto(`/console${path}`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page;
  };
  await (await signIn(world.people.operator.email, '/')).waitForURL('**/console/admin');
  await (await signIn(world.people.operator.email, '/admin/users')).waitForURL('**/console/admin/users');
  await (await signIn(world.people.owner.email, '/')).waitForURL('**/console/');
});

it('B63: the audit log says who did it, records have an address, and filters take one', async () => {
  const { world, service } = stage();
  const { owner, viewer, operator } = world.people;
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/audit`);
  const rows = page.getByRole('region', { name: 'Records' }).getByRole('row');
  // Members see the name of an operator, and not the address.
  await expect.poll(() => rows.nth(1).innerText()).toContain('Operator');
  expect(await rows.allInnerTexts().then((all) => all.join())).not.toContain(operator.email);
  await page.getByLabel('Target').fill(viewer.email);
  await page.waitForURL(`**/audit?target=${encodeURIComponent(viewer.email).replace('%40', '*')}`);
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await expect
    .poll(async () => (await rows.allInnerTexts()).slice(1).every((text) => text.includes(viewer.email)))
    .toBe(true);
  await page.getByRole('link', { name: 'Changed an agreement' }).first().click();
  await page.waitForURL('**/audit/aud_*');
  await page.getByRole('heading', { name: 'Changed an agreement' }).waitFor();
  await page.reload();
  await page.locator('main').getByText(viewer.email).waitFor();

  // Groups have their names, and endpoints of one host their paths.
  await show(page, `/p/${world.partner}/audit/${world.record}`);
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByText('Viewer', { exact: true }).waitFor();
  expect(await changes.getByRole('cell').first().innerText()).toBe('None');
  expect(await page.locator('dt').allInnerTexts()).toContain('Actor');
  await show(page, `/p/${world.partner}/audit?action=webhook_endpoint.create`);
  await rows.getByRole('link', { name: world.failingUrl.slice(-12) }).waitFor();
  await rows.getByText('Warehouse in Bergen').waitFor();

  // From all event types to no event type.
  const path = `/partners/${world.partner}/webhook-endpoints/${world.endpoints.paused}`;
  succeed(await service.request('PATCH', path, { body: { event_types: [] } }));
  await show(page, `/p/${world.partner}/audit?action=webhook_endpoint.update`);
  await rows.getByRole('link', { name: 'Changed an endpoint' }).first().click();
  await changes.getByText('event_types').waitFor();
  expect(await changes.getByRole('cell').allInnerTexts()).toEqual(['–', 'None']);

  const platform = await stage().openAs('operator');
  await show(platform, `/admin/audit?actor=${owner.email}`);
  const all = platform.getByRole('region', { name: 'Records' });
  await expect.poll(() => all.innerText()).toContain(owner.email);
  expect(await all.getByRole('columnheader').allInnerTexts()).toContain('Partner');
});
