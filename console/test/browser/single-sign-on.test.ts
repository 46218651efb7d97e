// An owner sets single sign-on up, from the provider to the first sign-in, with a real provider and a real DNS.
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { startDnsServer } from '../../../server/test/stage/dns-server.ts';
import { browse, startOidcProvider } from '../../../server/test/stage/oidc.ts';
import { fillSignIn } from './people.ts';
import { countOfTwoPresses } from './press-twice.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';
import { password } from './world.ts';

const dns = await startDnsServer();
const oidc = await startOidcProvider('http://127.0.0.1:1/none');
afterAll(async () => {
  await oidc.close();
  await dns.close();
});
const stage = prepareStage({ CONCORD_DNS_SERVERS: dns.address });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const dialog = (page: Page) => page.getByRole('dialog');
const connections = async (partner: string) =>
  succeed(await stage().service.request('GET', `/partners/${partner}/connections`));

/** The page leaves for the provider. There the person signs in, outside the watched browser, and comes back. */
async function signInAs(page: Page, sub: string, callback: string, begin = '**/test'): Promise<void> {
  await page.route(begin, async (route) => {
    const response = await route.fetch();
    const { url } = await response.json();
    await route.fulfill({ response, json: { url: (await browse(url, sub, callback)).href } });
  });
}

it('K1, K2, K6: adds a connection, proves a domain, tests the connection and turns it on', async () => {
  const { world } = stage();
  oidc.people.set('ingrid', { sub: 'ingrid', email: 'ingrid@tomrom.example', name: 'Ingrid' });
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/single-sign-on`);
  await page.getByRole('button', { name: 'Add a connection' }).first().click();
  await dialog(page).getByLabel('Identity provider').selectOption('keycloak');
  await dialog(page).getByText('In the realm, create a client').waitFor();
  await dialog(page).getByLabel('Issuer').fill(`${oidc.issuer}/`);
  await dialog(page).getByLabel('Client id').fill('concord');
  await dialog(page).getByLabel('Client secret', { exact: true }).fill('the secret of concord');
  await press(page, 'Add the connection');
  await dialog(page).getByText('must equal the issuer that the provider states').waitFor();
  await dialog(page).getByLabel('Issuer').fill(oidc.issuer);
  await press(page, 'Add the connection');

  await page.getByRole('heading', { name: 'Keycloak', exact: true }).waitFor();
  const [connection] = await connections(world.empty);
  await page.getByText(connection.redirect_uri, { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Test the connection' }).isDisabled()).toBe(true);
  await press(page, 'Add a domain');
  await dialog(page).getByLabel('Domain').fill('Tomrom.Example');
  await dialog(page).getByRole('button', { name: 'Add the domain' }).click();
  await page.getByText('_concord-challenge.tomrom.example').waitFor();
  await press(page, 'Check now');
  await page
    .getByText(/The record was not found\./)
    .first()
    .waitFor();
  const value = await page.getByText(/^concord-domain=/).textContent();
  dns.records.set('_concord-challenge.tomrom.example', [value ?? '']);
  await press(page, 'Check now');
  await page.getByText('tomrom.example is verified.').waitFor();

  await oidc.addCallback(connection.redirect_uri);
  await signInAs(page, 'ingrid', connection.redirect_uri);
  await press(page, 'Test the connection');
  await page.getByText('The test has passed. You can turn it on.').waitFor();
  await press(page, 'Turn on');
  await page.getByText('Keycloak is on.').waitFor();
  expect(await connections(world.empty)).toMatchObject([{ enabled: true, name: 'Keycloak' }]);

  await show(page, `/p/${world.empty}/audit`);
  await page.getByRole('link', { name: 'Keycloak', exact: true }).first().click();
  await page.waitForURL(`**/single-sign-on/${connection.id}`);
});

it('K19, T6: an account is linked in the browser that began, to the address that the page names, with a fresh proof', async () => {
  const { service, world } = stage();
  const { id } = world.people.stranger;
  const email = 'li.na@tomrom.example';
  await service.database.sql('update auth."user" set email = $1 where id = $2', [email, id]);
  oidc.people.set('li.na', { sub: 'li.na', email, name: 'Li Na' });
  const [{ id: connection, redirect_uri }] = await connections(world.empty);
  const path = `/partners/${world.empty}/connections/${connection}`;
  succeed(await service.request('PATCH', path, { body: { admits_new_members: true } }));
  const page = await stage().newPage();
  await signInAs(page, 'li.na', redirect_uri, '**/sign-in/connection');
  await page.goto('/console/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('E-mail address').blur();
  const [back] = await Promise.all([
    page.waitForResponse(`${redirect_uri}**`),
    press(page, 'Sign in with Keycloak'),
  ]);
  const { location = '' } = back.headers();
  const link = page.getByRole('button', { name: 'Link the account' });
  const sign = async (tab: Page, address: string) => {
    await stage().signIn(tab, address);
    await tab.goto(location);
    await tab.getByText(`You are signed in as ${address}.`).waitFor();
  };

  // Another browser, and another account.
  const other = await stage().newPage();
  for (const [tab, address] of [
    [other, email],
    [page, world.people.owner.email],
  ] as const) {
    await sign(tab, address);
    await press(tab, 'Link the account');
    await tab.getByText(/^This account cannot be linked: /).waitFor();
  }
  await press(page, 'Sign in to another account');
  await fillSignIn(page, email, password);
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await service.database.sql(
    "update auth.session set proven_at = now() - interval '11 minutes' where user_id = $1",
    [id],
  );
  await link.click();
  await dialog(page).getByLabel('Password', { exact: true }).fill(password);
  await press(page, 'Continue');
  await page.waitForURL('**/console/');
  const linked = await service.database.sql(
    "select from auth.account where user_id = $1 and provider_id like 'connection:%'",
    [id],
  );
  expect(linked).toHaveLength(1);
});

it('B20, K13: whom the provider does not sign in reads what is wrong, and a link says nothing of its own', async () => {
  const { world } = stage();
  const [{ redirect_uri }] = await connections(world.empty);
  oidc.people.set('guest', { sub: 'guest', email: 'guest@elsewhere.example', name: 'Guest' });
  const page = await stage().newPage();
  const reason =
    'The identity provider sent an e-mail address of a domain that the connection has not verified.';
  await page.goto(`/console/provider-return#error=provider_refused&message=${encodeURIComponent(reason)}`);
  await page.getByText(/^The provider did not sign you in/).waitFor();
  await signInAs(page, 'guest', redirect_uri, '**/sign-in/connection');
  await page.goto('/console/sign-in');
  await page.getByLabel('E-mail address').fill('guest@tomrom.example');
  await page.getByLabel('E-mail address').blur();
  await press(page, 'Sign in with Keycloak');
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  await page.getByText(reason).waitFor();
  // Of an owner's test: nothing else says what fails (K12).
  const failing = 'The provider cannot be used: https://idp.example/token answered with status 500';
  await page.goto(
    `/console/connection-return#error=provider_unavailable&message=${encodeURIComponent(failing)}`,
  );
  await page.getByText(failing).waitFor();
});

