// The page stays open while Concord cannot be reached.
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { fillSignIn } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

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
  await page.getByText('your change is not saved').first().waitFor();
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

/** Concord does what is asked, and its answers get lost. Call the answer when the network is there again. */
async function loseAnswers(page: Page, url: string): Promise<() => Promise<void>> {
  stage().watchOf(page).expectOutage();
  const lose = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  };
  await page.route(url, lose);
  return () => page.unroute(url, lose);
}

it('B83, C2: an endpoint whose answer was lost is created once when the person tries again', async () => {
  const { world, receiver, service } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/webhooks/endpoints?create=yes`);
  const create = page.getByRole('button', { name: 'Create the endpoint' });
  await page.getByLabel('URL', { exact: true }).fill(receiver.url());
  const mend = await loseAnswers(page, '**/webhook-endpoints');
  await create.click();
  await page.getByRole('alert').getByText('Concord does not answer.').waitFor();
  await mend();
  await create.click();
  await page.getByText('The endpoint is created').waitFor();
  const { body } = await service.request('GET', `/partners/${world.empty}/webhook-endpoints`);
  expect(body).toHaveLength(1);
});

it('B83: a token whose answer was lost may already be there, which form and list say', async () => {
  const page = await stage().openAs('viewer');
  await show(page, '/account/tokens');
  await page.getByRole('button', { name: 'Create an access token' }).first().click();
  await page.getByLabel('Name').fill('Lost on the way');
  await loseAnswers(page, '**/me/access-tokens');
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.getByRole('alert').getByText('this may already be done').waitFor();
  await page.getByRole('cell', { name: 'Lost on the way', exact: true, includeHidden: true }).waitFor();
});

it('B83: a form that was closed while it was sent says as a message that it failed', async () => {
  const page = await stage().openAs('viewer');
  await show(page, '/account/tokens');
  await page.getByRole('button', { name: 'Create an access token' }).first().click();
  await page.getByLabel('Name').fill('Closed too early');
  stage().watchOf(page).expectOutage();
  const closed = Promise.withResolvers<void>();
  await page.route('**/me/access-tokens', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await closed.promise;
    await route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  closed.resolve();
  await page.getByText('this may already be done').waitFor();
});

it('B23: a secret is shown although nothing can be read after it was made', async () => {
  const page = await stage().openAs('viewer');
  await show(page, '/account/tokens');
  await page.getByRole('button', { name: 'Create an access token' }).first().click();
  await page.getByLabel('Name').fill('Made in a tunnel');
  await page.route('**/console/api/**', async (route) => {
    if (route.request().method() === 'POST') await route.continue();
  });
  await page.getByRole('button', { name: 'Create the token' }).click();
  await page.getByRole('button', { name: 'I have saved it' }).click();
});

it('B48: an answer that is late is told on the page, and in the form that waits for it', async () => {
  const page = await stage().openAs('viewer');
  await show(page, '/account/tokens');
  await page.getByRole('button', { name: 'Create an access token' }).first().click();
  await page.getByLabel('Name').fill('Late');
  await page.route('**/console/api/**', () => {});
  await page.getByRole('button', { name: 'Create the token' }).click();
  const form = page.getByRole('dialog');
  await form.getByText('Concord has not answered yet.').waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Concord has not answered yet. This page goes on').waitFor();
});

it('B48: while the next page does not come, lines stand in its place', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}/people`);
  await page.waitForLoadState('networkidle');
  const loaded = Promise.withResolvers<void>();
  await page.route('**/console/assets/**', async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('main').getByText('Loading', { exact: true }).waitFor();
  expect(await page.getByRole('heading', { name: 'People' }).count()).toBe(0);
  loaded.resolve();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
});

it('B84: a sign-out that was not answered says so, and leaves nobody in the belief that it was', async () => {
  const page = await stage().openAs('stranger');
  await show(page, '/account');
  stage().watchOf(page).expectOutage();
  await page.route('**/auth/sign-out', (route) => route.abort('connectionreset'));
  const leave = page.getByRole('button', { name: 'Sign out', exact: true });
  await leave.click();
  await page.getByText('you may still be signed in').waitFor();
  await page.unroute('**/auth/sign-out');
  await leave.click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('B48: the form of a sign-in waits until the page behind it opens', async () => {
  const page = await stage().newPage();
  await page.goto('/console/sign-in');
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/console/api/me', async (route) => {
    await promise;
    await route.continue();
  });
  const asked = page.waitForRequest('**/console/api/me');
  await fillSignIn(page, stage().world.people.owner.email, password);
  await asked;
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  resolve();
  await page.getByRole('heading', { name: 'Hello' }).waitFor();
});

it('B48: a page of which something on the way blocks one read does not read everything without a pause', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  let blocked = 0;
  await page.route('**/webhook-endpoints?**', (route) => {
    blocked++;
    return route.fulfill({ status: 403, contentType: 'text/html', body: 'Blocked' });
  });
  await expect
    .poll(async () => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return blocked;
    })
    .toBeGreaterThan(1);
  const before = blocked;
  for (let trip = 0; trip < 300; trip++) await page.evaluate("fetch('/health/live')");
  expect(blocked - before).toBeLessThan(5);
});
