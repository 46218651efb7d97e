// The search, and what operators do on the platform's pages.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { parseId } from '../../../server/src/base/ids.ts';
import { builtInEventTypes } from '../../../server/src/webhooks/catalogue/built-in.ts';
import { succeed } from '../../../server/test/stage/cast.ts';
import { findBarriers } from './barriers.ts';
import { screens, show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

async function openSearch(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).waitFor();
}

async function choose(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${row}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

it('B37: the search finds a delivery by its id, out of a pasted line of a log, with the keyboard alone', async () => {
  const { world } = stage();
  const page = await stage().openAs('operator');
  await show(page, '/admin');
  for (const pasted of [world.delivery, `{"level":50,"delivery":"${world.delivery}","msg":"failed"}`]) {
    await openSearch(page);
    await page.keyboard.insertText(pasted);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/p/${world.partner}/webhooks/deliveries/${world.delivery}`);
    await page.goBack();
    await page.waitForURL('**/console/admin');
  }
});

it('B37: an e-mail address finds the person and their account; the arrows choose, and nothing is kept', async () => {
  const { people } = stage().world;
  const page = await stage().openAs('operator');
  await show(page, '/');
  await openSearch(page);
  await page.keyboard.insertText('z');
  await page.getByText('Type at least two characters.').waitFor();
  await page.keyboard.press('Backspace');
  await page.keyboard.insertText('no such thing');
  await page.getByText('Nothing that you can see matches').waitFor();
  await page.getByRole('combobox').fill(people.owner.email);
  const user = page.getByRole('group', { name: 'Users' }).getByRole('option', { name: people.owner.email });
  await user.waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  while ((await user.getAttribute('aria-selected')) !== 'true') await page.keyboard.press('ArrowDown');
  expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
    await user.getAttribute('id'),
  );
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: people.owner.name }).waitFor();
  expect(await page.evaluate('localStorage.length')).toBe(0);
  await openSearch(page);
  expect(await page.getByRole('combobox').inputValue()).toBe('');
});

it('B37: the search leads to the pages of the rail, those of the open partner too, and to those of the account', async () => {
  const { partner } = stage().world;
  const page = await stage().openAs('owner');
  const found = async (text: string) => {
    await openSearch(page);
    await page.keyboard.insertText(text);
    await page.getByText(/^(\d+ results?|Nothing that)/).waitFor();
    return page.getByRole('group', { name: 'Pages' }).getByRole('option').allInnerTexts();
  };
  await show(page, '/account');
  const tabs = await page.getByRole('navigation', { name: 'Your account' }).getByRole('link').allInnerTexts();
  expect(tabs).toContain('Sign-in');
  expect(await found('deliveries')).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await found('your acc')).toEqual(
    tabs.map((name) => expect.stringMatching(RegExp(`^${name}\\s+Your account$`))),
  );
  await show(page, `/p/${partner}`);
  expect(await found('deliveries')).toEqual([expect.stringMatching(/^Deliveries\s+Webhooks$/)]);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/p/${partner}/webhooks/deliveries`);
});

it("B38: the platform's pages open for operators only, and nobody else is offered them", async () => {
  const page = await stage().openAs('owner');
  const paths = screens.map(({ path }) => path(stage().world)).filter((path) => path.startsWith('/admin'));
  expect(paths.length).toBeGreaterThan(6);
  for (const path of paths) {
    await show(page, path);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('For operators only');
  }
  expect(await page.getByRole('navigation', { name: 'Main' }).innerText()).not.toContain('Platform');
  await openSearch(page);
  await page.keyboard.insertText('signing');
  await page.getByText('Nothing that you can see matches').waitFor();
});

it('B39: a partner is created and deleted, which says what stops, and is restored', async () => {
  const page = await stage().openAs('operator');
  await show(page, '/admin/partners');
  await page.getByRole('button', { name: 'Create a partner' }).click();
  await page.getByLabel('Name').last().fill('Fjord Ferries');
  await page.getByRole('button', { name: 'Create the partner' }).click();
  await page.waitForURL('**/console/p/ptr_*');
  await show(page, '/admin/partners?name=Nordlys');
  await choose(page, 'Nordlys Energi AS', 'Delete the partner');
  await page
    .getByText(/3 endpoints stop receiving at once\. \d+ people, programs and invitations lose access/)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();

  await show(page, '/admin/partners?name=Fjord');
  await choose(page, 'Fjord Ferries', 'Delete the partner');
  await page.getByRole('button', { name: 'Delete Fjord Ferries' }).click();
  await page.getByText('Nothing matches these filters.').waitFor();
  await page.getByRole('link', { name: 'Deleted' }).click();
  await page.getByRole('button', { name: 'Restore Fjord Ferries' }).click();
  await page.getByText('No partner was deleted in the last 30 days.').waitFor();
});

it('B40, B66: a ban that leaves a partner without an owner is refused, and offered again with what follows', async () => {
  const { people } = stage().world;
  const { email } = people.owner;
  const page = await stage().openAs('operator');
  await show(page, '/admin/users?email=ingrid');
  await choose(page, email, 'Ban');
  await page.getByLabel('Reason').fill('Shared a password');
  await page.getByLabel('Ends').fill('2020-05-01T12:00');
  const ban = page.getByRole('button', { name: 'Ban the user' });
  await ban.click();
  await page.getByText('This time has passed.').waitFor();
  await page.getByLabel('Ends').fill('');
  await ban.click();
  await page
    .getByText(/This is the last owner of the partner/)
    .first()
    .waitFor();
  expect(await findBarriers(page, 'dark')).toEqual([]);
  await page.getByLabel('Leave the partner without an owner').check();
  await ban.click();
  await page.getByRole('cell', { name: 'Banned' }).waitFor();

  await page.getByRole('link', { name: email }).click();
  await page.getByText('Shared a password').waitFor();
  await page.getByRole('button', { name: 'Lift the ban' }).click();
  await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
  expect(await page.getByText('Shared a password').count()).toBe(0);
});

it('B40: an operator cannot ban, demote or delete themselves', async () => {
  const page = await stage().openAs('operator');
  const { email } = stage().world.people.operator;
  await show(page, `/admin/users?email=${email}`);
  await page.getByRole('button', { name: `Actions of ${email}` }).click();
  for (const action of ['Make a user', 'Ban', 'Delete'])
    expect(await page.getByRole('menuitem', { name: action }).getAttribute('aria-disabled')).toBe('true');
});

it('B41: a schema is checked before it is saved: its JSON, its example, and past events', async () => {
  const { world, service } = stage();
  const page = await stage().openAs('operator');
  await show(page, '/admin/event-types');
  await page.getByRole('button', { name: 'Create an event type' }).click();
  await page.getByLabel('Name').fill('parcel.shipped');
  await page.getByRole('button', { name: 'Write its schema' }).click();
  await page.getByLabel('Description').fill('A parcel has left the warehouse.');
  const schema = page.getByLabel('Schema of the data');
  const create = page.getByRole('button', { name: 'Create the event type' });
  await schema.fill('{\n  "type": "object"\n  "required": []\n}');
  await page.getByText(/^Line 3, column 3: /).waitFor();
  await schema.fill('{\n  "properties": {\n    "id": { "type": "integer" }\n  }\n}');
  await create.click();
  await page.getByText('Line 2: id must be an integer').waitFor();
  await schema.fill('{ "properties": { "id": { "type": "string" } } }');
  await create.click();
  await page.getByText('parcel.shipped is saved').waitFor();

  const body = { type: 'parcel.shipped', data: { id: 'a' } };
  const { id } = succeed(await service.request('POST', `/partners/${world.partner}/events`, { body }));
  await schema.fill('{ "properties": { "id": { "type": "string", "minLength": 2 } } }');
  await page.getByRole('button', { name: 'Check against past events' }).click();
  await page.getByText('The last 1 event was checked. 1 of them does not fit this schema.').waitFor();
  await page.getByRole('link', { name: id }).waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  const save = page.getByRole('button', { name: 'Save the event type' });
  await save.click();
  await page.getByText(`refuses ${id}: `).waitFor();
  await page.getByLabel('Save it although past events do not fit, or endpoints lose it').check();
  // The first save said the same, so the answer says that this one is done.
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await save.click();
  expect((await saved).status()).toBe(200);
  const types = succeed(await service.request('GET', '/event-types')) as { name: string; schema: object }[];
  expect(types.find(({ name }) => name === 'parcel.shipped')?.schema).toMatchObject({
    properties: { id: { minLength: 2 } },
  });
});

it('B41, W73, W74: a type is made private, deprecated and archived in its form, and keeps the time of its deprecation', async () => {
  const { world, service } = stage();
  const page = await stage().openAs('operator');
  const at = '2027-01-31T08:15:30.250Z';
  const content = { description: 'd', schema: {}, example: {} };
  const put = (name: string, body: object) =>
    service.request('PUT', `/event-types/${name}`, { body: { ...content, ...body } });
  succeed(await put('parcel.old', { deprecated: { at, successor: 'inventory.updated' } }));
  await show(page, '/admin/event-types/parcel.old');
  await page.getByLabel('Only some partners see it').check();
  await page.getByLabel('Ids of these partners').fill(world.partner);
  await page.getByLabel('Archived').check();
  await page.getByRole('button', { name: 'Save the event type' }).click();
  await page.getByText('parcel.old is saved').waitFor();
  const type = succeed(await service.request('GET', '/event-types/parcel.old'));
  expect(type).toMatchObject({
    partner_ids: [world.partner],
    deprecated: { at, successor: 'inventory.updated' },
    archived_at: expect.any(String),
  });
  await show(page, '/admin/event-types');
  await page.getByText('Own, private, deprecated, archived').waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  succeed(await put('parcel.old', { archived: false }));
  await show(page, `/p/${world.partner}/webhooks/event-types`);
  await page.getByText(/^Deprecated from .*, use inventory.updated$/).waitFor();
});

it('B29: the form of an event type waits for the whole list, and saves only what was changed', async () => {
  const { service } = stage();
  const schema = { properties: { weight: { type: 'integer' } } };
  const put = async (body: object) => succeed(await service.put('/event-types/parcel.weighed', body));
  await put({ description: 'd', schema, example: { weight: 1 } });
  const page = await stage().openAs('operator');
  const archived = page.waitForResponse('**/console/api/event-types?filter*');
  await page.route('**/console/api/event-types', async (route) => {
    await (await archived).finished();
    // The page has shown what it makes of the archived types alone.
    await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
    await route.continue();
  });
  await show(page, '/admin/event-types/parcel.weighed');
  await page.getByLabel('Description').fill('The weight of a parcel.');
  await page.getByRole('button', { name: 'Save the event type' }).click();
  await page.getByText('parcel.weighed is saved').waitFor();
  const read = async () => succeed(await service.get('/event-types/parcel.weighed'));
  expect(await read()).toMatchObject({
    description: 'The weight of a parcel.',
    schema,
    example: { weight: 1 },
  });

  const wider = { properties: { weight: { type: 'number' } } };
  await page.unroute('**/console/api/event-types');
  await page.getByLabel('Description').fill('Mine');
  let replacements = 0;
  await page.route('**/console/api/event-types/parcel.weighed*', async (route) => {
    // After the form has read the type again.
    if (route.request().method() === 'PUT' && ++replacements === 1)
      await put({ description: 'Theirs', schema: wider, example: { weight: 2 } });
    await route.continue();
  });
  await page.getByRole('button', { name: 'Save the event type' }).click();
  await page.getByText('Somebody else changed this event type').waitFor();
  expect(await page.getByRole('row', { name: 'Description Mine Theirs' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Save mine over it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect
    .poll(() => page.getByLabel('Example').inputValue())
    .toBe(JSON.stringify({ weight: 2 }, null, 2));
  expect(await read()).toMatchObject({ description: 'Mine', schema: wider, example: { weight: 2 } });
});

it('B41, W75: an import shows its plan first, and applies it', async () => {
  const { service } = stage();
  const page = await stage().openAs('operator');
  await show(page, '/admin/event-types');
  await page.getByRole('button', { name: 'Import' }).click();
  const content = { 'application/json': { schema: {}, example: {} } };
  const webhooks = {
    'parcel.imported': { post: { description: 'd', requestBody: { content } } },
    'inventory.updated': { post: { requestBody: { content } } },
  };
  await page.getByLabel('Document').fill(JSON.stringify({ openapi: '3.1.0', webhooks }));
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('Refused: is built in').waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  expect((await service.request('GET', '/event-types/parcel.imported')).status).toBe(404);
  await page.getByRole('button', { name: 'Apply the plan' }).click();
  await page.getByText('The types are imported').waitFor();
  succeed(await service.request('GET', '/event-types/parcel.imported'));
});

it('B41: the built-in event types cannot be edited', async () => {
  const page = await stage().openAs('operator');
  for (const { name } of builtInEventTypes) {
    await show(page, `/admin/event-types/${name}`);
    await page.getByText('Receivers rely on the built-in types').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  }
});

it('B42, W58: a rotation says from when the next key signs, and a revocation what receivers still trust', async () => {
  const page = await stage().openAs('operator');
  await show(page, '/admin/signing-keys');
  await page.getByRole('img', { name: 'The live keys over time. The table below says the same.' }).waitFor();
  await page.getByRole('button', { name: 'Rotate the live key' }).click();
  await page.getByText(/^The next key signs from .* By then it has been published for 48 hours/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the live key' }).click();
  await page.getByText(/^The next live key signs from /).waitFor();

  const rows = page.getByRole('region', { name: 'Sandbox keys' }).getByRole('row');
  const signing = rows.filter({ hasText: 'Signing' });
  await page.getByRole('button', { name: 'Rotate the sandbox key' }).click();
  await page.getByRole('checkbox', { name: 'Sign with the next key at once' }).check();
  await page.getByText('The next key signs at once.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate the sandbox key' }).click();
  await page.getByText(/^The next sandbox key signs from /).waitFor();
  await signing.getByRole('button', { name: /^Actions of/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke the key' }).click();
  await page.getByText('Receivers keep the published keys for up to an hour').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
  await rows.filter({ hasText: 'Revoked' }).waitFor();
  await signing.waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
});

it('O28: what a restored backup held is shown with both choices, and each asks for confirmation', async () => {
  const { world, service } = stage();
  const { sql } = service.database;
  const page = await stage().openAs('operator');
  const [held] = await Promise.all([
    page.waitForResponse('**/console/api/platform/held-deliveries'),
    show(page, '/admin'),
  ]);
  await held.finished();
  // The page has shown what it makes of the answer.
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
  expect(await page.getByText('This installation was restored from a backup').count()).toBe(0);
  // As a restore leaves it, with the sessions of this test.
  await sql('begin');
  await sql('create temp table kept on commit drop as select * from auth.session');
  await sql(
    `update delivery set status = 'pending', next_attempt_at = concord_now(), completed_at = null where id = (select id from delivery where partner_id = $1 limit 1)`,
    [parseId('partner', world.partner)],
  );
  await sql('select finish_restore(concord_now())');
  await sql('insert into auth.session select * from kept');
  await sql('commit');
  await show(page, '/admin');
  await page
    .getByText('They are held, because nobody can know which of them were sent since then.')
    .waitFor();
  expect(await findBarriers(page, 'light')).toEqual([]);
  await page.getByRole('button', { name: 'Send them' }).click();
  await page.getByText('Receivers get a webhook a second time if it was sent after the backup.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Mark them failed' }).click();
  await page.getByText('You can replay the deliveries later.').waitFor();
  expect(await findBarriers(page, 'dark')).toEqual([]);
  if (process.env.PICTURE) await page.screenshot({ path: process.env.PICTURE });
  await page.getByRole('button', { name: 'Mark what is held as failed' }).click();
  await page.getByText('What was held is being marked as failed').waitFor();
  await expect
    .poll(async () => (await sql(`select from attempt where error like 'restored: %'`)).length)
    .toBeGreaterThan(0);
  await page.getByText('This installation was restored from a backup').waitFor({ state: 'detached' });
});

it('T27: operators see the device of a session, and since when, also in a narrow window', async () => {
  await stage().openAs('owner');
  const page = await stage().openAs('operator', { viewport: { width: 390, height: 800 } });
  await show(page, `/admin/users/${stage().world.people.owner.id}`);
  const rows = page.getByRole('region', { name: 'Sessions' }).getByRole('row');
  const session = rows.filter({ hasText: 'Chrome on Linux' }).first();
  expect(await session.locator('time').first().isVisible()).toBe(true);
});
