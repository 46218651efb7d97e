// The pages of a partner as its people use them.
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { acl, succeed } from '../../../server/test/stage/cast.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const get = async (path: string) => succeed(await stage().service.request('GET', path));

it('invites a person with groups and an end, sends the invitation again, and revokes it', async () => {
  const { world, mailbox } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people?state=pending`);
  await button(page, 'Invite people').first().click();
  const email = 'new.colleague@nordlys.example';
  await dialog(page).getByLabel('E-mail address').fill(email);
  await dialog(page)
    .getByRole('checkbox', { name: /^Warehouse integrations/ })
    .check();
  await dialog(page).getByLabel('Access ends').fill('2031-05-01T12:00');
  await dialog(page).getByLabel('Require a second factor').check();
  await button(page, 'Send the invitation').click();
  await page.getByText(`${email} is invited.`).waitFor();
  const [agreement] = await get(`/partners/${world.partner}/agreements?filter[email]=${email}`);
  expect(agreement).toMatchObject({
    accepted: false,
    owner: false,
    mfa_required: true,
    acl_permission_group_ids: [world.group],
  });
  expect(agreement.expires_at).toMatch(/^2031-0(4-30|5-01)T/);

  await button(page, `Actions of ${email}`).click();
  await page.getByRole('menuitem', { name: 'Send the invitation again' }).click();
  await page.getByText(`Sent again to ${email}.`).waitFor();
  for (let mail = 0; mail < 2; mail++) await mailbox.next(email);

  await button(page, `Actions of ${email}`).click();
  await page.getByRole('menuitem', { name: 'Revoke the invitation' }).click();
  await dialog(page).getByText(`Revoke the invitation of ${email}?`).waitFor();
  await dialog(page).getByRole('button', { name: 'Revoke the invitation' }).click();
  await page.getByText(`The invitation of ${email} is revoked.`).waitFor();
  expect(await get(`/partners/${world.partner}/agreements?filter[email]=${email}`)).toEqual([]);
});

it('B26: an invitation whose terms could not be set says so, and sets them when asked again', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await button(page, 'Invite people').click();
  const email = 'half@nordlys.example';
  await dialog(page).getByLabel('E-mail address').fill(email);
  await dialog(page)
    .getByRole('checkbox', { name: /^Viewer/ })
    .check();
  // The second of the two requests fails once.
  let failures = 1;
  await page.route('**/agreements/agr_*', async (route) => {
    if (route.request().method() !== 'PATCH' || failures === 0) return route.fallback();
    failures -= 1;
    const error = {
      code: 'forbidden',
      message: 'You cannot grant permissions that you do not hold.',
      request_id: 'r',
    };
    return route.fulfill({ status: 403, json: error });
  });
  await button(page, 'Send the invitation').click();
  await dialog(page).getByText('You cannot grant permissions that you do not hold.').waitFor();
  const path = `/partners/${world.partner}/agreements?filter[email]=${email}`;
  expect(await get(path)).toMatchObject([{ acl_permission_group_ids: [] }]);
  await button(page, 'Set the groups and terms again').click();
  await page.getByText(`${email} is invited.`).waitFor();
  expect(await get(path)).toMatchObject([{ acl_permission_groups: [{ name: 'Viewer' }] }]);
});

it('B27: a cell of the matrix says which grant gives it, or why nothing does', async () => {
  const { world } = stage();
  const page = await stage().openAs('viewer');
  await show(page, `/p/${world.partner}/people/${world.agreements.viewer}`);
  await button(page, 'Deliveries: list, allowed. Why?').click();
  await page.getByText('Deliveries: list is allowed. A group grants it: Viewer.').waitFor();
  // By keyboard: Tab enters the matrix once, and the arrow keys move in it.
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page
    .getByText('Deliveries: create is not allowed. Neither the agreement nor one of its groups grants it.')
    .waitFor();
  await show(page, `/p/${world.partner}/people/${world.agreements.owner}`);
  await button(page, 'Audit log: read, allowed. Why?').click();
  await page.getByText('Audit log: read is allowed. Owners may do everything.').waitFor();
});

it('B28: before the access of a person is saved, the page says what is gained and lost', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people/${world.agreements.powerless}`);
  await button(page, 'Change the access').click();
  await dialog(page).getByText('Nothing is gained or lost.').waitFor();
  await dialog(page)
    .getByRole('checkbox', { name: /^Warehouse integrations/ })
    .check();
  await dialog(page).getByRole('checkbox', { name: 'Deliveries: read' }).check();
  const changes = dialog(page).getByRole('group', { name: 'What this changes' });
  expect(await changes.innerText()).toMatch(/Gained\s*Events: list, create; Deliveries: read$/);
  await button(page, 'Save the access').click();
  await page
    .getByText(`The agreement of ${world.people['member without permissions'].name} is saved.`)
    .waitFor();
  const path = `/partners/${world.partner}/agreements/${world.agreements.powerless}`;
  expect(await get(path)).toMatchObject({
    acl_permission_group_ids: [world.group],
    acl_permissions: [acl('deliveries', 'get')],
  });
  const reset = { acl_permission_group_ids: [], acl_permissions: [] };
  succeed(await stage().service.request('PATCH', path, { body: reset }));
});

