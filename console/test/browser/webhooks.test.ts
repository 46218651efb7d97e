// What integrators do: find out why a webhook failed, repair it, and send it again.
import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const within = (path: string): string => `/p/${stage().world.partner}/webhooks/${path}`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true });
const rows = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr');

/** Paths of the API that the page asks for from now on. */
function recordRequests(page: Page): { take(): string[]; underWay(): number } {
  const seen: string[] = [];
  const open = new Set<Request>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/console/api/')) return;
    seen.push(pathname);
    open.add(request);
  });
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', (request) => open.delete(request));
  return { take: () => seen.splice(0), underWay: () => open.size };
}

it('B31, B32: from a failing endpoint to the reason, the verified request and a replay', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('endpoints'));
  const { failingUrl } = stage().world;
  await rows(page, 'Endpoints').filter({ hasText: failingUrl }).getByText('Failing').waitFor();
  await link(page, failingUrl).click();
  await page.getByText('Its last attempts all failed.').first().waitFor();
  // What happens stands above what is set.
  await expect
    .poll(async () => (await page.locator('main h2').allInnerTexts()).slice(0, 2))
    .toEqual(['Statistics', 'Recent deliveries']);
  await link(page, '7 days').click();
  await page.waitForURL(/period=week/);
  await page.getByText('0 delivered').waitFor();
  await link(page, 'Show the deliveries whose last attempt failed this way').click();
  await page.waitForURL(/status_code=5xx/);
  await rows(page, 'Deliveries').filter({ hasText: 'Failed' }).first().getByRole('link').first().click();
  await page.getByText('Attempt 3 failed: 500 Internal Server Error').waitFor();
  await page.getByText('The receiver failed while it handled the webhook.').waitFor();
  await page.getByText('The database is down').waitFor();
  await page.getByText('"@target-uri"').first().waitFor();
  await button(page, 'Verify the signature').click();
  await page.getByText('The request verifies').waitFor();
  await link(page, 'Attempt 1').click();
  await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
  await button(page, 'Replay the delivery').click();
  await page.getByText('A new round of attempts has begun').waitFor();
  await link(page, 'Attempt 4').waitFor();
});

it('B32, B77: no endpoint is called active before its deliveries are known, and no column jumps then', async () => {
  const page = await stage().openAs('owner');
  const column = page.getByRole('columnheader', { name: 'Status' });
  const place = async () => (await column.boundingBox())?.x ?? Number.NaN;
  const gate = Promise.withResolvers<void>();
  await page.route('**/webhook-endpoint-stats*', async (route) => {
    await gate.promise;
    await route.continue();
  });
  await page.goto(`/console${within('endpoints')}`);
  const row = rows(page, 'Endpoints').filter({ hasText: stage().world.failingUrl });
  await row.waitFor();
  expect(await row.innerText()).not.toContain('Active');
  const before = await place();
  gate.resolve();
  await row.getByText('Failing').waitFor();
  expect(Math.abs((await place()) - before)).toBeLessThan(20);
});

it('B32: an endpoint is not called active either when its deliveries cannot be read', async () => {
  const page = await stage().openAs('owner');
  await page.route(/webhook-endpoint-stats|webhook-endpoints\/\w+\/stats/, (route) =>
    route.fulfill({ status: 400, json: { code: 'invalid_request', message: 'Refused.' } }),
  );
  await page.goto(`/console${within('endpoints')}`);
  const row = rows(page, 'Endpoints').filter({ hasText: stage().world.failingUrl });
  await row.getByText('Status unknown').waitFor();
  expect(await row.innerText()).not.toContain('Active');
  // What they cannot change is known.
  expect(await rows(page, 'Endpoints').getByText('Paused', { exact: true }).count()).toBe(1);
  await link(page, stage().world.failingUrl).click();
  await page.getByRole('heading', { name: stage().world.failingUrl }).waitFor();
  await page.getByText('Its last attempts could not be read').waitFor();
  expect(await page.getByText('Active', { exact: true }).count()).toBe(0);
});