it('B62: a page that an abandoned visit to the provider asked for is not opened after the next one', async () => {
  const { world } = stage();
  const [{ redirect_uri }] = await connections(world.empty);
  const page = await stage().newPage();
  const leave = async (from: string) => {
    await page.goto(`/console/sign-in${from}`);
    await page.getByLabel('E-mail address').fill('li.na@tomrom.example');
    await page.getByLabel('E-mail address').blur();
    await press(page, 'Sign in with Keycloak');
  };
  const begin = '**/sign-in/connection';
  await page.route(begin, (route) => route.fulfill({ json: { url: '/console/forgot' } }));
  await leave('?return=%2Faccount%2Ftokens');
  await page.waitForURL('**/console/forgot');
  await page.unroute(begin);
  await signInAs(page, 'li.na', redirect_uri, begin);
  await leave('');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/');
});

it('K21: a double press makes one token, so the one that is shown works', async () => {
  const { world } = stage();
  const [{ id }] = await connections(world.empty);
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.empty}/single-sign-on/${id}`);
  const button = page.getByRole('button', { name: 'Create the token' });
  const shown = page.getByText(/^concord_scim_\w{38}$/);
  expect(await countOfTwoPresses(button, '**/provisioning-token', shown)).toBe(1);
});

it('K21, K28, K29, B29: gives the directory another token, and says what its groups give', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/single-sign-on/${world.connection}`);
  await page.getByText('Active people without access: 1').waitFor();
  await page.getByText(/^invalidValue: Neither userName/).waitFor();
  await press(page, 'Create a new token');
  await dialog(page).getByRole('button', { name: 'Create a new token' }).click();
  await page.getByText(/^concord_scim_\w{38}$/).waitFor();
  await press(page, 'I have saved it');
  await page.getByRole('button', { name: 'Actions of Warehouse' }).click();
  await page.getByRole('menuitem', { name: 'Choose what it gives' }).click();
  await dialog(page).getByLabel('Group').selectOption({ label: 'Warehouse integrations' });
  await press(page, 'Save');
  await page.getByText('What Warehouse gives is saved.').waitFor();
  const listed = await stage().service.request(
    'GET',
    `/partners/${world.partner}/connections/${world.connection}/provisioned-groups?sort_by=name`,
  );
  expect(succeed(listed)).toMatchObject([
    { name: 'Finance', acl_permission_group_id: null },
    { name: 'Warehouse', acl_permission_group_id: world.group },
  ]);

  // B29
  const finance = page.getByRole('button', { name: 'Actions of Finance' });
  const choose = page.getByRole('menuitem', { name: 'Choose what it gives' });
  await finance.click();
  await choose.click();
  await dialog(page).getByLabel('Group').selectOption({ label: 'Warehouse integrations' });
  const provisioned = `/partners/${world.partner}/connections/${world.connection}/provisioned-groups`;
  const [{ id }] = succeed(await stage().service.get(`${provisioned}?sort_by=name`));
  const groups = succeed(await stage().service.get(`/partners/${world.partner}/acl-permission-groups`));
  const theirs = groups.find((group: { id: string }) => group.id !== world.group);
  const body = { acl_permission_group_id: theirs.id };
  succeed(await stage().service.put(`${provisioned}/${id}`, body));
  await press(page, 'Save');
  await page.getByRole('row', { name: `Group Warehouse integrations ${theirs.name}` }).waitFor();
  await press(page, 'Take theirs');
  await dialog(page).waitFor({ state: 'detached' });
  expect(succeed(await stage().service.get(`${provisioned}/${id}`))).toMatchObject(body);

  await press(page, 'Revoke the token');
  await dialog(page).getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('The token of the directory is revoked.').waitFor();
});

