// Signing in and out as people do it.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage();

const signInWith = async (page: Page, email: string, secret: string): Promise<void> => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

it('B47: a person without a session signs in, and comes to the page that they asked for', async () => {
  const page = await stage().newPage();
  await page.goto('/console/account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWith(page, stage().world.people.owner.email, password);
  await page.waitForURL('**/console/account');
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  expect(await page.evaluate('document.cookie')).toBe('');
});

it('a wrong password is named, and nothing else happens', async () => {
  const page = await stage().newPage();
  await page.goto('/console/sign-in');
  await signInWith(page, stage().world.people.owner.email, 'another password');
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
  expect(await page.context().cookies()).toEqual([]);
});

it('the button beside a password is called what it shows', async () => {
  const page = await stage().newPage();
  await page.goto('/console/sign-in');
  await page.getByLabel('Password', { exact: true }).fill('a secret');
  await page.getByRole('button', { name: 'Show password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
});

it('signs in with the keyboard alone', async () => {
  const page = await stage().newPage();
  await page.goto('/console/sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const { keyboard } = page;
  await keyboard.type(stage().world.people.viewer.email);
  await keyboard.press('Tab');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: `Hello, ${stage().world.people.viewer.name}` }).waitFor();
});

it('signs out: the cookie is gone, and the pages ask for a sign-in', async () => {
  const page = await stage().newPage();
  await stage().signIn(page, stage().world.people.stranger.email);
  await page.goto('/console/');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.goto('/console/');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

it('B20: a link shows no text of its own, and signing out forgets the visit to a provider', async () => {
  const page = await stage().newPage();
  const lie = 'Your account is locked. Call 0800 1234.';
  const link = `/console/connection-return#error=provider_refused&message=${encodeURIComponent(lie)}`;
  await page.goto(link);
  await page.getByRole('heading', { name: 'The identity provider did not sign you in' }).waitFor();
  expect(await page.getByText(lie).count()).toBe(0);
  await stage().signIn(page, stage().world.people.stranger.email);
  await page.goto('/console/');
  await page.evaluate(() => {
    sessionStorage.setItem('concord.return', '/p/ptr_1');
    sessionStorage.setItem('concord.link', 'a code');
  });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('concord.'))),
  ).toEqual([]);
});

it('B47: a session that ends under an open page: the person signs in again, and is where they were', async () => {
  const { world, service } = stage();
  const page = await stage().newPage();
  await stage().signIn(page, world.people.owner.email);
  await show(page, `/p/${world.partner}/people`);
  await page.waitForLoadState('networkidle');
  await service.database.sql('delete from auth.session where user_id = $1', [world.people.owner.id]);
  await page.getByRole('link', { name: 'Invitations' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInWith(page, world.people.owner.email, password);
  await page.waitForURL(`**/console/p/${world.partner}/people?state=pending`);
  await page.getByText(world.people.invitee.email).first().waitFor();
});
