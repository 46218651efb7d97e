// What checkpoints are for: a proxy between Concord and the receiver answers 200 itself, and loses webhooks.

import { createServer, type RequestListener, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  createKeyCache,
  createWebhookReceiver,
  fetchMissing,
  missing,
  toNodeHandler,
  unseenCheckpoints,
  verifyCheckpoint,
  type WebhookEndpointCheckpoint,
  type WebhookEvent,
} from '@concord/webhook-receiver';
import { expect, it } from 'vitest';
import { pluck, stock, times } from '../../stage/cast.ts';
import { inForm } from '../../stage/form.ts';
import { listen } from '../../stage/listen.ts';
import { toLoopback } from '../../stage/receiver.ts';
import { useService } from '../../stage/start-service.ts';
import { createWebhookPartner } from '../../stage/webhook-stage.ts';
import { checkpointsOf } from './checkpoint-stage.ts';

const service = useService(toLoopback);

const serve = async (handle: RequestListener) => `http://127.0.0.1:${await listen(createServer(handle))}/`;

/** Passes requests on, except for those that `loses` chooses: it answers them with 200 itself. */
const startProxy = (target: () => string, loses: (event: WebhookEvent) => boolean) =>
  serve(async (incoming, answer) => {
    const body = await buffer(incoming);
    if (loses(JSON.parse(body.toString()))) return void answer.writeHead(200).end();
    request(target(), { method: 'POST', headers: incoming.headers }, (passed) => {
      answer.writeHead(passed.statusCode ?? 502);
      passed.pipe(answer);
    })
      .on('error', () => answer.writeHead(502).end())
      .end(body);
  });

type Received = WebhookEvent<'inventory.updated', { quantity: number }> | WebhookEndpointCheckpoint;

it('W77: a proxy that answers 200 itself loses 50 events: the receiver names exactly these, and fetches them', async () => {
  const all = inForm({ short: 500, long: 10_000 });
  const batch = inForm({ short: 250, long: 500 });
  const every = all / 50;
  const isLost = (quantity: number) => quantity % every === 7;
  const quantities = new Map<string, number>();
  const arrived: WebhookEndpointCheckpoint['data'][] = [];
  let checkpoints = 0;
  let receiverUrl = '';
  // The first checkpoint is lost too.
  const url = await startProxy(
    () => receiverUrl,
    ({ type, data }) =>
      type === 'inventory.updated' ? isLost((data as { quantity: number }).quantity) : ++checkpoints === 1,
  );
  const keys = createKeyCache({ url: `${service.url}/.well-known/jwks.json`, allowHttp: true });
  const partner = await createWebhookPartner(service, url, { checkpoint_minutes: 60, max_concurrency: 64 });
  const { id: partnerId, endpoint: endpointId } = partner;
  const { make, due } = checkpointsOf(service, partner);
  const receiver = createWebhookReceiver<Received>({
    url,
    partnerId,
    keys,
    handle: ({ id, type, data }) => {
      if (type === 'inventory.updated') quantities.set(id, data.quantity);
      else arrived.push(data);
    },
  });
  receiverUrl = await serve(toNodeHandler(receiver));

  const published = new Map<string, number>();
  for (let from = 0; from < all; from += batch) {
    const drafts = times(batch, (index) => stock(from + index));
    const events = await partner.send('POST', 'events/batch', drafts);
    for (const [index, { id }] of events.body.entries()) published.set(id, from + index);
    if (from === batch) await make();
  }
  const lost = [...published].filter(([, quantity]) => isLost(quantity)).map(([id]) => id);
  expect(lost).toHaveLength(50);
  const left = async () => (await partner.deliveries('?filter[status]=pending&page_size=1')).length;
  await expect.poll(left, { timeout: 120_000 }).toBe(0);
  await due();
  await service.runTask('make checkpoints');
  await expect.poll(() => arrived.length).toBe(1);

  // Concord believes that everything has arrived.
  expect([checkpoints, quantities.size]).toEqual([2, all - 50]);
  const api = { url: service.url, allowHttp: true, token: service.operatorToken };
  const checkpoint = await verifyCheckpoint(arrived[0]?.jws ?? '', { keys, partnerId, endpointId });
  const chain = [
    ...(await unseenCheckpoints(checkpoint, () => false, { ...api, keys, partnerId })),
    checkpoint,
  ];
  expect(pluck(chain, 'previous_id')).toEqual([null, chain[0]?.checkpoint_id]);
  expect(chain.reduce((sum, { count }) => sum + count, 0)).toBe(all);
  expect(chain[1]).toMatchObject({ pending: 0, failed: 0 });

  const named: string[] = [];
  for (const each of chain) {
    const found = await missing(each, quantities, api);
    expect(found.pending).toEqual([]);
    named.push(...found.lost);
    for await (const event of fetchMissing<WebhookEvent<string, { quantity: number }>>(each, found.lost, api))
      quantities.set(event.id, event.data.quantity);
  }
  expect(named).toEqual(lost);
  expect(new Map([...quantities].sort())).toEqual(new Map([...published].sort()));
  for (const each of chain) expect(await missing(each, quantities, api)).toEqual({ lost: [], pending: [] });
});
