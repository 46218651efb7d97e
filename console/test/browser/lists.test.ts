// Lists that can be scanned: what rows say, and the filters with the same words.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const within = (path: string): string => `/p/${stage().world.partner}/${path}`;
const rows = (page: Page, table: string) => page.getByRole('region', { name: table }).locator('tbody tr');
const choose = (page: Page, label: string, option: string) =>
  page.getByLabel(label, { exact: true }).selectOption({ label: option });

it('B57: the row of a delivery has its state, its endpoint and its answer, also in a narrow window', async () => {
  const page = await stage().openAs('owner');
  const { failingUrl } = stage().world;
  await show(page, within('webhooks/deliveries'));
  const words = ['Delivered', 'Failed', 'Waiting'];
  for (const [word, answer] of [
    ['Failed', '500'],
    ['Delivered', '204'],
    ['Waiting', '–'],
  ] as const) {
    await choose(page, 'Status', word);
    const first = rows(page, 'Deliveries').first();
    await first.getByText(word, { exact: true }).waitFor();
    // Every row has the word of the filter, and no other, as soon as the list before it is gone.
    for (const other of words.filter((each) => each !== word))
      await expect.poll(() => rows(page, 'Deliveries').getByText(other, { exact: true }).count()).toBe(0);
    await first.getByText(answer, { exact: true }).first().waitFor();
  }
  await choose(page, 'Status', 'Failed');
  await page.setViewportSize({ width: 400, height: 800 });
  const row = rows(page, 'Deliveries').first();
  await row.getByText('500', { exact: true }).waitFor();
  const endpoint = row.getByRole('link', { name: failingUrl });
  await endpoint.waitFor();
  // The end of the URL is there, whatever is cut.
  const cut = endpoint.locator('span > span').last();
  expect([
    await cut.textContent(),
    await cut.evaluate((end) => end.scrollWidth <= end.clientWidth + 1),
  ]).toEqual([failingUrl.slice(-12), true]);
  // It is inside its cell, and the answer is in the window.
  const rightOf = async (found: Locator) => {
    const box = await found.boundingBox();
    return box === null ? Number.NaN : box.x + box.width;
  };
  expect(await rightOf(cut)).toBeLessThanOrEqual((await rightOf(endpoint)) + 1);
  expect(await rightOf(row.getByText('500', { exact: true }))).toBeLessThanOrEqual(400);
});

