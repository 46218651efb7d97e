// Passkeys in Chromium, whose virtual authenticator is the device of the person.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createPerson, fillSignIn } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage({}, 'localhost');

/** The device of this page. `verifies`: it checks who uses it, by a fingerprint. */
async function addDevice(page: Page, verifies: boolean) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifies,
      isUserVerified: verifies,
      automaticPresenceSimulation: true,
    },
  });
  return {
    confirms: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    passkeys: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const greeting = (page: Page) => page.getByRole('heading', { name: 'Hello, Stranger' }).waitFor();

/** A person with a passkey, on the page where it is. */
async function enrol({ verifies = true } = {}) {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  const device = await addDevice(page, verifies);
  await stage().signIn(page, email);
  await show(page, '/account/sign-in');
  await press(page, 'Add a passkey');
  const naming = page.getByRole('dialog', { name: 'Name the passkey' });
  await naming.getByLabel('Name').fill('Work laptop');
  await naming.getByRole('button', { name: 'Save the passkey' }).click();
  await press(page, 'I have saved it');
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor();
  return { email, page, device };
}

async function signOut(page: Page, device: Awaited<ReturnType<typeof addDevice>>) {
  // The autofill of the sign-in page would be answered at once.
  await device.confirms(false);
  await press(page, 'Sign out');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

it('S4, S6: a passkey is added with a name, and signs in without a password', async () => {
  const { page, device } = await enrol();
  expect(await device.passkeys()).toBe(1);
  await page.getByText('Signing in with the password asks for a passkey.').waitFor();
  // The autofill would be first.
  const withoutAutofill = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false';
  await page.addInitScript({ content: withoutAutofill });
  await page.evaluate(withoutAutofill);
  await press(page, 'Sign out');
  await press(page, 'Sign in with a passkey');
  await greeting(page);
  await show(page, '/account/sign-in');
  await page.getByRole('row', { name: /Work laptop/ }).waitFor();
  expect(await page.getByRole('row', { name: /Work laptop/ }).innerText()).not.toContain('Never');
});

it('S6: the autofill of the address offers the passkey', async () => {
  const { page, device } = await enrol();
  await signOut(page, device);
  await device.confirms(true);
  await page.reload();
  await greeting(page);
});

it('S7: a passkey is the second factor after the password, and proves the person before a change', async () => {
  const { email, page, device } = await enrol();
  await signOut(page, device);
  await fillSignIn(page, email, password);
  await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  await device.confirms(true);
  await press(page, 'Continue with a passkey');
  await greeting(page);

  const age = () =>
    stage().service.database.sql(
      `update auth.session set proven_at = '-infinity' where user_id = (select id from auth."user" where email = $1)`,
      [email],
    );
  await show(page, '/account/sign-in');
  const startRemoving = async () => {
    await press(page, 'Actions of Work laptop');
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await press(page, 'Remove the passkey');
    await page.getByRole('dialog', { name: 'Is it you?' }).waitFor();
  };
  await age();
  await startRemoving();
  await press(page, 'Use a passkey');
  await page.getByText('You have no passkeys.').waitFor();
  await page.getByText('Off', { exact: true }).waitFor();
  await press(page, 'Sign out');
  await fillSignIn(page, email, password);
  await greeting(page);
});

it('S7: a passkey that does not verify its user needs the password too', async () => {
  const { email, page } = await enrol({ verifies: false });
  await stage().service.database.sql(
    `update auth.session set proven_at = '-infinity' where user_id = (select id from auth."user" where email = $1)`,
    [email],
  );
  await press(page, 'Add a passkey');
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByRole('button', { name: 'Use a passkey' }).click();
  await dialog.getByLabel('Code').waitFor({ state: 'detached' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  // The device has a passkey of this account already.
  await page.getByText('This device already has a passkey for your account.').waitFor();
});

it('S5: without a second factor on the device, the sign-in with the password goes on with a backup code', async () => {
  const { email } = await enrol();
  const page = await stage().newPage();
  await show(page, '/sign-in');
  await fillSignIn(page, email, password);
  await press(page, 'Use a backup code');
  await page.getByRole('textbox', { name: 'Backup code' }).waitFor();
  expect(await page.getByRole('button', { name: 'Use the authenticator app' }).count()).toBe(0);
});

it('T31: an operator removes the second factor of somebody who lost it, and the password alone signs in', async () => {
  const { email } = await enrol();
  const operator = await stage().openAs('operator');
  await show(operator, `/admin/users?email=${encodeURIComponent(email)}`);
  await press(operator, `Actions of ${email}`);
  await operator.getByRole('menuitem', { name: 'Remove the second factor' }).click();
  await press(operator, 'Remove the second factor');
  await operator.getByText(`${email} can sign in with the password alone`).waitFor();
  await press(operator, `Actions of ${email}`);
  await operator.getByRole('menuitem', { name: 'Ban' }).waitFor();
  expect(await operator.getByRole('menuitem', { name: 'Remove the second factor' }).count()).toBe(0);
  const page = await stage().newPage();
  await show(page, '/sign-in');
  await fillSignIn(page, email, password);
  await greeting(page);
});
