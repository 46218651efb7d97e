// What people type into forms: it is checked before it is sent, asked about before it is lost, and kept when
// the session ends.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fillSignIn } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage({ CONCORD_WEBHOOK_RETENTION: '14d' });
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const get = async (path: string) => (await stage().service.request('GET', path)).body;

it('B65: a profile that looks wrong is warned about, can be saved all the same, and the page says what was kept', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/profile`);
  await page.getByLabel('Website').fill('nordlys');
  await button(page, 'Save the business').click();
  await page.getByText('A website begins with https://').waitFor();
  expect((await get(`/partners/${world.partner}`)).website).toBeNull();
  // Another text is looked at again.
  await page.getByLabel('Website').fill('nordlys.');
  await button(page, 'Save the business').click();
  await button(page, 'Save anyway').waitFor();
  await page.getByLabel('Website').fill('nordlys');
  await button(page, 'Save the business').click();
  await button(page, 'Save anyway').click();
  await page.getByText('The profile is saved.').waitFor();
  await button(page, 'Save the business').waitFor();
  expect((await get(`/partners/${world.partner}`)).website).toBe('nordlys');
  await page.getByLabel('Latitude').fill('059.90');
  await button(page, 'Save the location').click();
  await page.getByText('The profile is saved, with Latitude as 59.9.').waitFor();
});

it('B23: in each dialog the button that cancels stands before the one that does it', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  const lastButtons = async () => (await dialog(page).getByRole('button').allInnerTexts()).slice(-2);
  await show(page, `/p/${world.partner}/webhooks/endpoints/${world.endpoints.healthy}`);
  await button(page, 'Edit').click();
  await expect.poll(lastButtons).toEqual(['Cancel', 'Save the endpoint']);
  await button(page, 'Cancel').click();
  await button(page, /^Actions of /).click();
  await page.getByRole('menuitem', { name: 'Delete the endpoint' }).click();
  await expect.poll(lastButtons).toEqual(['Cancel', 'Delete the endpoint']);
});

it('B66: an end that has passed is refused before anybody is invited', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await button(page, 'Invite people').click();
  await dialog(page).getByLabel('E-mail address').fill('too.late@nordlys.example');
  await dialog(page).getByLabel('Access ends').fill('2020-05-01T12:00');
  await button(page, 'Send the invitation').click();
  await dialog(page).getByText('This time has passed.').waitFor();
  expect(await get(`/partners/${world.partner}/agreements?filter[email]=too.late`)).toEqual([]);
});

it('B67, B68: several people are invited at once, each with a result and a link without a token', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner', { permissions: ['clipboard-read', 'clipboard-write'] });
  await show(page, `/p/${world.partner}/people`);
  await button(page, 'Invite people').click();
  await dialog(page).getByText('This invitation grants nothing').waitFor();
  await dialog(page)
    .getByText('List and create events')
    .or(dialog(page).getByText('Create and list events'))
    .first()
    .waitFor();
  await dialog(page)
    .getByRole('checkbox', { name: /^Warehouse integrations/ })
    .check();
  await dialog(page).getByText('This invitation grants nothing').waitFor({ state: 'detached' });
  await dialog(page)
    .getByLabel('E-mail address')
    .fill('one@nordlys.example, two@nordlys.example\nnobody ONE@nordlys.example');
  await button(page, 'Send the invitation').click();
  // Nothing is sent before all addresses look like addresses.
  await dialog(page).getByText('nobody is not an e-mail address. Correct or remove it.').waitFor();
  await dialog(page)
    .getByLabel('E-mail address')
    .fill('one@nordlys.example, two@nordlys.example\nnobody@a..b ONE@nordlys.example');
  await button(page, 'Send the invitation').click();
  await page.getByRole('heading', { name: '2 people are invited' }).waitFor();
  await dialog(page)
    .getByText(/^They can accept until /)
    .waitFor();
  await dialog(page)
    .getByRole('row', { name: /^nobody/ })
    .getByText('must be an e-mail address')
    .waitFor();
  await dialog(page).getByRole('button', { name: 'Copy the link' }).first().click();
  const [agreement] = await get(`/partners/${world.partner}/agreements?filter[email]=one@nordlys.example`);
  expect(agreement.acl_permission_group_ids).toEqual([world.group]);
  const link = `${stage().origin}/console/invitations/${agreement.id}`;
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(link);
  await dialog(page).getByRole('button', { name: 'Correct the other addresses' }).click();
  expect(await dialog(page).getByLabel('E-mail address').inputValue()).toBe('nobody@a..b');
  const stranger = await stage().newPage();
  await stranger.goto(link);
  await stranger.getByRole('link', { name: 'sign in with the invited address' }).waitFor();
});

it('B34: a fault of its URL leaves the other settings of an endpoint folded, and one of theirs opens them', async () => {
  const page = await stage().openAs('owner');
  await show(page, `/p/${stage().world.partner}/webhooks/endpoints?create=yes`);
  const headers = page.getByLabel('Headers', { exact: true });
  const create = async (url: string) => {
    await page.getByLabel('URL', { exact: true }).fill(url);
    await button(page, 'Create the endpoint').click();
  };
  await create('http://10.0.0.1/');
  await page.getByText('must not be an address in a private').waitFor();
  expect(await headers.isVisible()).toBe(false);
  const settings = page.getByText('Description, order, limits');
  await settings.click();
  await headers.fill('Host: a');
  await settings.click();
  await create(stage().receiver.url());
  await headers.waitFor();
});

it('B69: a page with a changed form asks before it is left, and not for a filter', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/profile`);
  const phone = page.getByLabel('Phone', { exact: true });
  await phone.fill('+47 22 00 00 00');
  const people = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'People' });
  await people.click();
  await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor();
  await button(page, 'Stay on the page').click();
  expect(await phone.inputValue()).toBe('+47 22 00 00 00');
  await people.click();
  await button(page, 'Leave without saving').click();
  await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Invitations' }).click();
  await page.waitForURL('**/people?state=pending');
});

