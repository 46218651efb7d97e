// The signing secret on the page of an endpoint: made, shown once, changed, deleted.
import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { findBarriers, findOverflow } from './barriers.ts';
import { countOfTwoPresses } from './press-twice.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

it('B79: the secret of an endpoint is shown once, and a new one leaves the one before valid for a day', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.partner}/webhook-endpoints`;
  const { id } = succeed(
    await service.request('POST', path, { body: { url: 'https://hooks.example.com/secret' } }),
  );
  const read = async () => succeed(await service.get(`${path}/${id}`)).signing_secret;
  const owner = await stage().openAs('owner');
  await show(owner, `/p/${world.partner}/webhooks/endpoints/${id}`);
  const set = owner.getByRole('button', { name: 'Set the secret' });
  await owner.getByRole('button', { name: 'Set a secret…' }).click();
  await set.click();
  await owner.getByText('Copy it now. It is not shown again.').waitFor();
  const secret = await owner.getByText(/^whsec_/).textContent();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect([...(await findBarriers(owner, 'light')), ...(await findBarriers(owner, 'dark'))]).toEqual([]);
  await owner.setViewportSize({ width: 360, height: 800 });
  expect(await findOverflow(owner)).toBe(0);
  await owner.getByRole('button', { name: 'Done' }).click();
  expect(await owner.content()).not.toContain(secret);
  await owner.getByRole('button', { name: 'Set a new secret…' }).click();
  await set.click();
  await owner.getByRole('button', { name: 'Done' }).click();
  await owner.getByText('The one before is valid until').waitFor();
  expect((await read()).previous_valid_until).not.toBeNull();
  await owner.getByRole('button', { name: 'Delete the secret…' }).click();
  await owner.getByRole('button', { name: 'Delete the secret', exact: true }).click();
  await expect.poll(read).toBeNull();
});

it('B79: a double press makes one secret, and a refusal is said', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.partner}/webhook-endpoints`;
  const create = async () =>
    succeed(await service.post(path, { url: 'https://hooks.example.com/twice' })).id as string;
  const [id, gone] = [await create(), await create()];
  succeed(await service.request('DELETE', `${path}/${gone}`));
  const page = await stage().openAs('owner');
  const button = page.getByRole('button', { name: 'Set the secret' });
  await show(page, `/p/${world.partner}/webhooks/endpoints/${id}`);
  await page.getByRole('button', { name: 'Set a secret…' }).click();
  const toGone = { url: `${stage().origin}/console/api${path}/${gone}/signing-secret` };
  await page.route('**/signing-secret', (route) => route.continue(toGone), { times: 1 });
  await button.click();
  await page.getByText('This was deleted, or you have lost access to it.').waitFor();
  const shown = page.getByText('Copy it now. It is not shown again.');
  expect(await countOfTwoPresses(button, '**/signing-secret', shown)).toBe(1);
});

it('B79, W65: a secret that the receiver has already is taken, and a bad one is refused at its field', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.partner}/webhook-endpoints`;
  const { id } = succeed(await service.post(path, { url: 'https://hooks.example.com/moved' }));
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/webhooks/endpoints/${id}`);
  await page.getByRole('button', { name: 'Set a secret…' }).click();
  const field = page.getByLabel('A secret that the receiver has already');
  const set = page.getByRole('button', { name: 'Set the secret' });
  await field.fill('a password');
  await set.click();
  await page.getByText('must be whsec_ and the base64 of 24 to 64 bytes').waitFor();
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  await field.fill(secret);
  await set.click();
  await page.getByText('The secret is set').waitFor();
  expect(await page.getByText('It is not shown again').count()).toBe(0);
  const repeated = await service.post(`${path}/${id}/signing-secret`, { secret });
  const { signing_secret: shown } = succeed(await service.get(`${path}/${id}`));
  expect(succeed(repeated)).toMatchObject({
    secret,
    previous_valid_until: null,
    created_at: shown.created_at,
  });
});

it('B83, W65: a secret whose answer was lost stays the same, so that the one of the receiver stays valid', async () => {
  const { service, world } = stage();
  const path = `/partners/${world.partner}/webhook-endpoints`;
  const { id } = succeed(await service.post(path, { url: 'https://hooks.example.com/lost' }));
  succeed(await service.post(`${path}/${id}/signing-secret`, {}));
  const page = await stage().openAs('owner');
  stage().watchOf(page).expectOutage();
  await show(page, `/p/${world.partner}/webhooks/endpoints/${id}`);
  await page.getByRole('button', { name: 'Set a new secret…' }).click();
  let lost = '';
  const lose = async (route: Route) => {
    lost = (await (await route.fetch()).json()).secret;
    await route.abort('connectionreset');
  };
  await page.route('**/signing-secret', lose, { times: 1 });
  const set = page.getByRole('button', { name: 'Set the secret' });
  await set.click();
  await page.getByText('the secret may already be set').waitFor();
  await set.click();
  expect(await page.getByText(/^whsec_/).textContent()).toBe(lost);
});
