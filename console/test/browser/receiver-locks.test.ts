// What a receiver demands of Concord, in the console: an access token in the form, a client certificate on the page.
import { createPublicKey } from 'node:crypto';
import { text as textOf } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { issue, issuePair } from '../../../server/test/stage/client-authority.ts';
import { findBarriers, findOverflow } from './barriers.ts';
import { countOfTwoPresses } from './press-twice.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();

async function start(name: string) {
  const { service, world } = stage();
  const path = `/partners/${world.partner}/webhook-endpoints`;
  const { id } = succeed(
    await service.request('POST', path, { body: { url: `https://hooks.example.com/${name}` } }),
  );
  const owner = await stage().openAs('owner');
  await show(owner, `/p/${world.partner}/webhooks/endpoints/${id}`);
  const read = async (part = '') => succeed(await service.get(`${path}/${id}${part}`));
  return { owner, read, path: `${path}/${id}`, page: `/p/${world.partner}/webhooks/endpoints/${id}` };
}
const pictures = process.env.CONCORD_PICTURES;

it('W71: the form of an endpoint sets, keeps, replaces and removes the access to its receiver', async () => {
  const { owner, read, page } = await start('token');
  const edit = async () => {
    await show(owner, page);
    await owner.getByRole('button', { name: 'Edit', exact: false }).first().click();
    await owner.getByText(/^Description, order/).click();
  };
  const save = async () => {
    await owner.getByRole('button', { name: 'Save the endpoint' }).click();
    await owner.getByText('The endpoint is saved').first().waitFor();
  };
  await edit();
  await owner.getByLabel('Access to the receiver').selectOption('oauth2_client_credentials');
  await owner.getByLabel('Token URL').fill('https://10.0.0.1/token');
  await owner.getByLabel('Client id').fill('concord');
  await owner.getByLabel('Client secret').fill('a secret of the console');
  await owner.getByLabel('Id and secret are sent').selectOption('form');
  await owner.getByRole('button', { name: 'Save the endpoint' }).click();
  await owner.getByText(/must not be an address in a private/).waitFor();
  expect([...(await findBarriers(owner, 'light')), ...(await findBarriers(owner, 'dark'))]).toEqual([]);
  if (pictures) await owner.screenshot({ path: `${pictures}/token-form.png`, fullPage: true });
  await owner.getByLabel('Token URL').fill('https://id.example.com/token');
  await save();
  const set = {
    type: 'oauth2_client_credentials',
    token_url: 'https://id.example.com/token',
    client_id: 'concord',
    scope: null,
    audience: null,
    client_authentication: 'form',
  };
  expect((await read()).authentication).toEqual(set);
  expect(await owner.content()).not.toContain('a secret of the console');
  await edit();
  await owner.getByLabel('Description', { exact: true }).fill('another');
  await save();
  expect(await read()).toMatchObject({ description: 'another', authentication: set });
  await edit();
  await owner.getByLabel('Replace the access to the receiver').check();
  await owner.getByLabel('Access to the receiver', { exact: true }).selectOption('none');
  await save();
  expect((await read()).authentication).toBeNull();
});

it('W72: the page of an endpoint makes, downloads, sets and deletes a client certificate, and says when it ends', async () => {
  const { owner, read, page } = await start('certificate');
  const button = owner.getByRole('button', { name: 'Make a certificate' });
  const isMade = owner.getByText('Made by Concord');
  expect(await countOfTwoPresses(button, '**/client-certificate', isMade)).toBe(1);
  const made = await read('/client-certificate');
  const saved = async (name: string) => {
    const [download] = await Promise.all([
      owner.waitForEvent('download'),
      owner.getByRole('button', { name }).click(),
    ]);
    return textOf(await download.createReadStream());
  };
  expect(await saved('Download the certificate')).toBe(made.certificate);
  expect(await saved('Download the request (CSR)')).toBe(made.csr);
  expect([...(await findBarriers(owner, 'light')), ...(await findBarriers(owner, 'dark'))]).toEqual([]);
  if (pictures) await owner.screenshot({ path: `${pictures}/certificate.png`, fullPage: true });
  // Of an authority, for the same key. It ends within 14 days.
  const signed = issue({ publicKey: createPublicKey(made.certificate), name: 'signed' });
  await owner.getByRole('button', { name: 'Set a certificate…' }).click();
  await owner.getByLabel('Certificate', { exact: true }).fill('x');
  await owner.getByRole('button', { name: 'Set the certificate' }).click();
  await owner.getByText(/must be an X.509 certificate in PEM/).waitFor();
  await owner.getByLabel('Certificate', { exact: true }).fill(signed);
  await owner.getByRole('button', { name: 'Set the certificate' }).click();
  await owner.getByText('The client certificate expires soon').waitFor();
  if (pictures) await owner.screenshot({ path: `${pictures}/certificate-ends.png`, fullPage: true });
  const { certificate, privateKey } = issuePair({ name: 'uploaded', notAfter: 90 * 24 * 3_600_000 });
  await owner.getByRole('button', { name: 'Set a certificate…' }).click();
  await owner.getByLabel('Certificate', { exact: true }).fill(certificate);
  await owner.getByLabel('Private key').fill(privateKey);
  await owner.getByRole('button', { name: 'Set the certificate' }).click();
  await owner.getByText('Uploaded', { exact: true }).waitFor();
  await owner.getByText('The client certificate expires soon').waitFor({ state: 'detached' });
  expect((await read()).client_certificate.subject).toBe('CN=uploaded');
  await owner.setViewportSize({ width: 360, height: 800 });
  expect(await findOverflow(owner)).toBe(0);
  await show(owner, page);
  await owner.getByRole('button', { name: 'Delete the certificate…' }).click();
  await owner.getByRole('button', { name: 'Delete the certificate', exact: true }).click();
  await expect.poll(async () => (await read()).client_certificate).toBeNull();
});