it('what is typed for the first program of a partner stays when somebody else creates one meanwhile', async () => {
  const { request } = stage().service;
  const { id } = (await request('POST', '/partners', { body: { name: 'Beginners' } })).body;
  const page = await stage().openAs('operator');
  await show(page, `/p/${id}/service-accounts`);
  await button(page, 'Create a service account').click();
  await dialog(page).getByLabel('Name').fill('Label printer');
  await request('POST', `/partners/${id}/service-accounts`, { body: { name: 'Stock export' } });
  await expect
    .poll(async () => {
      // As when the person comes back to the tab.
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      return page.getByText('Stock export', { exact: true }).count();
    })
    .toBe(1);
  expect(await dialog(page).getByLabel('Name').inputValue({ timeout: 5_000 })).toBe('Label printer');
});

it('B70: what was typed survives a session that ends, for the same person, and no password does', async () => {
  const { world, service } = stage();
  const page = await stage().newPage();
  await stage().signIn(page, world.people.owner.email);
  await show(page, `/p/${world.partner}/profile`);
  await page.getByLabel('Description').fill('Typed for an hour');
  await service.database.sql(
    'delete from auth.session where id = (select id from auth.session where user_id = $1 order by created_at desc limit 1)',
    [world.people.owner.id],
  );
  await button(page, 'Save the business').click();
  await page.waitForURL('**/sign-in?return=*');
  await page.getByText('What you typed is kept.').waitFor();
  await fillSignIn(page, world.people.owner.email, password);
  await page.getByText('What you typed before you signed in again is here.').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('Typed for an hour');
  await button(page, 'Save the business').click();
  await page.getByText('The profile is saved.').waitFor();
  expect((await get(`/partners/${world.partner}`)).description).toBe('Typed for an hour');
  expect(
    await page.evaluate<string[]>(
      "Object.keys(sessionStorage).filter((key) => key.startsWith('concord.draft'))",
    ),
  ).toEqual([]);
});

it('B70: the code of a program is not kept in the tab', async () => {
  const { world, service } = stage();
  const page = await stage().newPage();
  await stage().signIn(page, world.people.viewer.email);
  await show(page, '/device');
  await page.getByLabel('Code').fill('BCDF-GHJK');
  await service.database.sql('delete from auth.session where user_id = $1', [world.people.viewer.id]);
  await button(page, 'Continue').click();
  await page.waitForURL('**/sign-in?return=*');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('BCDF');
});

it('B71: groups of the rail fold and stay so, the account is in sight, and the partner stays chosen on pages of the platform', async () => {
  const { world } = stage();
  const page = await stage().openAs('operator');
  await show(page, `/p/${world.partner}`);
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'System' }).click();
  await page.getByRole('heading', { name: 'System' }).waitFor();
  await rail.getByRole('button', { name: 'Nordlys Energi AS' }).waitFor();
  const box = await rail.getByRole('button', { name: 'Sign out' }).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(800);
  // A long address is cut.
  expect(await rail.getByTitle(world.people.operator.email).count()).toBe(1);
  await rail.getByText('Webhooks', { exact: true }).click();
  await rail.getByRole('link', { name: 'Quickstart' }).waitFor({ state: 'hidden' });
  await page.reload();
  await rail.getByText('Webhooks', { exact: true }).waitFor();
  expect(await rail.getByRole('link', { name: 'Quickstart' }).isVisible()).toBe(false);
});

it('B71, B30: the rail offers no page that would be refused', async () => {
  const { world } = stage();
  const page = await stage().openAs('member without permissions');
  await show(page, `/p/${world.partner}`);
  const rail = page.getByRole('navigation', { name: 'Main' });
  await rail.getByRole('link', { name: 'Verify a request' }).waitFor();
  expect(await rail.getByRole('link', { name: 'Quickstart' }).count()).toBe(0);
});

it('B72: pages name the retention of the setting', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  for (const path of ['events', 'deliveries']) {
    await show(page, `/p/${world.partner}/webhooks/${path}`);
    await page.getByText('The last 14 days are kept.').waitFor();
  }
});

it('B73, T29: a dead link to set a new password says so before a password is typed', async () => {
  const page = await stage().newPage();
  await page.goto(`/console/reset#token=${'x'.repeat(32)}`);
  await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor();
  expect(await page.getByLabel('New password').count()).toBe(0);
});
