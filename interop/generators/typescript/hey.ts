// Creates, publishes, lists by pages and makes an error, with the client that hey-api makes.

import { client } from './hey/client.gen.ts';
import { createPartner, getPartner, listPartners, publishEvent } from './hey/index.ts';

const { CONCORD_URL = '', CONCORD_TOKEN = '', CONCORD_NAME: name = '' } = process.env;
client.setConfig({ baseUrl: CONCORD_URL, auth: () => CONCORD_TOKEN });

let partner = '';
for (let i = 0; i < 3; i++) {
  const { data, error } = await createPartner({
    body: { name: `${name} ${i}` },
    headers: { 'idempotency-key': `${name}${i}` },
  });
  if (!data) throw new Error(error?.message);
  partner = data.id;
}
const published = await publishEvent({
  path: { id: partner },
  body: { type: 'inventory.updated', data: { sku: 'NX-1', quantity: 12 } },
});
if (!published.data) throw new Error(published.error?.message);

const pages: number[] = [];
for (let from: string | undefined, more = true; more; more = from !== undefined) {
  const query = { page_size: 2, 'filter[name]': name, ...(from !== undefined && { page_from: from }) };
  const { data, error, response } = await listPartners({ query });
  if (!data) throw new Error(error?.message);
  pages.push(data.length);
  from = /[?&]page_from=([^&>]+)/.exec(response?.headers.get('link') ?? '')?.[1];
}

const refused = await getPartner({ path: { id: 'ptr_unknown' } });
const error = `${refused.response?.status} ${refused.error?.code}`;
process.stdout.write(`${JSON.stringify({ partner, event: published.data.id, pages, error })}\n`);
