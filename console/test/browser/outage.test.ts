// The page stays open while Concord cannot be reached.
import { expect, it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B48: says that Concord does not answer, and goes on by itself', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Invitations' }).click();
  const banner = page.getByText('Concord does not answer.');
  await banner.waitFor();
  expect(await page.getByText(world.people.invitee.email).count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByText(world.people.invitee.email).first().waitFor();
  await banner.waitFor({ state: 'detached' });
});

it('B48: the page of an endpoint stays while Concord does not answer', async () => {
  const { partner, endpoints } = stage().world;
  const page = await stage().openAs('owner');
  await show(page, `/p/${partner}/webhooks/endpoints/${endpoints.healthy}`);
  await page.waitForLoadState('networkidle');
  const title = page.getByRole('heading', { level: 1 });
  const url = await title.textContent();
  stage().watchOf(page).expectOutage();
  let failures = 0;
  page.on('requestfailed', (request) => {
    if (request.url().endsWith(`/webhook-endpoints/${endpoints.healthy}`)) failures += 1;
  });
  await page.context().setOffline(true);
  // The client tries four times. A fifth request says that the page has got the failure.
  await expect
    .poll(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return failures;
    })
    .toBeGreaterThan(4);
  await page.getByText('Concord does not answer.').waitFor();
  expect(await title.textContent()).toBe(url);
});

it('B48: a long form that could not be sent says so, keeps its button in sight, and can be sent later', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('later@nordlys.example');
  const send = dialog.getByRole('button', { name: 'Send the invitation' });
  stage().watchOf(page).expectOutage();
  await page.context().setOffline(true);
  await send.click();
  const problem = dialog.getByText('Concord does not answer. Check your connection, then try again.');
  await problem.waitFor();
  const end = () => send.evaluate((button) => button.getBoundingClientRect().bottom);
  await expect.poll(end).toBeLessThan(800);
  await page.context().setOffline(false);
  await send.click();
  await page.getByText('later@nordlys.example is invited.').waitFor();
});

it('B48: says that a page can be out of date while reading it again fails', async () => {
  const { partner, endpoints } = stage().world;
  const page = await stage().openAs('owner');
  await show(page, `/p/${partner}/webhooks/endpoints/${endpoints.healthy}`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  const json = { code: 'internal', message: 'Something went wrong.', request_id: 'a' };
  await page.route('**/webhook-endpoints/**', (route) => route.fulfill({ status: 500, json }));
  const banner = page.getByText('this page can be out of date');
  await banner.waitFor();
  await page.unroute('**/webhook-endpoints/**');
  await banner.waitFor({ state: 'detached' });
});

it('B48: what is read once is read again after errors, so that the page goes on by itself', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}/people`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  const json = { code: 'internal', message: 'Something went wrong.', request_id: 'a' };
  await page.route('**/console/api/**', (route) => route.fulfill({ status: 500, json }));
  const banner = page.getByText('this page can be out of date');
  await expect
    .poll(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return banner.count();
    })
    .toBe(1);
  await page.unroute('**/console/api/**');
  await banner.waitFor({ state: 'detached' });
});

it('B77: until it is known who is signed in, lines stand in the place of the page', async () => {
  const page = await stage().openAs('owner');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/console/api/me', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`/console/p/${stage().world.partner}/people`);
  await page.getByText('Loading', { exact: true }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  resolve();
  await page.getByRole('heading', { name: 'People' }).waitFor();
});

it('B44: until it is known who may see it, a page of one thing has its own title', async () => {
  const { partner, serviceAccount } = stage().world;
  const page = await stage().openAs('owner');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/console/api/me/agreements*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.goto(`/console/p/${partner}/service-accounts/${serviceAccount}`);
  const title = page.getByRole('heading', { level: 1 });
  await title.waitFor();
  expect(await title.textContent()).toBe('Service account');
  resolve();
  await page.getByRole('heading', { name: 'Stock exporter' }).waitFor();
});

it('B29: behind a proxy that drops entity tags, a change is tried once and refused', async () => {
  const { empty } = stage().world;
  const page = await stage().openAs('operator');
  const patched: unknown[] = [];
  await page.route(`**/console/api/partners/${empty}`, async (route) => {
    if (route.request().method() === 'PATCH') patched.push(route.request().headers()['if-match']);
    const response = await route.fetch();
    const { etag: _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await show(page, `/p/${empty}/profile`);
  await page.getByLabel('Description').fill('Changed behind a proxy');
  await page.getByRole('button', { name: 'Save the business' }).click();
  await page.getByText('its ETag does not match').first().waitFor();
  expect(patched).toHaveLength(1);
});

it('B50: after Concord has asked for fewer requests, everything on the page is read again', async () => {
  const { world } = stage();
  const page = await stage().openAs('operator');
  await show(page, `/p/${world.partner}/webhooks/endpoints`);
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  let refused = '';
  await page.route('**/console/api/**', (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    if (refused !== '') return route.continue();
    refused = pathname;
    return route.fulfill({
      status: 429,
      headers: { 'retry-after': '3' },
      json: { code: 'rate_limited', message: 'Too many requests.' },
    });
  });
  const banner = page.getByText('Too many requests at once.');
  await banner.waitFor();
  await expect.poll(() => new Set(asked).size).toBeGreaterThan(1);
  const polled = new Set(asked);
  await banner.waitFor({ state: 'detached' });
  asked.length = 0;
  await expect.poll(() => [...polled].filter((path) => !asked.includes(path))).toEqual([]);
});

it('B24, B48: while it cannot be read who is signed in, the setup asks nobody for the printed link', async () => {
  const page = await stage().openAs('operator');
  stage().watchOf(page).expectOutage();
  const json = { code: 'internal', message: 'Something went wrong.', request_id: 'a' };
  const refuse = () => page.route('**/console/api/me', (route) => route.fulfill({ status: 500, json }));
  await refuse();
  await page.goto('/console/setup');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await page.getByText('Open the printed link').count()).toBe(0);
  await page.unroute('**/console/api/me');
  await page.getByRole('button', { name: 'Try again' }).click();
  const step = page.getByRole('heading', { name: 'Set up a second factor' });
  await step.waitFor();
  // What was begun stays.
  await refuse();
  await expect
    .poll(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return page.getByText('this page can be out of date').count();
    })
    .toBe(1);
  expect(await step.count()).toBe(1);
});
