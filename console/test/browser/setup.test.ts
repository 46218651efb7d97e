// The setup, from the printed link to a delivered test event.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { operator } from '../../../server/test/start-service.ts';
import { readCodes } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const password = 'chosen in the browser';

it('B24: each step but the first can be skipped', async () => {
  const stranger = await stage().newPage();
  await show(stranger, '/setup');
  await stranger.getByText('Open the printed link').waitFor();
  const page = await stage().openAs('operator');
  await show(page, '/setup');
  for (const title of ['Set up a second factor', 'Check that mails arrive', 'Create your first partner']) {
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('button', { name: 'Skip this step' }).click();
  }
  await page.getByRole('heading', { name: 'You can start' }).waitFor();
  await page.getByRole('link', { name: 'Go to Concord' }).click();
  await page.getByRole('heading', { name: /^Hello/ }).waitFor();
});

it('B24: the printed link leads to a delivered test event, and a reload goes on at the same step', async () => {
  const { service, mailbox } = stage();
  const link = service.announcements.map((line) => /\/console(\/setup#(\S+))/.exec(line)).find(Boolean);
  // The stage has signed the operator in, which ends the link. As before that:
  await service.database.sql(
    `update setup set completed_at = null, token_hash = $1, expires_at = concord_now() + interval '1 day'`,
    [
      createHash('sha256')
        .update(link?.[2] ?? '')
        .digest(),
    ],
  );
  const page = await stage().newPage();
  await show(page, link?.[1] ?? '');
  expect(page.url()).not.toContain('#');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();

  const isAt = (step: string) => expect.poll(() => page.locator('[role=group]:focus').getAttribute('aria-label')).toBe(step);
  await page.getByRole('button', { name: 'Set up the second factor' }).click();
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill((await readCodes(page))(0));
  await page.getByRole('button', { name: 'Enable the second factor' }).click();
  await page.getByText('They are shown only now.').waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await isAt('Step 3 of 6: Mail');

  await page.getByRole('heading', { name: 'Check that mails arrive' }).waitFor();
  await page.getByRole('button', { name: 'Send a mail' }).click();
  await page.getByText('It is only a test').waitFor();
  await page.locator('button:focus', { hasText: 'Send another mail' }).waitFor();
  await mailbox.next(operator.email, 'Set a new password');
  await page.getByRole('button', { name: 'Go on to the first partner' }).click();

  await page.getByLabel('Name').fill('The first partner');
  await page.getByRole('button', { name: 'Create the partner' }).click();
  await isAt('Step 5 of 6: First endpoint');
  await page.reload();
  await page.getByLabel('The sandbox receiver of Concord').waitFor();
  await page.getByRole('button', { name: 'Create the endpoint' }).click();

  await isAt('Step 6 of 6: Test event');
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText('The signature is valid').waitFor();
  await page.getByText('inventory.updated').first().waitFor();
  await page.getByRole('link', { name: 'Open the partner' }).click();
  await page.getByRole('navigation', { name: 'Main' }).getByText('The first partner').waitFor();
});