it('B57: the number of failed attempts leads to deliveries with a failed attempt', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}`);
  await page.getByRole('link', { name: 'Deliveries with a failed attempt' }).click();
  await rows(page, 'Deliveries').first().getByText('500', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('attempt_outcome')).toBe('failed');
});

it('B57: endpoints are found by the word of their row, and by a text', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/endpoints'));
  await choose(page, 'Status', 'Failing');
  await expect.poll(() => rows(page, 'Endpoints').count()).toBe(1);
  await rows(page, 'Endpoints').getByRole('link', { name: stage().world.failingUrl }).waitFor();
  await choose(page, 'Status', 'Any status');
  await page.getByLabel('Find').fill('bergen');
  await expect.poll(() => rows(page, 'Endpoints').count()).toBe(1);
  await rows(page, 'Endpoints').getByText('Warehouse in Bergen').waitFor();
});

it('B57: a text that is typed with a pause after a space keeps the space', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/endpoints'));
  const find = page.getByLabel('Find');
  await find.pressSequentially('Warehouse in ');
  await page.waitForURL((url) => url.search.endsWith('in'));
  await find.pressSequentially('Bergen');
  await page.waitForURL((url) => url.search.endsWith('Bergen'));
  expect(await find.inputValue()).toBe('Warehouse in Bergen');
  await rows(page, 'Endpoints').getByText('Warehouse in Bergen').waitFor();
});

it('B57: letters that are typed while a filter is applied stay', async () => {
  const page = await stage().openAs('owner');
  // The first of them comes when the URL has the filter already, and the list not yet.
  await page.addInitScript(`{
    const replace = history.replaceState;
    history.replaceState = function (...entry) {
      replace.apply(this, entry);
      const find = document.querySelector('input[name=text]');
      if (find?.value !== 'Warehouse') return;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(find, 'Warehouse in');
      find.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }`);
  await show(page, within('webhooks/endpoints'));
  const find = page.getByLabel('Find');
  await find.fill('Warehouse');
  await page.waitForURL((url) => url.search.endsWith('in'));
  expect(await find.inputValue()).toBe('Warehouse in');
});

it('B33, B57: all columns that the deliveries have at a width are in sight', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries'));
  await rows(page, 'Deliveries').first().waitFor();
  const box = page.getByRole('region', { name: 'Deliveries' });
  const hidden: number[] = [];
  for (const width of [1280, 1024, 900, 768, 390]) {
    await page.setViewportSize({ width, height: 800 });
    if (await box.evaluate((table) => table.scrollWidth > table.clientWidth)) hidden.push(width);
  }
  expect(hidden).toEqual([]);
});

it('B46: what a signing key means is never cut', async () => {
  const page = await stage().openAs('operator');
  await show(page, '/admin/signing-keys');
  const box = page.getByRole('region', { name: 'Live keys' });
  const cut: number[] = [];
  for (const width of [1280, 1024, 768]) {
    await page.setViewportSize({ width, height: 800 });
    if (await box.evaluate((table) => table.scrollWidth > table.clientWidth)) cut.push(width);
  }
  expect(cut).toEqual([]);
});

it('B46: the menu of a row is in sight, also where the table is too wide for the window', async () => {
  const page = await stage().openAs('operator');
  await show(page, '/admin/users');
  const menu = rows(page, 'Users')
    .first()
    .getByRole('button', { name: /^Actions/ });
  for (const width of [1280, 1024, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const box = await menu.boundingBox();
    expect([width, (box?.x ?? Number.NaN) + (box?.width ?? 0) <= width]).toEqual([width, true]);
  }
});

it('B46: a button of a list that goes away when it is pressed leaves the focus in the list', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries?event_id=evt_0'));
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  const focused = () => page.locator('main search :focus, main button:focus').allTextContents();
  await press('Clear the filters');
  await rows(page, 'Deliveries').first().waitFor();
  expect(await focused()).toHaveLength(1);
  await press('More filters');
  await page.getByLabel('Failure').waitFor();
  expect(await focused()).toEqual(['Fewer filters']);
  await choose(page, 'Status', 'Delivered');
  await press('Clear');
  await page.getByRole('button', { name: 'Clear' }).waitFor({ state: 'detached' });
  expect(await focused()).toHaveLength(1);
  await page.locator('button:not([aria-disabled])', { hasText: 'Next page' }).waitFor();
  await press('Next page');
  await page.waitForURL(/page_from=/);
  await press('First page');
  await page.waitForURL((url) => !url.search.includes('page_from='));
  await page.locator('button[disabled], button[aria-disabled]', { hasText: 'First page' }).waitFor();
  expect(await focused()).toEqual(['First page']);
});

it('B57: in a narrow window members have their access, events their type and time, and deliveries their time', async () => {
  const page = await stage().openAs('owner', { viewport: { width: 390, height: 800 } });
  await show(page, within('people'));
  await rows(page, 'Members').getByText('Owner', { exact: true }).waitFor();
  await show(page, within('webhooks/events'));
  const [link, time] = [
    rows(page, 'Events').first().getByRole('link'),
    rows(page, 'Events').first().locator('time'),
  ];
  const box = await time.boundingBox();
  expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await link.filter({ hasText: 'inventory.updated' }).click();
  await page.waitForURL(/events\/evt_/);
  await show(page, within(`webhooks/endpoints/${stage().world.endpoints.healthy}`));
  expect(await rows(page, 'Recent deliveries').first().locator('time').isVisible()).toBe(true);
});

it('B57: the head of a long list stays in sight, and hides no row that has the focus', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries'));
  for (const [width, below] of [
    [1280, 0],
    [360, 48],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await rows(page, 'Deliveries').nth(49).getByRole('link').first().focus();
    const head = page.getByRole('columnheader', { name: 'Status' });
    const box = await head.boundingBox();
    expect([width, box?.y]).toEqual([width, below]);
    // Backwards, as Shift and Tab do: each row that gets the focus stands below the head.
    const link = rows(page, 'Deliveries').nth(20).getByRole('link').first();
    await link.focus();
    expect((await link.boundingBox())?.y).toBeGreaterThanOrEqual(below + (box?.height ?? Number.NaN));
  }
});

it('B57: the head of a list that is too wide for the window covers no row', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('groups'));
  await page.setViewportSize({ width: 320, height: 740 });
  const table = page.getByRole('region', { name: 'Groups' });
  await expect
    .poll(() => table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth))
    .toBe(true);
  const head = await table.getByRole('columnheader').first().boundingBox();
  const row = await rows(page, 'Groups').first().boundingBox();
  expect(row?.y).toBeGreaterThanOrEqual((head?.y ?? Number.NaN) + (head?.height ?? Number.NaN));
});

it('B54: choosing a delivery moves no row', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries?state=delivered'));
  const row = rows(page, 'Deliveries').first();
  await row.waitFor();
  await page.getByRole('button', { name: /^Replay .*…$/ }).waitFor();
  const before = await row.boundingBox();
  await row.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Replay 1 delivery', exact: true }).waitFor();
  expect((await row.boundingBox())?.y).toBe(before?.y);
});

it('B57: endpoints of one host are told apart by the end of their URLs', async () => {
  const { service, world } = stage();
  const host = 'https://hooks.a-host-with-a-long-name.example.com/tenants/4711/concord/webhooks';
  for (const path of ['orders', 'stock']) {
    const body = { url: `${host}/${path}`, environment: 'sandbox' };
    await service.request('POST', `/partners/${world.partner}/webhook-endpoints`, { body });
  }
  const page = await stage().openAs('owner', { viewport: { width: 400, height: 800 } });
  await show(page, within('webhooks/endpoints?environment=sandbox'));
  for (const path of ['orders', 'stock']) {
    const link = rows(page, 'Endpoints').getByRole('link', { name: `${host}/${path}` });
    const end = link.locator('span > span').last();
    expect([
      await end.textContent(),
      await end.evaluate((shown) => shown.scrollWidth <= shown.clientWidth + 1),
    ]).toEqual([`${host}/${path}`.slice(-12), true]);
  }
});

it('B33: the filters of the time name the time zone of their times', async () => {
  const page = await stage().openAs('owner', { timezoneId: 'America/New_York' });
  await show(page, within('webhooks/deliveries'));
  await choose(page, 'Published', 'From … to …');
  await page.getByLabel('Published from (America/New_York)').waitFor();
  await page.getByLabel('Published before (America/New_York)').waitFor();
});

it('B33: the next page is one of the chosen list, and not of the one that is still shown', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries'));
  const next = page.getByRole('button', { name: 'Next page' });
  await next.waitFor();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/deliveries?*sort_dir=asc*', async (route) => {
    await promise;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Published' }).click();
  await page.waitForURL(/sort_dir=asc/);
  await next.press('Enter');
  resolve();
  await page.locator('button:not([aria-disabled])', { hasText: 'Next page' }).waitFor();
  expect(new URL(page.url()).searchParams.get('page_from')).toBeNull();
});

it('B33: an empty list has no filters', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.empty}/webhooks/endpoints`);
  await page.getByText('This partner has no endpoint yet').waitFor();
  const create = page.getByRole('button', { name: 'Create an endpoint' });
  await create.first().waitFor();
  expect(await create.count()).toBe(1);
  expect(await page.getByRole('search').count()).toBe(0);
  // Filters that find nothing stay.
  await show(page, `/p/${stage().world.partner}/webhooks/endpoints?text=nothing`);
  await page.getByText('Nothing matches these filters.').waitFor();
  await page.getByRole('search').waitFor();
});