it('B28: the preview of a group says what changes for whom, and saving follows it; by the keyboard alone', async () => {
  const { world, service } = stage();
  const name = 'Night shift';
  const group = succeed(
    await service.request('POST', `/partners/${world.partner}/acl-permission-groups`, {
      body: { name, acl_permissions: [acl('events', 'get')] },
    }),
  ).id;
  const path = `/partners/${world.partner}/agreements/${world.agreements.powerless}`;
  succeed(await service.request('PATCH', path, { body: { acl_permission_group_ids: [group] } }));
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/groups`);
  const { keyboard } = page;

  await tabTo(page, 'link', name);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name, exact: true }).waitFor();
  await page
    .getByRole('link', { name: world.people['member without permissions'].name, exact: true })
    .waitFor();
  await tabTo(page, 'button', 'Change what it grants');
  await keyboard.press('Enter');
  await expect
    .poll(() => page.locator('section:focus').getAttribute('aria-label'))
    .toBe('Change what it grants');
  await tabTo(page, 'checkbox', 'Everything: read');
  await reach(page, 'checkbox', 'Events: read', 'ArrowDown');
  await keyboard.press('Space');
  await keyboard.press('ArrowRight');
  await keyboard.press('Space');
  await tabTo(page, 'button', 'Preview the change');
  await keyboard.press('Enter');
  await dialog(page).getByText('1 agreement uses the group. The access changes for 1.').waitFor();
  const row = dialog(page).getByRole('row').nth(1);
  expect(await row.innerText()).toMatch(/Jo\s+Gained\s*Events: list\s+Lost\s*Events: read/);
  const before = await get(`/partners/${world.partner}/acl-permission-groups/${group}`);
  expect(before.acl_permissions).toEqual([acl('events', 'get')]);
  await tabTo(page, 'button', 'Save the group');
  await keyboard.press('Enter');
  await page.getByText(`The group ${name} is saved.`).waitFor();
  const after = await get(`/partners/${world.partner}/acl-permission-groups/${group}`);
  expect(after.acl_permissions).toEqual([acl('events', 'query')]);

  await tabTo(page, 'button', 'Delete');
  await keyboard.press('Enter');
  await dialog(page).getByText('1 agreement that uses it loses what it grants').waitFor();
  await tabTo(page, 'button', 'Delete the group and take it from everybody');
  await keyboard.press('Enter');
  await page.getByText(`The group ${name} is deleted.`).waitFor();
  expect(await get(path)).toMatchObject({ acl_permission_group_ids: [] });
});

it('B29: of two tabs that edit the partner, the second is asked, and loses nothing', async () => {
  const { world } = stage();
  const [first, second] = [await stage().openAs('owner'), await stage().openAs('owner')];
  for (const page of [first, second]) await show(page, `/p/${world.partner}/profile`);
  await second.getByLabel('Description').fill('Second');
  await second.getByLabel('Website').fill('https://nordlys.example');
  await first.getByLabel('Description').fill('First');
  await first.getByLabel('City').fill('Bergen');
  await button(first, 'Save the business').click();
  await first.getByText('The profile is saved.').waitFor();

  await button(second, 'Save the business').click();
  await dialog(second).getByText('Somebody else changed the partner').waitFor();
  expect(await dialog(second).getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/Field\s+Yours\s+Theirs/),
    expect.stringMatching(/^Description\s+Second\s+First$/),
  ]);
  // Who closes the question has chosen nothing.
  await second.keyboard.press('Escape');
  await second.getByText('Nothing is saved yet: somebody else changed the partner.').waitFor();
  expect(await second.getByLabel('Description').inputValue()).toBe('Second');
  await button(second, 'Save the business').click();
  await button(second, 'Take theirs').click();
  await second.getByText('The profile is saved, with Description as First.').waitFor();
  await expect.poll(() => second.getByLabel('Description').inputValue()).toBe('First');
  expect((await get(`/partners/${world.partner}`)).website).toBe('https://nordlys.example');

  await first.getByLabel('Description').fill('First again');
  await second.getByLabel('Description').fill('Second again');
  await button(first, 'Save the business').click();
  await expect.poll(async () => (await get(`/partners/${world.partner}`)).description).toBe('First again');
  await button(second, 'Save the business').click();
  await button(second, 'Save mine over it').click();
  await second.getByText('The profile is saved.').waitFor();

  // What only one of them changed is saved without a question: the city was typed before all this.
  await button(first, 'Save the billing details').click();
  await expect
    .poll(async () => (await get(`/partners/${world.partner}`)).billing_address.city)
    .toBe('Bergen');
  expect(await get(`/partners/${world.partner}`)).toMatchObject({ description: 'Second again' });
});

it('B30: a viewer is offered nothing that they may not do, and no request is denied', async () => {
  const { world } = stage();
  const page = await stage().openAs('viewer');
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  const offers = /^(Invite|Create|Change|Rename|Delete|Remove|Make|Save|Revoke|Send|Export|End the)\b/;
  const { partner, agreements, group } = world;
  const below = [
    '',
    '/profile',
    '/people',
    '/people?state=pending',
    `/people/${agreements.owner}`,
    '/groups',
    `/groups/${group}`,
  ];
  for (const path of [...below, '/service-accounts', '/audit']) {
    await show(page, `/p/${partner}${path}`);
    await page.waitForLoadState('networkidle');
    expect([path, await page.locator('main').getByRole('button', { name: offers }).allInnerTexts()]).toEqual([
      path,
      [],
    ]);
    const menus = page.getByRole('button', { name: /^Actions of/ });
    // People may always leave.
    const own = path === '/people' ? 1 : 0;
    expect([path, await menus.count()]).toEqual([path, own]);
    if (own === 0) continue;
    await menus.click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Leave this partner']);
  }
  expect(refused).toEqual([]);
});

it('refuses to end the ownership of the last owner, in words', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people/${world.agreements.owner}`);
  await button(page, 'End the ownership').click();
  await dialog(page).getByRole('button', { name: 'End the ownership' }).click();
  await dialog(page).getByText('This is the last owner.').waitFor();
});

