// The setup, from the printed link to a delivered test event.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { operator } from '../../../server/test/stage/start-service.ts';
import { readCodes, tabTo } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

// A start of its own: the other services have no link to print.
const stage = prepareStage({ CONCORD_OPERATOR_EMAIL: operator.email });
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
  // The list says what was skipped.
  expect((await page.getByRole('listitem').allInnerTexts()).map((text) => text.split(/\s{2,}|\n/))).toEqual([
    ['1. Password', 'Done'],
    ...['2. Second factor', '3. Mail', '4. First partner', '5. First endpoint'].map((name) => [
      name,
      'Skipped',
    ]),
    ['6. Test event'],
  ]);
  await page.getByRole('link', { name: 'Go to Concord' }).click();
  await page.getByRole('heading', { name: /^Hello/ }).waitFor();
});

it('B24: by keyboard alone, the printed link leads to a delivered test event, and a reload goes on at the same step', async () => {
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
  const { keyboard } = page;
  const enter = async (field: string, text: string) => {
    await page.getByLabel(field, { exact: true }).waitFor();
    await tabTo(page, field);
    await keyboard.type(text);
  };
  const press = async (name: string) => {
    await page.locator('button, a').filter({ hasText: name }).first().waitFor();
    await tabTo(page, name);
    await keyboard.press('Enter');
  };
  await enter('Password', password);
  await press('Set the password');

  const isAt = (step: string) =>
    expect.poll(() => page.locator('section:focus').getAttribute('aria-label')).toBe(step);
  await press('Set up the second factor');
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
  await enter('Code', (await readCodes(page))(0));
  await press('Enable the second factor');
  await page.getByText('They are shown only now.').waitFor();
  await press('I have saved it');
  await isAt('Step 3 of 6: Mail');

  await page.getByRole('heading', { name: 'Check that mails arrive' }).waitFor();
  await press('Send a mail');
  await page.getByText('It is only a test').waitFor();
  await page.locator('button:focus', { hasText: 'Send another mail' }).waitFor();
  await mailbox.next(operator.email, 'Set a new password');
  await press('Go on to the first partner');

  await enter('Name', 'The first partner');
  await press('Create the partner');
  await isAt('Step 5 of 6: First endpoint');
  await page.reload();
  await page.getByLabel('The sandbox receiver of Concord').waitFor();
  await press('Create the endpoint');

  await isAt('Step 6 of 6: Test event');
  await press('Send a test event');
  await page.getByText('Delivered', { exact: true }).waitFor();
  await page.getByText('The signature is valid').waitFor();
  await page.getByText('inventory.updated').first().waitFor();
  await press('Open the partner');
  await page.getByRole('navigation', { name: 'Main' }).getByText('The first partner').waitFor();
});
