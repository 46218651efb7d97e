// A partner requires the sign-in with its identity provider: the policy, the refusal with its ways in, and break glass.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { parseId } from '../../../server/src/base/ids.ts';
import { succeed } from '../../../server/test/stage/cast.ts';
import { findBarriers } from './barriers.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const sql = (text: string, values: unknown[] = []) => stage().service.database.sql(text, values);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const policy = async () =>
  succeed(await stage().service.request('GET', `/partners/${stage().world.partner}/sign-in-policy`));

/** The sessions of the owner have been at the provider. */
const prove = () =>
  sql(
    `insert into session_proof (session_id, partner_id, connection_id, proved_at, subject)
     select session.id, connection.partner_id, connection.id, concord_now(), 'ingrid'
     from auth.session, identity_connection connection where user_id = $1 and connection.partner_id = $2
     on conflict (session_id, partner_id) do nothing`,
    [stage().world.people.owner.id, parseId('partner', stage().world.partner)],
  );
async function endProofs(): Promise<void> {
  await sql('delete from session_proof');
  await sql('delete from break_glass');
}
/** They have a second factor, and have proven it: without the trigger that ends the sessions. */
async function giveSecondFactor(): Promise<void> {
  const { id } = stage().world.people.owner;
  const trigger = (state: string) => sql(`alter table auth."user" ${state} trigger second_factor_changed`);
  await trigger('disable');
  await sql('update auth."user" set two_factor_enabled = true where id = $1', [id]);
  await trigger('enable');
  await sql('update auth.session set mfa_verified_at = now() where user_id = $1', [id]);
}

it('B82, K16: an owner is told what follows, proves the sign-in, and requires it of everybody', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/single-sign-on`);
  expect(await page.getByRole('heading', { name: 'Required sign-in' }).count()).toBe(0);
  await sql('update identity_connection set enabled = false');
  await show(page, `/p/${world.partner}/single-sign-on`);
  await press(page, 'Change');
  await dialog(page).getByText('Turn a connection on first').waitFor();
  expect(await dialog(page).getByLabel('Everybody must sign in').isDisabled()).toBe(true);

  await sql('update identity_connection set enabled = true');
  await show(page, `/p/${world.partner}/single-sign-on`);
  await page.getByText('Nobody', { exact: true }).waitFor();
  await press(page, 'Change');
  await dialog(page).getByLabel('Everybody must sign in').check();
  await dialog(page).getByText('Access tokens of people do not work here any more.').waitFor();
  await dialog(page).getByText('Service accounts and their tokens work as before.').waitFor();
  await dialog(page).getByLabel('A sign-in counts for').selectOption('1 day');
  await dialog(page).getByLabel('Ingrid Solheim').check();
  expect(await findBarriers(page, 'light')).toEqual([]);
  await press(page, 'Save');
  await dialog(page).getByText('Your own session must have signed in').waitFor();
  await dialog(page).getByRole('button', { name: 'Sign in with the identity provider' }).waitFor();
  await prove();
  await press(page, 'Save');
  await page.getByText('The sign-in policy is saved.').waitFor();
  await page.getByText('Everybody', { exact: true }).waitFor();
  expect(await policy()).toEqual({
    sso_required: true,
    max_age_seconds: 86_400,
    sso_required_agreement_ids: [],
    break_glass_agreement_ids: [world.agreements.owner],
  });
});

it('B82, K17: without the proof the page says so, and an owner who is named uses break glass', async () => {
  const { world, mailbox } = stage();
  await endProofs();
  const people = `/p/${world.partner}/people`;
  const refusal = 'Nordlys Energi AS requires a sign-in with its identity provider';
  const viewer = await stage().openAs('viewer');
  await show(viewer, people);
  await viewer.getByText(refusal).waitFor();
  await viewer.getByRole('button', { name: 'Sign in with the identity provider' }).waitFor();
  expect(await viewer.getByRole('button', { name: /break glass/ }).count()).toBe(0);

  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}`);
  await page.getByText('This is closed until you have signed in').first().waitFor();
  await show(page, people);
  await page.getByText(refusal).waitFor();
  expect(await page.getByRole('button', { name: 'Sign in with the identity provider' }).count()).toBe(1);
  await press(page, 'Use break glass…');
  await dialog(page).getByRole('link', { name: 'Set up the second factor' }).waitFor();
  await giveSecondFactor();
  await show(page, people);
  await press(page, 'Use break glass…');
  await dialog(page).getByText('All owners get a mail').waitFor();
  await dialog(page).getByLabel('What happened').fill('The provider is away.');
  expect(await findBarriers(page, 'light')).toEqual([]);
  await press(page, 'Use break glass');
  await page.getByText('You work without the identity provider until').waitFor();
  await page.getByRole('link', { name: 'Stock exporter' }).waitFor();
  expect(await page.getByText(refusal).count()).toBe(0);
  const mail = await mailbox.next(world.people.owner.email, 'Break glass was used at Nordlys Energi AS');
  expect(mail.text).toContain('The provider is away.');
  await show(page, `/p/${world.partner}/single-sign-on`);
  await page.getByRole('link', { name: 'See who used break glass' }).click();
  await page.getByRole('row', { name: /Used break glass/ }).waitFor();
});

it('B82, K10: a change whose proof has ended asks for it, and goes on; one agreement can require it', async () => {
  const { world } = stage();
  await giveSecondFactor();
  const page = await stage().openAs('owner');
  await endProofs();
  await prove();
  await show(page, `/p/${world.partner}/single-sign-on`);
  await press(page, 'Change');
  await dialog(page).getByLabel('Everybody must sign in').uncheck();
  await press(page, 'Save');
  await page.getByText('Nobody', { exact: true }).waitFor();

  await show(page, `/p/${world.partner}/people/${world.agreements.viewer}`);
  await press(page, 'Change the terms');
  await dialog(page).getByLabel('Require a sign-in with the identity provider').check();
  await endProofs();
  await press(page, 'Save the terms');
  await dialog(page).getByText('Your own session must have signed in').waitFor();
  await prove();
  await press(page, 'Save the terms');
  await page.getByText('The agreement of Nguyễn Thị Minh Khai is saved.').waitFor();
  expect(await policy()).toMatchObject({
    sso_required: false,
    sso_required_agreement_ids: [world.agreements.viewer],
  });

  // The owner's own one requires it too, and the proof ends while a form is open.
  await sql('update agreement set sso_required = true where id = $1', [
    parseId('agreement', world.agreements.owner),
  ]);
  await press(page, 'Change the terms');
  await dialog(page).getByLabel('Require a second factor').check();
  await endProofs();
  await press(page, 'Save the terms');
  const asked = page.getByRole('dialog', { name: 'Nordlys Energi AS requires a sign-in' });
  await asked.getByRole('button', { name: 'Use break glass…' }).click();
  const reason = page.getByRole('dialog', { name: 'Use break glass?' });
  await reason.getByLabel('What happened').fill('The provider is away.');
  await press(page, 'Use break glass');
  const at = `/partners/${world.partner}/agreements/${world.agreements.viewer}`;
  await expect.poll(async () => succeed(await stage().service.request('GET', at)).mfa_required).toBe(true);

  await endProofs();
  await page.reload();
  await page.route('**/connections/prove', async (route) => {
    await prove();
    await route.fulfill({ json: { url: `/console/connection-return#proved=${world.partner}` } });
  });
  await press(page, 'Sign in with the identity provider');
  await page.getByRole('heading', { name: 'Nguyễn Thị Minh Khai' }).waitFor();
});
