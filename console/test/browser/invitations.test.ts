// Invitations as people answer them: from the mail to the page of the partner.
import { expect, it } from 'vitest';
import { createPerson, fillSignIn, invite, readCodes, tabTo } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage();
const stateOf = async (at: string): Promise<boolean> =>
  (await stage().service.request('GET', at)).body.accepted;

it('B20: the token of a link is neither in the address bar nor in the history, and opening the link answers nothing', async () => {
  const invitation = await invite(stage());
  const page = await stage().newPage();
  await show(page, invitation.path);
  await page.getByRole('heading', { name: 'Create your account to answer' }).waitFor();
  expect(page.url()).toBe(`${stage().origin}/console${invitation.path.split('#')[0]}`);
  expect(await stateOf(invitation.at)).toBe(false);
  // A second link in the same tab changes only the fragment.
  await page.goto(`/console${invitation.path.split('#')[0]}#cut-off`);
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  expect(page.url()).not.toContain('cut-off');
  await page.goto('about:blank');
  await page.goBack();
  await page.getByText('This page works with the link from a mail.').waitFor();
  // Nor on a page that takes no link.
  await page.goto('/console/sign-up#cut-off');
  await expect.poll(() => page.url()).not.toContain('cut-off');
});

it('B21: an invited person without an account signs up, accepts, and is at the partner', async () => {
  const { world } = stage();
  const invitation = await invite(stage(), { owner: true });
  const page = await stage().newPage();
  await show(page, invitation.path);
  await page.getByText('Everything, as an owner').waitFor();
  await page.getByLabel('Your name').fill('Ada Nygård');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create the account' }).click();
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.waitForURL(`**/console/p/${world.partner}`);
  expect(await stateOf(invitation.at)).toBe(true);
  await show(page, invitation.path);
  await page.getByRole('heading', { name: 'This invitation was answered' }).waitFor();
});

it('B21: somebody else is signed in: they sign out, the invited person signs in and declines', async () => {
  const { world, service } = stage();
  const { email } = await createPerson(stage());
  const invitation = await invite(stage(), { email });
  const page = await stage().newPage();
  await stage().signIn(page, world.people.owner.email);
  await show(page, invitation.path);
  await page.getByText(`You are ${world.people.owner.email}.`).waitFor();
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline the invitation' }).click();
  await page.getByRole('heading', { name: 'You declined' }).waitFor();
  expect((await service.request('GET', invitation.at)).status).toBe(404);
});

it('B20, B70: after "Sign out and go on" the tab has nothing of the person who was signed in', async () => {
  const { world } = stage();
  const { path } = await invite(stage());
  const page = await stage().newPage();
  await stage().signIn(page, world.people.viewer.email);
  await show(page, `/p/${world.partner}`);
  await page.evaluate(() => {
    for (const key of ['return', 'link', 'draft.usr_1 /console/account profile'])
      sessionStorage.setItem(`concord.${key}`, 'theirs');
  });
  await page.goto(`/console${path}`);
  await page.getByRole('button', { name: 'Sign out and go on' }).click();
  await page.getByText('Create your account to answer').waitFor();
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('concord.'))),
  ).toEqual([]);
});

it('B21: an invitation that is withdrawn, or was sent again, says so', async () => {
  const { service } = stage();
  const [withdrawn, replaced] = [await invite(stage()), await invite(stage())];
  await service.request('DELETE', withdrawn.at);
  await service.request('POST', `${replaced.at}/resend`);
  const page = await stage().newPage();
  await show(page, withdrawn.path);
  await page.getByRole('heading', { name: 'This invitation was withdrawn' }).waitFor();
  await show(page, replaced.path);
  await page.getByRole('heading', { name: 'There is a newer invitation' }).waitFor();
});

it('B21: by keyboard alone: sign up, set the second factor up that the partner requires, accept', async () => {
  const { world } = stage();
  const invitation = await invite(stage(), { mfa_required: true });
  const page = await stage().newPage();
  const { keyboard } = page;
  await show(page, invitation.path);
  await page.getByRole('heading', { name: 'Create your account to answer' }).waitFor();
  await tabTo(page, 'Your name');
  await keyboard.type('Ada Nygård');
  await tabTo(page, 'Password');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await page.getByRole('heading', { name: 'First, a second factor' }).waitFor();
  const hasFocus = (part: string) =>
    expect.poll(() => page.locator('section:focus').getAttribute('aria-label')).toBe(part);
  await hasFocus('Second factor');
  await tabTo(page, 'Set up the second factor');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  await tabTo(page, 'Code');
  await keyboard.type((await readCodes(page))(0));
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your backup codes' }).waitFor();
  await tabTo(page, 'I have saved it');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Accept the invitation' }).waitFor();
  await hasFocus('Your answer');
  await tabTo(page, 'Accept the invitation');
  await keyboard.press('Enter');
  await page.waitForURL(`**/console/p/${world.partner}`);
  expect(await stateOf(invitation.at)).toBe(true);
});

it('B22: the first page lists the invitations of the person, and accepts one without its link', async () => {
  const { world } = stage();
  const { email } = await createPerson(stage());
  const invitation = await invite(stage(), { email });
  const page = await stage().newPage();
  await page.goto('/console/');
  await fillSignIn(page, email, password);
  await page.getByText('You have access to no partner yet.').waitFor();
  await page.getByRole('button', { name: /^Accept the invitation to / }).click();
  await page.waitForURL(`**/console/p/${world.partner}`);
  expect(await stateOf(invitation.at)).toBe(true);
  await show(page, '/');
  await page.getByRole('link', { name: 'Nordlys Energi AS' }).first().waitFor();
});