it('B46: at 360 px the fields of a time cut nothing', async () => {
  const page = await stage().openAs('owner', { viewport: { width: 360, height: 740 } });
  await show(page, within('audit'));
  const fields = await page.getByRole('search').locator('input[type="datetime-local"]').all();
  expect(fields).toHaveLength(2);
  // A day, a time and the button of the calendar.
  for (const field of fields) expect((await field.boundingBox())?.width).toBeGreaterThan(200);
});

it('B33: a year of five digits cannot be typed into the filter of the time', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries'));
  await choose(page, 'Published', 'From … to …');
  await page.getByLabel('Published from').pressSequentially('020220261011AM');
  await page.waitForURL(/created_at=2026-02-0/);
});

it('B33: a link with a status and a link with a state have one filter for it', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/deliveries?status=pending'));
  const filter = page.getByLabel('Status', { exact: true });
  expect(await filter.inputValue()).toBe('pending');
  expect(await page.getByLabel('Pending or ended').count()).toBe(0);
  await rows(page, 'Deliveries').first().getByText('Waiting', { exact: true }).waitFor();
  await choose(page, 'Status', 'Failed');
  await page.waitForURL((url) => url.search === '?state=failed');
  await rows(page, 'Deliveries').first().getByText('Failed', { exact: true }).waitFor();
  await choose(page, 'Status', 'Pending (all)');
  await page.waitForURL((url) => url.search === '?status=pending');
});

