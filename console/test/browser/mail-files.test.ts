// A service without an SMTP server: its mails are files, and the pages say where.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { tokenIn } from '../../../server/test/mailbox.ts';
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
    return newest === undefined ? null : PostalMime.parse(await readFile(join(folder, newest)));
  };
  await expect.poll(async () => (await read())?.to?.[0]?.address).toBe(email);
  const mail = await read();
  await show(page, `/reset#token=${mail === null ? '' : tokenIn(mail)}`);
  await page.getByRole('textbox', { name: 'New password' }).fill('another good password');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
});
