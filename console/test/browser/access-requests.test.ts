// Access that is asked for, as people ask, answer and use it.
import { expect, it } from 'vitest';
import { findBarriers } from './barriers.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B61, B80: a member asks where a page is closed, another person approves it, and the page opens', async () => {
  const { world, mailbox } = stage();
  const deliveries = `/p/${world.partner}/webhooks/deliveries`;
  const asker = await stage().openAs('member without permissions');
  await show(asker, deliveries);
  await asker.getByRole('button', { name: 'Ask for access' }).click();
  const form = asker.getByRole('dialog');
  expect(await form.getByLabel('Deliveries: list').isChecked()).toBe(true);
  await form.getByLabel('Deliveries: read').check();
  await form.getByLabel('For how long').selectOption('1 day');
  const why = form.getByLabel('Why');
  await why.fill('A customer says that an order did not arrive.');
  // The closed page is read again, and the form stays.
  await asker.waitForResponse((answer) => answer.status() === 403 && answer.url().includes('/deliveries?'));
  expect(await why.inputValue()).not.toBe('');
  expect(await findBarriers(asker, 'light')).toEqual([]);
  await form.getByRole('button', { name: 'Send the request' }).click();
  await asker.getByText('You have asked for it.').waitFor();
  expect(await asker.getByRole('button', { name: 'Ask for access' }).count()).toBe(0);
  await asker.getByRole('link', { name: 'See the request' }).click();
  await asker.getByRole('cell', { name: 'Waiting' }).waitFor();

  const link = `/p/${world.partner}/access-requests`;
  const mails = () => mailbox.received.filter(({ text }) => text?.includes(`/console${link}`));
  await expect
    .poll(() => mails().flatMap(({ to }) => to?.map(({ address }) => address)))
    .toContain(world.people.owner.email);
  const owner = await stage().openAs('owner');
  const bounded = owner.waitForRequest(/access-requests\?.*page_size=100/, { timeout: 20_000 });
  await show(owner, `/p/${world.partner}`);
  await bounded;
  await owner.getByText(/^An access review: 1 of \d+ decided, ends/).waitFor();
  await owner.getByRole('link', { name: '1 access request', exact: true }).click();
  await owner.getByRole('cell', { name: 'Waiting' }).waitFor();
  await show(owner, link);
  await owner.getByRole('button', { name: /^Actions/ }).click();
  await owner.getByRole('menuitem', { name: 'Approve…' }).click();
  const dialog = owner.getByRole('dialog');
  await dialog.getByText('A customer says').waitFor();
  expect(await findBarriers(owner, 'light')).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await owner.getByRole('cell', { name: 'Approved' }).waitFor();

  await show(asker, deliveries);
  await asker.getByRole('table').waitFor();
  await asker.getByRole('link', { name: 'Deliveries', exact: true }).waitFor();
  await show(asker, link);
  await asker.getByRole('button', { name: /^Actions/ }).click();
  await asker.getByRole('menuitem', { name: 'End the access…' }).click();
  await asker.getByRole('dialog').getByRole('button', { name: 'End the access' }).click();
  await asker.getByRole('cell', { name: 'Ended' }).waitFor();
  await show(asker, deliveries);
  await asker.getByText('You need the permission').waitFor();
});
