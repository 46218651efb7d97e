// The filter of an endpoint: built from conditions, and kept as it is.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { succeed } from '../../../server/test/stage/cast.ts';
import { show } from './screens.ts';
import { prepareStage } from './stage.ts';

const stage = prepareStage();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

it('W69: a filter is built from conditions, counts past events, and says what it kept back', async () => {
  const { service } = stage();
  const { id } = succeed(await service.post('/partners', { name: 'Filters' }));
  const publish = async (quantity: number): Promise<string> =>
    succeed(
      await service.post(`/partners/${id}/events`, {
        type: 'inventory.updated',
        environment: 'sandbox',
        data: { sku: 'NX-1', quantity },
      }),
    ).id;
  for (const quantity of [1, 5, 20]) await publish(quantity);
  const page = await stage().openAs('operator');
  await show(page, `/p/${id}/webhooks/endpoints?create=yes`);
  await button(page, 'Use the sandbox receiver').click();
  await page.getByText('keeps the last 50 requests').waitFor();
  await button(page, 'Add a condition').click();
  await page.getByLabel('Path in the data').fill('/quantity');
  await page.getByLabel('Condition', { exact: true }).selectOption('is less than');
  await page.getByLabel('Value', { exact: true }).fill('10');
  await page.getByText('2 of the last 3 events match.').waitFor();
  await button(page, 'Add a condition').click();
  await page.getByLabel('Path in the data').nth(1).fill('/colour');
  await page
    .getByText(/none knows \/colour/)
    .first()
    .waitFor();
  await button(page, 'Create the endpoint').click();
  await page
    .getByText(/none knows \/colour/)
    .nth(1)
    .waitFor();
  await page.getByLabel('Path in the data').nth(1).fill('/sku');
  await page.getByLabel('Value', { exact: true }).nth(1).fill('NX-1');
  await button(page, 'Edit as JSON').click();
  expect(JSON.parse(await page.getByLabel('Filter as JSON').inputValue())).toEqual({
    all: [
      { path: '/quantity', range: { lt: 10 } },
      { path: '/sku', equals: 'NX-1' },
    ],
  });
  await button(page, 'Edit as rows').click();
  await button(page, 'Remove condition 2').click();
  await button(page, 'Create the endpoint').click();
  await page.getByText('/quantity is less than 10').waitFor();

  const kept = await publish(30);
  await service.runTask('count filtered events');
  await page.reload();
  await page.getByText('Events that the filter kept back').waitFor();
  await show(page, `/p/${id}/webhooks/events/${kept}`);
  await page.getByText('Filtered: its filter did not match the data').waitFor();
});

it('B29, W69: a filter stays as it is while other fields change, and an edited row has the types of the endpoint', async () => {
  const { service, receiver } = stage();
  const put = async (name: string, properties: object, example: object) =>
    succeed(await service.put(`/event-types/${name}`, { description: 'd', schema: { properties }, example }));
  const text = { type: 'string' };
  const lines = { type: 'array', items: { properties: { sku: text } } };
  await put('order.made', { number: { type: 'integer' }, code: { enum: ['1', '2'] }, lines }, {});
  await put('parcel.made', { number: text }, {});
  const { id } = succeed(await service.post('/partners', { name: 'Exact filters' }));
  const endpoints = `/partners/${id}/webhook-endpoints`;
  const page = await stage().openAs('operator');
  const save = async (): Promise<void> => {
    await button(page, 'Save the endpoint').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  let path = '';
  for (const filter of [
    { path: '/lines/1/sku', equals: '4711' },
    { path: '/code', equals: '1' },
    { path: '/code', one_of: [' a', 'b'] },
    { all: [{ path: '/number', equals: 12 }] },
    { path: '/number', equals: 12 },
  ]) {
    const body = { url: receiver.url(), event_types: ['order.made'], filter };
    const made = succeed(await service.post(endpoints, body));
    path = `${endpoints}/${made.id}`;
    await show(page, `/p/${id}/webhooks/endpoints/${made.id}`);
    await button(page, 'Edit').click();
    await page.getByText(/^Description, order/).click();
    await page.getByLabel('Description', { exact: true }).fill('Orders');
    await save();
    expect(succeed(await service.get(path))).toMatchObject({ description: 'Orders', filter });
  }
  await button(page, 'Edit').click();
  await page.getByLabel('Value', { exact: true }).fill('13');
  await save();
  expect(succeed(await service.get(path)).filter).toEqual({ path: '/number', equals: 13 });
});
