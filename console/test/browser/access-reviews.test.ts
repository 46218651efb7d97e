// Access reviews, as owners turn them on, decide, and keep the result.
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { findBarriers } from './barriers.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B81: an owner turns reviews on, and a review opens', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/access-reviews`);
  await page.getByText('No review has been opened.').waitFor();
  await page.getByRole('button', { name: 'Turn on reviews' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('A review opens every').fill('20');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('half of interval_days').waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  await form.getByLabel('A review opens every').fill('30');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Every 30 days').waitFor();
  await page.getByRole('cell', { name: 'Open' }).waitFor();
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('cell', { name: 'Closed' }).waitFor();
});

it('B29, B81: reviews that another owner turned off come on again only if the person says so', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.long}/access-review-policy`;
  const set = async (body: object) => succeed(await service.put(path, body));
  await set({ interval_days: 60, warning_days: 7 });
  const page = await stage().openAs('owner');
  const dialog = page.getByRole('dialog');
  await show(page, `/p/${world.long}/access-reviews`);
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('Days until the warning').fill('8');
  await set({ interval_days: null });
  await page.getByText('Off', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(succeed(await service.get(path))).toMatchObject({ interval_days: null, warning_days: 8 });

  await set({ interval_days: 60 });
  await page.getByText('Every 60 days').waitFor();
  await page.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('A review opens every').fill('30');
  await set({ interval_days: null });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: 'A review opens every 30 days Off' }).waitFor();
  await page.getByRole('button', { name: 'Take theirs' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(succeed(await service.get(path)).interval_days).toBeNull();
});

it('B81: an owner confirms many agreements, ends one, sees the progress, and downloads the document', async () => {
  const { world } = stage();
  const { viewer, 'member without permissions': powerless, owner } = world.people;
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/access-reviews`);
  const progress = page.getByText(/^1 of \d+$/);
  await progress.waitFor();
  const total = Number((await progress.textContent())?.split(' ').at(-1));
  await page.getByRole('table').getByRole('link').click();
  // Somebody has confirmed the viewer: what is left to decide is shown.
  const row = page.getByRole('row', { name: powerless.email });
  await row.waitFor();
  expect(await page.getByRole('row', { name: viewer.email }).count()).toBe(0);

  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'End the access…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the access' }).click();
  await page.getByText(`2 of ${total}`).waitFor();
  // What is decided leads to its agreement, and cannot be selected.
  await page.getByLabel('Decision').selectOption('');
  const decided = page.getByRole('row', { name: powerless.email });
  await decided.getByRole('link').waitFor();
  expect(await decided.getByRole('checkbox').count()).toBe(0);
  expect(await decided.getByRole('link').getAttribute('href')).toContain(world.agreements.powerless);
  await page.getByLabel('Select all on this page').check();
  expect(await findBarriers(page, 'light')).toEqual([]);
  await page.getByRole('button', { name: /^Confirm \d+ selected$/ }).click();
  await page.getByText(`${total - 2} agreements are confirmed.`).waitFor();
  await page.getByText('Closed').first().waitFor();
  await page.getByText(`${total} of ${total}`).waitFor();

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the document' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^access-review-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await text(await file.createReadStream())).split('\r\n');
  expect(lines).toHaveLength(total + 2);
  expect(lines.find((line) => line.includes(powerless.email))).toMatch(
    new RegExp(`,ended,[^,]+,${owner.name},`),
  );
});
