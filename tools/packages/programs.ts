// What strangers write with the packages: programs that compile and run.

/** Compiles and runs as an ES module and as CommonJS. */
export const program = `import { createKeyCache, createWebhookReceiver, toFetchHandler, WebhookError } from '@concord/webhook-receiver';
import type { BuiltInEvent, WebhookEvent } from '@concord/webhook-receiver';

const options = {
  url: 'https://hooks.example.com/concord',
  partnerId: 'ptr_01h2xcejqtf2nbrexx3vqjhp41',
  keys: createKeyCache({ url: 'https://concord.example.com/.well-known/jwks.json' }),
};
const receiver = createWebhookReceiver({
  ...options,
  handle: (event) => {
    const { data } = event;
    // @ts-expect-error: the type is not known yet
    void data.quantity;
    if (event.type === 'inventory.updated') event.data.quantity.toFixed();
    if (event.type === 'order.status_changed') event.data.status.trim();
  },
  onError: (error) => { if (!(error instanceof WebhookError)) throw error; },
});
type Paid = WebhookEvent<'invoice.paid', { invoice: string }>;
createWebhookReceiver<BuiltInEvent | Paid>({
  ...options,
  handle: (event) => { if (event.type === 'invoice.paid') event.data.invoice.trim(); },
});
// @ts-expect-error: the partner is missing
const withoutPartner = () => createWebhookReceiver({ url: options.url, keys: options.keys, handle: () => {} });
void withoutPartner;

async function main(): Promise<void> {
  const response = await toFetchHandler(receiver)(new Request(options.url, { method: 'POST', body: '{}' }));
  if (response.status !== 401) throw new Error('The packed packages do not work');
}
void main();
`;

/**
 * The same for the client: types of bodies and answers, lists, errors, and a request over a `fetch` of its
 * own.
 */
export const clientProgram = `import { ConcordError, createClient, createPartner, getPartner, items, listPartners, withResponse } from '@concord/client';
import type { Concord, Partner } from '@concord/client';

const client: Concord = createClient({
  baseUrl: 'https://concord.example.com',
  token: async () => 'a token',
  headers: { 'x-from': 'a stranger' },
  maxRetries: 0,
  fetch: async (input, init) => {
    const { headers, url } = new Request(input, init);
    const answer = { url, token: headers.get('authorization'), from: headers.get('x-from') };
    if (!url.endsWith('/missing')) return Response.json(answer, { headers: { etag: '"1"' } });
    return Response.json({ message: 'Not found.', code: 'not_found', request_id: 'req-1' }, { status: 404 });
  },
});
const names = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const partner of items(listPartners, { client, query: { 'filter[name]': 'nord' } })) found.push(partner.name);
  return found;
};
// @ts-expect-error: a partner needs a name
const withoutName = () => createPartner({ client, body: {} });
void [names, withoutName];

async function main(): Promise<void> {
  const { data, response } = await withResponse(getPartner, { client, path: { id: 'ptr_1' } });
  const partner: Partner = data;
  // @ts-expect-error: a partner has no such member
  void partner.quantity;
  const expected = { url: 'https://concord.example.com/partners/ptr_1', token: 'Bearer a token', from: 'a stranger' };
  const error: unknown = await getPartner({ client, path: { id: 'missing' } }).catch((thrown: unknown) => thrown);
  const isRight = error instanceof ConcordError && error.code === 'not_found' && response.headers.get('etag') === '"1"';
  if (!isRight || JSON.stringify(data) !== JSON.stringify(expected)) throw new Error('The packed client does not work');
}
void main();
`;