it('B31: the inspector is used with the keyboard alone', async () => {
  const page = await stage().openAs('viewer');
  await show(page, within(`deliveries/${stage().world.delivery}`));
  await page.getByRole('heading', { name: /^Attempt \d$/ }).waitFor();
  const reach = async (name: string) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(
        `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
      );
      if (focused === name) return;
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await reach('Attempt 1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
  await reach('Verify the signature');
  await page.keyboard.press('Enter');
  await page.getByText('The request verifies').waitFor();
  expect(await button(page, 'Replay the delivery').count()).toBe(0);
});

it('B33: the filters of deliveries are in the URL, and a link shows the same', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('deliveries'));
  await page.getByLabel('Status').selectOption('Failed');
  await page.waitForURL(/state=failed/);
  await page.getByLabel('Endpoint').selectOption(stage().world.endpoints.failing);
  await page.waitForURL(/endpoint_id=whe_/);
  await expect.poll(() => rows(page, 'Deliveries').filter({ hasNotText: 'Failed' }).count()).toBe(0);
  const other = await stage().openAs('viewer');
  await other.goto(page.url());
  await rows(other, 'Deliveries').first().waitFor();
  expect(await other.getByLabel('Status').inputValue()).toBe('failed');
  expect(await rows(other, 'Deliveries').filter({ hasNotText: 'Failed' }).count()).toBe(0);
  await button(other, 'Clear').click();
  await other.waitForURL((url) => url.search === '');
});

it('B33, B55: all that match a filter are replayed, with what it names and how far it is', async () => {
  const page = await stage().openAs('owner');
  await show(page, within(`deliveries?endpoint_id=${stage().world.endpoints.failing}&status=failed`));
  const offer = page.getByRole('button', { name: /^Replay \d+ deliver(y|ies)…$/ });
  const count = /\d+/.exec(await offer.innerText())?.[0];
  await offer.click();
  const dialog = page.getByRole('dialog', { name: /^Replay \d+/ });
  await dialog.getByText('Failed', { exact: true }).waitFor();
  await dialog.getByText(stage().world.failingUrl).waitFor();
  await button(page, 'Replay them').click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('The replay is done').waitFor();
  await page.getByText(`${count} sent again, 0 left as they are, of ${count} that matched`).waitFor();
  await button(page, 'Close').click();
  await page.getByText('The replay is done').waitFor({ state: 'detached' });
  await page.reload();
  await rows(page, 'Deliveries').first().waitFor();
  expect(await page.getByText('The replay is done').count()).toBe(0);
});

it('B34, B29: an endpoint is created, tested, paused, resumed, edited by two, and deleted', async () => {
  const page = await stage().openAs('owner');
  const url = stage().receiver.url();
  await show(page, within('endpoints'));
  await button(page, 'Create an endpoint').click();
  await page.getByLabel('URL').fill(url);
  await button(page, 'Create the endpoint').click();
  await page.getByRole('heading', { name: url }).waitFor();
  await button(page, 'Send a test event').click();
  await rows(page, 'Recent deliveries').filter({ hasText: 'Delivered' }).waitFor();
  await button(page, 'Pause').click();
  await page.getByText('Deliveries wait until it is resumed.').waitFor();
  await button(page, 'Resume').click();
  await button(page, 'Pause').waitFor();

  const other = await stage().openAs('operator');
  await other.goto(page.url());
  for (const [tab, text] of [
    [page, 'Mine'],
    [other, 'Theirs'],
  ] as const) {
    await button(tab, 'Edit').click();
    await tab.getByText(/^Description, order/).click();
    await tab.getByLabel('Description', { exact: true }).fill(text);
  }
  await button(other, 'Save the endpoint').click();
  await other.getByText('The endpoint is saved').waitFor();
  await button(page, 'Save the endpoint').click();
  await page.getByText('Somebody else changed this endpoint').waitFor();
  expect(await page.getByRole('row', { name: 'Description Mine Theirs' }).count()).toBe(1);
  await button(page, 'Save mine over it').click();
  // The dialog showed the text too.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('Mine', { exact: true }).waitFor();

  // Changes of other fields are both kept, without a question.
  await other.reload();
  for (const tab of [page, other]) {
    await button(tab, 'Edit').click();
    await tab.getByText(/^Description, order/).click();
  }
  await other.getByLabel('Requests at the same time').fill('3');
  await other.getByLabel('Seconds before each retry').fill('60, 600');
  await other.getByLabel('Longest attempt, in seconds').fill('20');
  await button(other, 'Save the endpoint').click();
  await other.getByText('3 at the same time').waitFor();
  // W68
  await other.getByText('After 60, 600 seconds').waitFor();
  await other.getByText('20 seconds', { exact: true }).waitFor();
  await page.getByLabel('Description', { exact: true }).fill('Mine again');
  await button(page, 'Save the endpoint').click();
  await page.getByText('Mine again', { exact: true }).waitFor();
  await page.getByText('3 at the same time').waitFor();

  await button(page, `Actions of ${url}`).click();
  await page.getByRole('menuitem', { name: 'Delete the endpoint' }).click();
  await page.getByText(`Delete the endpoint ${url}?`).waitFor();
  await button(page, 'Delete the endpoint').click();
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
  await expect.poll(() => rows(page, 'Endpoints').filter({ hasText: url }).count()).toBe(0);
});

it('B34: without a receiver of its own, an endpoint sends to the sandbox receiver, which shows that the request verified', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('endpoints?create=yes'));
  await button(page, 'Use the sandbox receiver').click();
  await page.getByText('keeps the last 50 requests').waitFor();
  await button(page, 'Create the endpoint').click();
  await button(page, 'Send a test event').click();
  await rows(page, 'Received requests').filter({ hasText: 'Verified' }).waitFor();
});

it('B34: what failed in a period is replayed, and its progress is shown', async () => {
  const page = await stage().openAs('owner');
  await show(page, within(`endpoints/${stage().world.endpoints.failing}`));
  await button(page, 'Replay a period…').click();
  await button(page, 'Send the failed deliveries again').click();
  await page.getByText('The replay is done').waitFor();
});

it('B36: a viewer is offered nothing that they may not do', async () => {
  const page = await stage().openAs('viewer');
  for (const path of [
    'endpoints',
    `endpoints/${stage().world.endpoints.failing}`,
    'deliveries?status=failed',
  ]) {
    await show(page, within(path));
    await page.getByRole('table').first().waitFor();
    const offered =
      /^(Create an endpoint|Pause|Resume|Resume…|Send .* now…|Edit|Send a test event|Actions of .*|Replay.*)$/;
    expect([path, await page.getByRole('button', { name: offered }).count()]).toEqual([path, 0]);
    expect(await page.getByRole('checkbox').count()).toBe(0);
  }
});

it('B35: a captured request is verified from its text, and a wrong URL is named', async () => {
  const page = await stage().openAs('viewer');
  const { partner, delivery, failingUrl } = stage().world;
  const path = `/partners/${partner}/deliveries/${delivery}/attempts/1`;
  const { request } = succeed(await stage().service.request('GET', path)) as unknown as {
    request: { method: string; url: string; headers: { name: string; value: string }[]; body: string };
  };
  const head = request.headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
  await show(page, within('verify'));
  await page.getByLabel('Captured request').fill(`POST /hooks HTTP/1.1\n${head}\n\n${request.body}\n`);
  await page.getByLabel('URL of the endpoint').fill(`${failingUrl}/`);
  await button(page, 'Verify the request').click();
  await page.getByText('Concord signed it for another URL').waitFor();
  await page.getByLabel('URL of the endpoint').fill(failingUrl);
  await button(page, 'Verify the request').click();
  await page.getByText('The request verifies').waitFor();
  await page.getByLabel('URL of the endpoint').fill('');
  await page.getByLabel('Captured request').fill(JSON.stringify({ request }));
  await button(page, 'Verify the request').click();
  await page.getByText('The request verifies').waitFor();
  const marked = { ...request, body: `\ufeff${request.body}` };
  await page.getByLabel('Captured request').fill(JSON.stringify({ request: marked }));
  await button(page, 'Verify the request').click();
  await page.getByText('The request does not verify').waitFor();
  await page.getByLabel('Captured request').fill('hello');
  await button(page, 'Verify the request').click();
  await page.getByText('The first line must be like POST').waitFor();
});

it('B33: ten thousand deliveries are paged, sorted and filtered by the server', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.empty}`;
  const url = stage().receiver.url();
  const endpoint = succeed(await service.request('POST', `${path}/webhook-endpoints`, { body: { url } })) as {
    id: string;
  };
  succeed(await service.request('POST', `${path}/webhook-endpoints/${endpoint.id}/pause`));
  for (let batch = 0; batch < 10; batch++) {
    const events = Array.from({ length: 1_000 }, (_, n) => ({
      type: 'inventory.updated',
      data: { sku: `${batch}-${n}`, quantity: n },
    }));
    succeed(await service.request('POST', `${path}/events/batch`, { body: events }));
  }
  const page = await stage().openAs('owner');
  const requests = recordRequests(page);
  const lists = () => requests.take().filter((one) => one.endsWith('/deliveries')).length;
  await show(page, `/p/${world.empty}/webhooks/deliveries`);
  const table = rows(page, 'Deliveries');
  await table.first().waitFor();
  const newest = await table.first().innerText();
  expect([await table.count(), lists()]).toEqual([50, 1]);
  await button(page, 'Next page').click();
  await expect.poll(() => table.first().innerText()).not.toBe(newest);
  expect([await table.count(), lists()]).toEqual([50, 1]);
  await button(page, 'Published').click();
  await page.waitForURL(/sort_dir=asc/);
  await expect.poll(lists).toBe(1);
  // An index has the failed ones (W35). A search can take several pages.
  await page.getByLabel('Status').selectOption('Failed');
  await page.getByText('Nothing matches these filters.').waitFor();
  expect(lists()).toBe(1);
});

it('B36: a page that is open for long stays far within the window of requests', async () => {
  const page = await stage().openAs('owner');
  await page.clock.install();
  const requests = recordRequests(page);
  await show(page, within(`endpoints/${stage().world.endpoints.failing}`));
  await rows(page, 'Recent deliveries').first().waitFor();
  requests.take();
  // Each second waits for its answers, because the client's time limits run on the same clock.
  for (let second = 0; second < 60; second++) {
    await page.clock.runFor(1_000);
    await expect.poll(requests.underWay).toBe(0);
  }
  const seen = requests.take();
  expect(seen.length).toBeGreaterThanOrEqual(6);
  // The window is 100 requests in 10 seconds. Other pages and programs of the person need it too.
  expect(seen.length).toBeLessThan(60);
});

it('H12: without an endpoint, the quickstart shows the command line that forwards to this computer', async () => {
  const page = await stage().openAs('owner');
  const { partner } = stage().world;
  const { origin } = stage();
  await show(page, within('quickstart'));
  await page.getByRole('heading', { name: 'The command line', exact: true }).waitFor();
  const text = (await page.locator('main').textContent()) ?? '';
  for (const part of [
    `npm install --global ${origin}/packages/cli.tgz`,
    `concord login --url ${origin} --partner ${partner}`,
    'concord listen --forward-to http://localhost:8080/',
    `url: "http://localhost:8080/"`,
    `${origin}/sandbox/.well-known/jwks.json`,
  ])
    expect(text).toContain(part);
});

it('H12: the quickstart has a receiver in each language, with the addresses of the chosen endpoint filled in', async () => {
  const page = await stage().openAs('owner');
  const { partner, endpoints, failingUrl } = stage().world;
  await show(page, within(`quickstart?endpoint=${endpoints.failing}`));
  const receiver = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'The receiver', exact: true }) });
  const choice = receiver.getByLabel('Language or framework');
  const languages = await choice.locator('option').allTextContents();
  const others = ['Python', 'PHP', 'Ruby', 'Go', 'Java', 'Rust', 'C#'];
  const inNode = ['Node', 'Express', 'Fastify', 'Hono', 'Next.js', 'NestJS'];
  expect(languages).toEqual([
    'Node',
    'Deno, no package',
    ...others,
    ...inNode.slice(1),
    ...['FastAPI', 'Django', 'Flask', 'axum', 'Spring'],
  ]);
  for (const language of languages) {
    await choice.selectOption({ label: language });
    // The page names the language when it shows its receiver.
    await expect.poll(() => choice.locator('option:checked').textContent()).toBe(language);
    const text = (await receiver.textContent()) ?? '';
    expect(text).not.toMatch(/environ|process\.env|getenv|env::var/);
    if (!inNode.includes(language)) expect(text).toContain('@target-uri');
    else expect(text).toContain(`npm install ${stage().origin}/packages/webhook-receiver.tgz`);
    for (const part of [failingUrl, partner, `${stage().origin}/.well-known/jwks.json`])
      expect(text).toContain(part);
  }
});

it('W77: from an endpoint to its checkpoint, the signed statement and the deliveries', async () => {
  const page = await stage().openAs('owner');
  await show(page, stage().world.checkpoint.replace(/\/checkpoints\/.*/, ''));
  await page.getByText('Every 60 minutes').waitFor();
  await rows(page, 'Checkpoints').getByRole('link').click();
  await page.getByRole('heading', { name: 'Checkpoint', exact: true }).waitFor();
  await button(page, 'Copy: JWS').waitFor();
  await expect.poll(() => rows(page, 'Deliveries').count()).toBe(3);
  await rows(page, 'Deliveries').first().getByRole('link').first().click();
  await page.getByRole('heading', { name: 'inventory.updated' }).waitFor();
});