it('B46: beside the rail, the list of endpoints cuts no time, whatever event types an endpoint has', async () => {
  const { partner } = stage().world;
  const body = {
    url: stage().receiver.url(),
    environment: 'sandbox',
    description: 'Has event types',
    event_types: ['order.status_changed', 'inventory.updated'],
  };
  await stage().service.request('POST', `/partners/${partner}/webhook-endpoints`, { body });
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/endpoints'));
  const row = rows(page, 'Endpoints').filter({ hasText: body.description });
  await row.getByText('Sandbox').waitFor();
  await row.getByText('and 1 more').waitFor();
  const overflow = (box: { scrollWidth: number; clientWidth: number }) => box.scrollWidth - box.clientWidth;
  expect(await page.getByRole('region', { name: 'Endpoints' }).evaluate(overflow)).toBe(0);
});

it('B57, B58: an event is found by a text of its data, and its data has colours', async () => {
  const page = await stage().openAs('owner');
  await show(page, within('webhooks/events'));
  await page.getByLabel('Text in the data').fill('nx-42');
  await expect.poll(() => rows(page, 'Events').count()).toBe(1);
  await rows(page, 'Events').getByRole('link').first().click();
  const data = page.getByRole('region', { name: 'Data of the event' });
  for (const text of ['"sku"', '"NX-42"']) await data.getByText(text, { exact: true }).waitFor();
  /** In the page's own words: the tests have no types of a browser. */
  const colours = `['[class*=jsonName]', '[class*=jsonText]', 'figure code'].map((each) => getComputedStyle(document.querySelector(each)).color)`;
  const [name = '', text = '', plain] = await page.evaluate<string[]>(colours);
  expect(new Set([name, text, plain]).size).toBe(3);
  /** The last number of `oklch(0.45 0.15 262)`. */
  const hueOf = (colour: string): number => Number(/([\d.]+)\)$/.exec(colour)?.[1]);
  expect(Math.abs(hueOf(name) - hueOf(text))).toBeGreaterThan(90);
});

it('B57: Ctrl-K finds event types, and events by their text', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}`);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('order.status');
  await page.getByRole('option', { name: /order\.status_changed/ }).waitFor();
  await page.getByRole('combobox', { name: 'Search' }).fill('NX-17');
  await page.getByText('Events with this text').waitFor();
  await page.getByRole('option', { name: /inventory\.updated/ }).click();
  await page.waitForURL(/\/webhooks\/events\/evt_/);
  await page.getByText('"NX-17"', { exact: true }).waitFor();
});
