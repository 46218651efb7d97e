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
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('waits@nordlys.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText('waits@nordlys.example is invited.').waitFor();
  const place = page.getByRole('status').filter({ hasText: 'The mail is the newest file in' });
  await Promise.all([place.waitFor(), page.getByRole('link', { name: 'waits@nordlys.example' }).waitFor()]);
  expect(new URL(page.url()).searchParams.get('state')).toBe('pending');
});
