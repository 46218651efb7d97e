// What people read when a limit refuses what they do.
import { expect, it } from 'vitest';
import { fillSignIn } from './people.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const stage = prepareStage({ CONCORD_RATE_LIMIT: '100000/10s' });

it('L11, L12: after ten wrong passwords the sign-in says how long to wait, and everybody else at the address signs in', async () => {
  const { service, world } = stage();
  const { stranger, viewer } = world.people;
  const body = { email: stranger.email, password: 'a wrong password' };
  for (let attempt = 0; attempt < 10; attempt++)
    await service.request('POST', '/api/auth/sign-in/email', { token: null, body });
  const page = await stage().newPage();
  await show(page, '/sign-in');
  await fillSignIn(page, stranger.email, password);
  await page.getByText(/^Too many wrong attempts: .* Try again in 1\d minutes\.$/).waitFor();
  await fillSignIn(page, viewer.email, password);
  await page.getByRole('heading', { name: `Hello, ${viewer.name}` }).waitFor();
});

it('B67, L12: of many invitations, each that a limit refuses says so, and the others are sent', async () => {
  const { service, world } = stage();
  // To one of them, ten were sent in this hour.
  const page = await stage().openAs('owner');
  const path = `/partners/${world.partner}/agreements`;
  const token = await service.signIn(world.people.owner.email, password);
  for (let sent = 0; sent < 10; sent++) {
    const { body } = await service.request('POST', path, { token, body: { email: 'often@nordlys.example' } });
    await service.request('DELETE', `${path}/${body.id}`);
  }
  await show(page, `/p/${world.partner}/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill('often@nordlys.example, first.time@nordlys.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog
    .getByRole('row', { name: /^often@/ })
    .getByText(/^Too many invitations: .* Try again in 60 minutes\.$/)
    .waitFor();
  await page.getByRole('heading', { name: '1 person is invited' }).waitFor();
  expect((await service.get(`${path}?filter[email]=first.time@nordlys.example`)).body).toHaveLength(1);
});

it('L11: a form shows at once that a limit asks for more than ten seconds', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  let asked = 0;
  const detail = 'Too many mails. Try again in 40 seconds.';
  await page.route('**/agreements', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    asked++;
    const headers = { 'retry-after': '40', ratelimit: '"mails-of-address";r=0;t=40' };
    const json = { code: 'rate_limited', message: detail, request_id: 'req-1' };
    return route.fulfill({ status: 429, headers, json });
  });
  await show(page, `/p/${world.partner}/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill('first@nordlys.example');
  await page.getByRole('button', { name: 'Send the invitation' }).click();
  await page.getByText(detail).waitFor();
  expect(asked).toBe(1);
});
