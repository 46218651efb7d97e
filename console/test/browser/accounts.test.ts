// The own account, and the ways back into it.
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createCast } from '../../../server/test/stage/cast.ts';
import { tokenIn } from '../../../server/test/stage/mailbox.ts';
import { postForm } from '../../../server/test/stage/post-form.ts';
import { createPerson, fillSignIn, readCodes } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage();

it('B46: on a page that links open, "Skip to the content" moves the focus, and does not load the page again', async () => {
  const page = await stage().openAs('owner');
  await show(page, '/account/sign-in');
  await page.evaluate('window.isSamePage = true');
  await page.getByRole('link', { name: 'Skip to the content' }).press('Enter');
  await page.waitForURL('**/account/sign-in#content');
  // A load would begin now.
  await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
  expect(await page.evaluate('[window.isSamePage, document.activeElement.id]')).toEqual([true, 'content']);
});

it('B23, B46: the second factor is set up, asked for at the next sign-in, and replaced by a backup code', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  await stage().signIn(page, email);
  await show(page, '/account/sign-in');
  await page.getByRole('button', { name: 'Set up the second factor' }).click();
  await page.getByText('The one of your account.').waitFor();
  // Cancel goes away when it is pressed.
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('button', { name: 'Set up the second factor' }).waitFor();
  await page
    .locator('section:focus')
    .and(page.getByLabel('Second factor', { exact: true }))
    .waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The one of your account.').waitFor();
  // The form that takes the button's place has the focus.
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  const codes = await readCodes(page);
  await page.getByRole('textbox', { name: 'Code' }).fill(codes(0));
  await page.getByRole('button', { name: 'Enable the second factor' }).click();
  const panel = page.getByRole('dialog', { name: 'Your backup codes' });
  const backupCodes = (await panel.locator('pre').innerText()).trim().split(/\s+/);
  expect(backupCodes.length).toBeGreaterThan(5);
  // A click beside the panel does not lose the codes.
  await page.mouse.click(5, 5);
  const downloading = page.waitForEvent('download');
  await panel.getByRole('link', { name: 'Download' }).click();
  expect((await text(await (await downloading).createReadStream())).trim().split('\n')).toEqual(backupCodes);
  await panel.getByRole('button', { name: 'I have saved it' }).click();
  await page.getByText('Signing in asks for a code').waitFor();

  for (const isBackup of [false, true]) {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await fillSignIn(page, email, password);
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    if (isBackup) await page.getByRole('button', { name: 'Use a backup code' }).click();
    await page
      .getByRole('textbox', { name: isBackup ? 'Backup code' : 'Code' })
      .fill(isBackup ? (backupCodes[0] ?? '') : codes(1));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Hello, Stranger' }).waitFor();
  }
});

it('B23: a press beside the search closes it, and one that begins in its text does not', async () => {
  const page = await stage().openAs('viewer');
  await show(page, '/');
  await page.keyboard.press('Control+k');
  const input = page.getByRole('combobox', { name: 'Search' });
  await input.fill('nordlys');
  // Selects the text with the mouse, and lets go beside the dialog.
  const { x, y } = (await input.boundingBox())!;
  await page.mouse.move(x + 50, y + 10);
  await page.mouse.down();
  await page.mouse.move(5, 5);
  await page.mouse.up();
  expect(await input.count()).toBe(1);
  await page.mouse.click(5, 5);
  await input.waitFor({ state: 'detached' });
});

it('a forgotten password: the mail leads to a new one, and the link works once', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  await show(page, '/sign-in');
  await page.getByRole('link', { name: 'Forgot the password?' }).click();
  // The sign-in has a field of the same name.
  await page.getByRole('heading', { name: 'Forgotten password' }).waitFor();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor();
  const path = `/reset#token=${tokenIn(await stage().mailbox.next(email))}`;
  for (const isFirst of [true, false]) {
    await page.goto('about:blank');
    await show(page, path);
    expect(page.url()).not.toContain('token');
    if (isFirst) {
      await readAgainBeforeTheAnswer(page);
      await page.getByRole('textbox', { name: 'New password' }).fill('another good password');
      await page.getByRole('button', { name: 'Set the password' }).click();
    }
    await (isFirst
      ? page.getByRole('heading', { name: 'Your new password is set' })
      : page.getByRole('heading', { name: 'This link does not work any more' })
    ).waitFor();
  }
  await show(page, '/sign-in');
  await fillSignIn(page, email, 'another good password');
  await page.getByRole('heading', { name: 'Hello, Stranger' }).waitFor();
});

it('B83: a new password whose answer was lost may already be set, which the form says', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  stage().watchOf(page).expectOutage();
  await stage().service.post('/api/auth/request-password-reset', { email });
  await show(page, `/reset#token=${tokenIn(await stage().mailbox.next(email))}`);
  await page.route('**/reset-password', async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('the new password may already be set').waitFor();
});

