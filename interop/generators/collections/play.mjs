// Creates, publishes, lists by pages and makes an error, with the requests of a collection.
import process from 'node:process';

/** `call`: sends the request with this name. */
export async function play(call) {
  const { CONCORD_NAME: name = '' } = process.env;
  let partner = '';
  for (let i = 0; i < 3; i++) {
    const headers = { 'Idempotency-Key': `${name}${i}` };
    partner = (await call('Create a partner (operators)', { headers, body: { name: `${name} ${i}` } })).body
      .id;
  }
  const data = { sku: 'NX-1', quantity: 12 };
  const published = await call('Publish an event', {
    path: { id: partner },
    body: { type: 'inventory.updated', data },
  });

  const pages = [];
  for (let from, more = true; more; more = from !== undefined) {
    const query = { page_size: '2', 'filter[name]': name, ...(from && { page_from: from }) };
    const { body, link } = await call('List the partners that you can see', { query });
    pages.push(body.length);
    from = /[?&]page_from=([^&>]+)/.exec(link ?? '')?.[1];
  }
  const refused = await call('Get a partner', { path: { id: 'ptr_unknown' } });
  const error = `${refused.status} ${refused.body.code}`;
  process.stdout.write(`${JSON.stringify({ partner, event: published.body.id, pages, error })}\n`);
}
