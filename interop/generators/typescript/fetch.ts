// Creates, publishes, lists by pages and makes an error, with the types of openapi-typescript and
// openapi-fetch.
import createClient from 'openapi-fetch';
import type { paths } from './schema.d.ts';

const { CONCORD_URL = '', CONCORD_TOKEN, CONCORD_NAME: name = '' } = process.env;
const client = createClient<paths>({
  baseUrl: CONCORD_URL,
  headers: { authorization: `Bearer ${CONCORD_TOKEN}` },
});

let partner = '';
for (let i = 0; i < 3; i++) {
  const { data, error } = await client.POST('/partners', {
    params: { header: { 'idempotency-key': `${name}${i}` } },
    body: { name: `${name} ${i}` },
  });
  if (error) throw new Error(error.message);
  partner = data.id;
}
const published = await client.POST('/partners/{id}/events', {
  params: { path: { id: partner } },
  body: { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12 } },
});
if (published.error) throw new Error(published.error.message);

const pages: number[] = [];
for (let from: string | undefined, more = true; more; more = from !== undefined) {
  const query = { page_size: 2, 'filter[name]': name, ...(from !== undefined && { page_from: from }) };
  const { data, error, response } = await client.GET('/partners', { params: { query } });
  if (error) throw new Error(error.message);
  pages.push(data.length);
  from = /[?&]page_from=([^&>]+)/.exec(response.headers.get('link') ?? '')?.[1];
}

const refused = await client.GET('/partners/{id}', { params: { path: { id: 'ptr_unknown' } } });
const error = `${refused.response.status} ${refused.error?.code}`;
process.stdout.write(`${JSON.stringify({ partner, event: published.data.id, pages, error })}\n`);