/** The page reads whether the link is dead again, after the password is set and before the page knows. */
const readAgainBeforeTheAnswer = (page: Page) =>
  page.route(
    '**/reset-password',
    async (route) => {
      const response = await route.fetch();
      const checked: number[] = [];
      page.on('response', (answer) => {
        if (answer.url().endsWith('/check')) checked.push(answer.status());
      });
      // What was read in the last 2 s is not read again.
      await expect
        .poll(async () => {
          await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
          return checked;
        })
        .toEqual([400]);
      await route.fulfill({ response });
    },
    { times: 1 },
  );

it('a new address counts when its link is opened, in the session that asked without a password', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  await stage().signIn(page, email);
  await show(page, '/account');
  await page.getByLabel('New address').fill(`new.${email}`);
  await page.getByRole('button', { name: 'Send the confirmation mail' }).click();
  const token = tokenIn(await stage().mailbox.next(`new.${email}`));
  await show(page, `/verify#token=${token}`);
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByRole('heading', { name: 'Your address is confirmed' }).waitFor();
  await page.getByRole('link', { name: 'Go to Concord' }).click();
  await page.getByRole('heading', { name: /^Hello/ }).waitFor();
  await show(page, '/account');
  await page.getByText(`You sign in with new.${email}.`).waitFor();
});

it('B23: an access token is shown once, works, and stops working when it is revoked', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  await stage().signIn(page, email);
  await show(page, '/account/tokens');
  await page.getByRole('button', { name: 'Create an access token' }).click();
  await page.getByLabel('Name').fill('Nightly export');
  await page.getByRole('button', { name: 'Create the token' }).click();
  const panel = page.getByRole('dialog', { name: 'The token Nightly export' });
  const token = (await panel.locator('pre').innerText()).trim();
  const use = async () => (await stage().service.request('GET', '/me', { token })).status;
  expect(await use()).toBe(200);
  await panel.getByRole('button', { name: 'I have saved it' }).click();
  // The tab keeps its mark.
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL('**/account/tokens?sort_by=name*');
  const tabs = page.getByRole('navigation', { name: 'Your account' });
  expect(await tabs.locator('[aria-current=page]').allInnerTexts()).toEqual(['Access tokens']);
  await page.getByRole('button', { name: 'Actions of Nightly export' }).click();
  expect(await page.content()).not.toContain(token);
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('You have no access tokens.').waitFor();
  expect(await use()).toBe(401);
});

it('T30: a person without a session signs in, sees which program asks, and gives it a token or nothing', async () => {
  const person = await createPerson(stage());
  const { email } = person;
  const cast = createCast(stage().service);
  const partners = [await cast.partner('Nordlys'), await cast.partner('Solvind')];
  for (const partner of partners) await cast.join(partner, person);
  const form = { client_id: 'concord-cli', client_name: 'laptop of Ann' };
  const { service } = stage();
  const begin = async () => (await postForm(service, '/oauth/device_authorization', form)).body;
  const fetchToken = (device_code: string) => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    return postForm(service, '/oauth/token', { grant_type, device_code, client_id: form.client_id });
  };
  const page = await stage().newPage();
  const first = await begin();
  await page.goto(first.verification_uri_complete);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Connect a program' }).waitFor();
  expect(await page.getByLabel('Code').inputValue()).toBe(first.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('laptop of Ann', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Give it this token' }).click();
  await page.getByRole('heading', { name: 'The program has its token' }).waitFor();
  const { body } = await fetchToken(first.device_code);
  expect((await service.request('GET', '/me', { token: body.access_token })).body.email).toBe(email);
  // Nobody chose partners, so it is one.
  expect(partners).toContain(body.partner_id);

  const second = await begin();
  await show(page, '/device');
  await page.getByLabel('Code').fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No program waits with this code.').waitFor();
  await page.getByLabel('Code').fill(second.user_code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.getByRole('heading', { name: 'Denied' }).waitFor();
  expect((await fetchToken(second.device_code)).body.error).toBe('access_denied');
});

it('ends the other sessions, and deletes the account', async () => {
  const { email, token } = await createPerson(stage());
  const page = await stage().newPage();
  await stage().signIn(page, email);
  await show(page, '/account/sessions');
  await page.getByRole('button', { name: 'End all other sessions…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End all other sessions' }).click();
  await page.getByText('Only this session is left.').waitFor();
  expect((await stage().service.request('GET', '/me', { token })).status).toBe(401);
  await show(page, '/account');
  await page.getByRole('button', { name: 'Delete your account…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await fillSignIn(page, email, password);
  await page.getByText('The e-mail address or the password is wrong.').waitFor();
});
