// A service without an SMTP server: its mails are files, and the pages say where.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPerson } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage({ CONCORD_SMTP_URL: undefined });

it('B25: a page that has a mail sent names the folder of its file, and the newest file there is the mail', async () => {
  const { email } = await createPerson(stage());
  const page = await stage().newPage();
  await show(page, '/forgot');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  const place = page.getByRole('status').filter({ hasText: 'The mail is the newest file in' });
  const folder = await place.locator('code').first().innerText();
  const read = async () => {
    const [newest] = (await readdir(folder))
      .filter((name) => name.endsWith('.eml'))
      .toSorted()
      .toReversed();
    return newest === undefined ? '' : readFile(join(folder, newest), 'utf8');
  };
  await expect.poll(read).toContain(`To: ${email}`);
  const token = /\/console\/reset#token=([\w-]+)/.exec(await read())?.[1];
  await show(page, `/reset#token=${token}`);
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
});

it('B25: who invited somebody sees the invitation in its list, and where its mail is', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('waits@nordlys.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('waits@nordlys.example is invited.').waitFor();
  const place = page.getByRole('status').filter({ hasText: 'The mail is the newest file in' });
  await Promise.all([place.waitFor(), page.getByRole('link', { name: 'waits@nordlys.example' }).waitFor()]);
  expect(new URL(page.url()).searchParams.get('state')).toBe('pending');
});

it('B25: who sends an invitation again sees where its mail is, in the list and on its page', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  const invite = async (email: string): Promise<string> => {
    const { status, body } = await stage().service.request('POST', `/partners/${world.partner}/agreements`, {
      body: { email },
    });
    expect(status).toBe(201);
    return body.id;
  };
  const email = 'again@nordlys.example';
  const id = await invite(email);
  const place = page.getByRole('status').filter({ hasText: 'The mail is the newest file in' });

  await show(page, `/p/${world.partner}/people?state=pending`);
  await page.getByRole('button', { name: `Actions of ${email}` }).click();
  await page.getByRole('menuitem', { name: 'Send the invitation again' }).click();
  await place.waitFor();
  expect(await place.count()).toBe(1);

  await show(page, `/p/${world.partner}/people/${id}`);
  await page.getByRole('heading', { name: email }).waitFor();
  expect(await place.count()).toBe(0);
  await page.getByRole('button', { name: 'Send the invitation again' }).click();
  await place.waitFor();
});

it('B25, B26: an invitation without its terms says where its mail is', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await page.route('**/agreements/agr_*', (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    return route.fulfill({
      status: 403,
      json: { code: 'forbidden', message: 'You cannot grant it.', request_id: 'r' },
    });
  });
  await show(page, `/p/${world.partner}/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('halfway@nordlys.example');
  await dialog.getByRole('checkbox', { name: /^Viewer/ }).check();
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog.getByText('You cannot grant it.').waitFor();
  await dialog.getByText('The mail is the newest file in').waitFor();
});
