// A page stays open while Concord is upgraded or restarted: files that it has not loaded yet are gone, or
// cannot be reached.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

/**
 * Opens the people of a partner. From then on, files of the console that the page does not have are gone,
 * until the page is loaded again.
 */
async function openOldPage({ forGood = false } = {}): Promise<{ page: Page; loads: () => number }> {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.context().route('**/console/assets/**', (route) => {
    if (loads > 0 && !forGood) return route.continue();
    return /webhooks|endpoints-page|search-dialog/.test(route.request().url())
      ? route.fulfill({ status: 404 })
      : route.continue();
  });
  return { page, loads: () => loads };
}

it('B49: loads the page again, once, when its files are those of another version', async () => {
  const { page, loads } = await openOldPage();
  await page.getByRole('link', { name: 'Endpoints' }).click();
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
  expect(loads()).toBe(1);
});

it('B49: a dialog that cannot be loaded leads to a new page, too', async () => {
  const { page, loads } = await openOldPage();
  // The old page has the same heading.
  const loaded = page.waitForEvent('load');
  await page.keyboard.press('Control+k');
  await loaded;
  await page.getByRole('heading', { name: 'People' }).waitFor();
  expect(loads()).toBe(1);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor({ state: 'attached' });
});

it('B49: a file that stays missing is told, and does not load the page again and again', async () => {
  const { page, loads } = await openOldPage({ forGood: true });
  await page.getByRole('link', { name: 'Endpoints' }).click();
  await expect.poll(loads).toBe(1);
  await page.getByText('A part of the console could not be loaded.').waitFor();
  await page.waitForLoadState('networkidle');
  expect(loads()).toBe(1);
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(loads).toBe(2);
});

it('B48: a page that was never opened before is shown when Concord answers again', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Endpoints' }).click();
  await page.getByText('Concord does not answer.').waitFor();
  // The page goes on by itself. Without Concord, reloading it would lose it.
  expect(await page.getByRole('button', { name: 'Reload' }).count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
});

it('B49: a page whose first script does not load says so after a while, and keeps the rest of its address', async () => {
  const page = await stage().newPage();
  stage().watchOf(page).expectOutage();
  await page.route('**/console/assets/*.js', (route) => route.abort());
  await page.goto('/console/verify#token=a');
  const note = page.getByText('The console has not loaded. Reload this page.');
  expect(await note.isVisible()).toBe(false);
  await page.evaluate('for (const each of document.getAnimations()) each.finish()');
  expect(await note.isVisible()).toBe(true);
  await page.unroute('**/console/assets/*.js');
  await page.reload();
  await page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
});
