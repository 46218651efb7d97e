// The page stays open while Concord cannot be reached.
import { expect, it } from 'vitest';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B48: says that Concord does not answer, and goes on by itself', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/people`);
  await page.waitForLoadState('networkidle');
  stage().watchOf(page).expectOutage();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Invitations' }).click();
  const banner = page.getByText('Concord does not answer.');
  await banner.waitFor();
  expect(await page.getByText(world.people.invitee.email).count()).toBe(0);
  await page.context().setOffline(false);
  await page.getByText(world.people.invitee.email).first().waitFor();
  await banner.waitFor({ state: 'detached' });
});