it('creates a service account and a token that is shown once, and revokes it', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/service-accounts`);
  await button(page, 'Create a service account').click();
  await dialog(page).getByLabel('Name').fill('Label printer');
  await dialog(page).getByRole('button', { name: 'Create the service account' }).click();
  await page.getByRole('heading', { name: 'Label printer' }).waitFor();
  await button(page, 'Create an access token').click();
  await dialog(page).getByLabel('Name').fill('Printer in Bergen');
  await dialog(page).getByRole('checkbox', { name: 'Events: list' }).check();
  await dialog(page).getByRole('button', { name: 'Create the token' }).click();
  await dialog(page).getByText('It is shown only now.').waitFor();
  const token = await dialog(page).locator('pre').innerText();
  expect(token).toMatch(/^\S{30,}$/);
  await button(page, 'I have saved it').click();
  await button(page, 'Actions of Printer in Bergen').waitFor();
  expect(await page.content()).not.toContain(token);
  await button(page, 'Actions of Printer in Bergen').click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await dialog(page).getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('Label printer has no token').waitFor();
});

it('B37: Ctrl-K opens the search in a narrow window, also from its menu', async () => {
  const page = await stage().openAs('owner', { viewport: { width: 600, height: 800 } });
  const search = page.getByRole('combobox', { name: 'Search' });
  await show(page, '/');
  await page.keyboard.press('Control+k');
  await expect.poll(() => search.isVisible()).toBe(true);
  await page.keyboard.press('Escape');
  await button(page, 'Menu').click();
  await page.keyboard.press('Control+k');
  await expect.poll(() => search.count()).toBe(1);
});

it('another page closes the menu of a narrow window, and going back does not open it again', async () => {
  const { partner } = stage().world;
  const page = await stage().openAs('owner', { viewport: { width: 600, height: 800 } });
  await show(page, `/p/${partner}/people`);
  await button(page, 'Menu').click();
  await dialog(page).getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
  expect(await dialog(page).count()).toBe(0);
  await page.goBack();
  await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
  expect(await dialog(page).count()).toBe(0);
});

it('filters the audit log, and exports what matches', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/audit`);
  await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Created an endpoint' });
  await page.waitForURL('**/audit?action=webhook_endpoint.create');
  await expect.poll(() => page.getByRole('row').count()).toBe(4);
  await button(page, 'Export').click();
  await button(page, 'Read the records').click();
  await dialog(page).getByText('3 records.').waitFor();
  const waiting = page.waitForEvent('download');
  await dialog(page).getByRole('link', { name: 'Download CSV' }).click();
  const csv = await text(await (await waiting).createReadStream());
  expect(csv.split('\r\n')[0]).toContain('at,action,outcome,actor_kind');
  expect(csv.match(/,webhook_endpoint\.create,done,/g)).toHaveLength(3);
  await page.keyboard.press('Escape');
  expect(csv.split('\r\n')[0]).toContain('actor_name,actor_email');
  await page.getByRole('link', { name: 'Created an endpoint' }).first().click();
  await page.getByRole('row', { name: /^max_concurrency\s+–\s+8$/ }).waitFor();
});