it('B29, K4: an owner is asked before what another owner changed of the connection is overwritten', async () => {
  const { service, world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/single-sign-on/${world.connection}`);
  const path = `/partners/${world.partner}/connections/${world.connection}`;
  const { terms } = succeed(await service.get(path));
  /** Another owner changes it, and the page reads it again. */
  const change = async (changes: { name: string; terms?: object }) => {
    succeed(await service.request('PATCH', path, { body: changes }));
    await expect
      .poll(async () => {
        await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
        return page.locator('h1').textContent();
      })
      .toBe(changes.name);
  };
  const takeTheirs = async (row: string | RegExp) => {
    await page.getByText('Somebody else changed this connection').waitFor();
    await page.getByRole('row', { name: row }).waitFor();
    await press(page, 'Take theirs');
    await dialog(page).waitFor({ state: 'detached' });
  };
  await page.getByLabel('Access ends after').fill('10');
  await change({ name: 'Theirs', terms: { ...terms, days: 20 } });
  await press(page, 'Save the terms');
  await takeTheirs(/^Terms of new members/);
  await expect.poll(() => page.getByLabel('Access ends after').inputValue()).toBe('20');

  await press(page, 'Change');
  await dialog(page).getByLabel('Name').fill('Mine');
  await change({ name: 'Theirs again' });
  await press(page, 'Save the connection');
  await takeTheirs('Name Mine Theirs again');
  expect(succeed(await service.get(path))).toMatchObject({ name: 'Theirs again', terms: { days: 20 } });
  succeed(await service.request('PATCH', path, { body: { name: 'Nordlys Entra ID', terms } }));
});

it('K4: sets what new members get; the connection can be changed and deleted', async () => {
  const { world } = stage();
  const page = await stage().openAs('owner');
  await show(page, `/p/${world.partner}/single-sign-on/${world.connection}`);
  await page.getByText(/Restore the record before/).waitFor();
  await page.getByRole('checkbox', { name: /^Warehouse integrations/ }).check();
  await page.getByLabel('Access ends after').fill('90');
  await press(page, 'Save the terms');
  await page.getByText('Nordlys Entra ID is saved.').waitFor();
  const read = async () =>
    succeed(
      await stage().service.request('GET', `/partners/${world.partner}/connections/${world.connection}`),
    );
  expect((await read()).terms).toEqual({
    acl_permission_group_ids: [world.group],
    days: 90,
    mfa_required: false,
  });

  await press(page, 'Change');
  await dialog(page).getByLabel('Name').fill('Nordlys staff');
  await dialog(page).getByLabel('Client secret', { exact: true }).fill('another secret');
  await press(page, 'Save the connection');
  await page.getByRole('heading', { name: 'Nordlys staff', exact: true }).waitFor();
  expect(await read()).toMatchObject({ name: 'Nordlys staff', enabled: true });

  await press(page, 'Turn off');
  await dialog(page).getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Nordlys staff is off.').waitFor();
  await press(page, 'Delete');
  await press(page, 'Delete Nordlys staff');
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
  expect(await connections(world.partner)).toEqual([]);
});