it('2,000 people are read in pages, sorted and filtered by the server', async () => {
  const { world, service } = stage();
  const { partner } = world;
  // In the database at once: the API allows 50 invitations an hour.
  await service.database.sql(
    `insert into agreement (id, partner_id, email, email_key, owner)
     select gen_random_uuid(), known.partner_id, address, address, false
       from agreement as known, generate_series(1, 2000) as n, concat('crowd', n, '@nordlys.example') as address
      where known.email = $1`,
    [world.people.invitee.email],
  );
  const page = await stage().openAs('owner');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (
      new URL(request.url()).pathname.endsWith('/agreements') &&
      request.url().includes('filter%5Bstate%5D')
    )
      asked.push(request.url());
  });
  await show(page, `/p/${partner}/people?state=pending`);
  await page.getByText(/^2,00\d in all$/).waitFor();
  expect(await page.getByRole('row').count()).toBe(51);
  await button(page, 'Next page').click();
  await page.waitForURL('**page_from=**');
  await button(page, 'First page').click();
  await button(page, 'Invited').click();
  await page.waitForURL('**sort_dir=asc**');
  await page.getByLabel('E-mail address').pressSequentially('crowd1999');
  // Not a part of `2,001 in all`.
  await page.getByText('1 in all', { exact: true }).waitFor();
  expect(await page.getByRole('row').count()).toBe(2);
  await page.waitForLoadState('networkidle');
  // One for each view, and none for letters in between.
  expect(asked.length).toBeLessThanOrEqual(5);
});

/** Presses Tab until the element has the focus. */
const tabTo = (page: Page, role: Role, name: string) => reach(page, role, name, 'Tab');

type Role = 'link' | 'button' | 'checkbox';
async function reach(page: Page, role: Role, name: string, key: 'Tab' | 'ArrowDown'): Promise<void> {
  const target = page.getByRole(role, { name, exact: true }).first();
  await target.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${role} ${name}`);
}

it('B46: high contrast keeps where one is, and the colours of states', async () => {
  const page = await stage().openAs('owner', { forcedColors: 'active' });
  await show(page, `/p/${stage().world.partner}/webhooks/endpoints`);
  // The rail offers a section when it has read what the person may do.
  await page.locator('nav [aria-current="page"]').waitFor();
  const outline = `getComputedStyle(document.querySelector('nav [aria-current="page"]')).outlineStyle`;
  expect(await page.evaluate(outline)).toBe('solid');
  await page.locator('tbody').getByText('Failing', { exact: true }).first().waitFor();
  const dots = `[...document.querySelectorAll('tbody [class*="dot"]')].map((dot) => getComputedStyle(dot).backgroundColor)`;
  expect(new Set(await page.evaluate<string[]>(dots)).size).toBe(3);
});
