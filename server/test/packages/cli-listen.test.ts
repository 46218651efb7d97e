// `concord listen` and `concord trigger` against the service.

import { createServer, type RequestListener } from 'node:http';
import { createKeyCache, verifyWebhook, type WebhookEvent } from '@concord/webhook-receiver';
import { expect, it, onTestFinished } from 'vitest';
import { runCli, startCli } from '../../../packages/cli/test/run-cli.ts';
import { succeed, useCast } from '../stage/cast.ts';
import { listen as listenOn } from '../stage/listen.ts';
import { startRelay } from '../stage/relay.ts';

const { service, cast } = useCast();
const stock = { type: 'inventory.updated', environment: 'sandbox', data: { sku: 'NX-1', quantity: 12 } };

const openReceiver = async (handle: RequestListener) =>
  `http://127.0.0.1:${await listenOn(createServer(handle))}/hooks?x=1`;

/** Until the test calls `end`, which is Ctrl-C. */
async function listen(partner: string, args: string[], url = service.url) {
  const ending = new AbortController();
  const env = { CONCORD_URL: url, CONCORD_TOKEN: service.operatorToken, CONCORD_PARTNER: partner };
  const { output, done } = startCli(['listen', ...args], { env, ended: ending.signal });
  onTestFinished(() => ending.abort());
  await expect.poll(() => output.stderr).toContain('Ready');
  const end = () => {
    ending.abort();
    return done;
  };
  return { output, end };
}

const endpointsOf = async (partner: string) =>
  succeed(await service.get(`/partners/${partner}/webhook-endpoints`));
const deliveryOf = async (partner: string) =>
  succeed(await service.get(`/partners/${partner}/deliveries?sort_dir=desc`))[0];

it('W64: listen forwards what Concord signed, answers, and leaves nothing behind', async () => {
  const partner = await cast.partner();
  const verified: WebhookEvent[] = [];
  const target: string = await openReceiver(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = Object.entries(request.headersDistinct).map(
      ([name, values]) => [name, values?.[0] ?? ''] as const,
    );
    const keys = createKeyCache({ url: `${service.url}/sandbox/.well-known/jwks.json`, allowHttp: true });
    const message = {
      method: 'POST',
      url: target,
      headers: Object.fromEntries(headers),
      body: Buffer.concat(parts),
    };
    const { event } = await verifyWebhook<WebhookEvent>(message, { keys, partnerId: partner });
    verified.push(event);
    response.writeHead(202).end('taken \u001b[2J');
  });
  const { output, end } = await listen(partner, [
    '--forward-to',
    target,
    '--types',
    'inventory.updated',
    '-v',
  ]);
  expect(await endpointsOf(partner)).toMatchObject([
    { listener: true, url: target, event_types: [stock.type] },
  ]);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expect.poll(async () => (await deliveryOf(partner))?.status).toBe('delivered');
  expect(verified).toMatchObject([{ type: stock.type, data: stock.data }]);
  expect(output.stdout).toMatch(/inventory\.updated {2}202 {2}\d+ ms {2}dlv_/);
  expect(output.stdout).toContain('signature-input: ');
  expect(output.stdout).toContain('< taken \\u001b[2J');
  expect(output.stdout).not.toContain('\u001b');
  expect(await end()).toBe(0);
  expect(await endpointsOf(partner)).toEqual([]);
});

it('W64: a receiver that is not there is a failed attempt, and print-only answers itself', async () => {
  const partner = await cast.partner();
  const refused = await listen(partner, ['--forward-to', 'http://127.0.0.1:9/', '--json']);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expect.poll(() => refused.output.stdout).not.toBe('');
  expect(JSON.parse(refused.output.stdout).answer.error).toContain('ECONNREFUSED');
  await expect.poll(async () => (await deliveryOf(partner)).attempt_count).toBe(1);
  expect(await refused.end()).toBe(0);
  const printed = await listen(partner, ['--print-only', '--json']);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expect.poll(async () => (await deliveryOf(partner)).status).toBe('delivered');
  expect(JSON.parse(JSON.parse(printed.output.stdout).body).data).toEqual(stock.data);
  expect(await printed.end()).toBe(0);
});

it('W64: a cut connection loses nothing, and forwards nothing twice', async () => {
  const partner = await cast.partner();
  const relay = await startRelay();
  onTestFinished(relay.close);
  relay.to(service.url);
  let seen = 0;
  const held: (() => void)[] = [];
  const target = await openReceiver((_request, response) => {
    seen++;
    held.push(() => response.writeHead(204).end());
  });
  const { output, end } = await listen(partner, ['--forward-to', target], relay.url);
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expect.poll(() => seen).toBe(1);
  relay.cut();
  await expect.poll(() => output.stderr).toContain('The connection to Concord was lost');
  await expect.poll(() => output.stderr).toContain('Connected again');
  // The new stream repeats the request, which is not forwarded again.
  held[0]?.();
  await expect.poll(async () => (await deliveryOf(partner)).status).toBe('delivered');
  relay.cut();
  succeed(await service.post(`/partners/${partner}/events`, stock));
  await expect.poll(() => seen).toBe(2);
  held[1]?.();
  await expect.poll(async () => (await deliveryOf(partner)).status).toBe('delivered');
  expect(seen).toBe(2);
  expect(await end()).toBe(0);
});

it('listen ends with what is wrong: no target, no access, no such type', async () => {
  const partner = await cast.partner();
  const env = { CONCORD_URL: service.url, CONCORD_TOKEN: service.operatorToken, CONCORD_PARTNER: partner };
  expect((await runCli(['listen'], { env })).code).toBe(2);
  expect((await runCli(['listen', '--forward-to', 'file:///etc/passwd'], { env })).code).toBe(2);
  const { token } = await cast.user();
  const stranger = { env: { ...env, CONCORD_TOKEN: token } };
  expect((await runCli(['listen', '--print-only'], stranger)).code).toBe(4);
  const typo = await runCli(['listen', '--print-only', '--types', 'inventory.upated'], { env });
  expect([typo.code, typo.stderr]).toEqual([
    5,
    expect.stringContaining('\n  /event_types  event_types must'),
  ]);
});

it('trigger publishes the example, or data that Concord checks', async () => {
  const partner = await cast.partner();
  const env = { CONCORD_URL: service.url, CONCORD_TOKEN: service.operatorToken, CONCORD_PARTNER: partner };
  const types = JSON.parse((await runCli(['trigger', '--list', '--json'], { env })).stdout);
  expect(types).toContainEqual(expect.objectContaining({ name: 'inventory.updated' }));
  expect((await runCli(['trigger', '--list'], { env })).stdout).toContain('inventory.updated  ');
  const event = JSON.parse((await runCli(['trigger', 'inventory.updated', '--json'], { env })).stdout);
  expect(event).toMatchObject({ environment: 'sandbox', type: 'inventory.updated' });
  const args = ['trigger', 'inventory.updated', '--data', '-'];
  expect((await runCli(args, { env, stdin: JSON.stringify(stock.data) })).stdout).toMatch(/evt_/);
  const wrong = await runCli(args, { env, stdin: '{"sku":"NX-1","quantity":"many"}' });
  expect([wrong.code, wrong.stderr]).toEqual([5, expect.stringContaining('/data/quantity')]);
  expect((await runCli(args, { env, stdin: '{' })).code).toBe(2);
  expect((await runCli(['trigger', 'no.such.type'], { env })).code).toBe(4);
  const { id } = succeed(
    await service.post(`/partners/${partner}/webhook-endpoints`, {
      url: 'https://hooks.example.com/',
      environment: 'sandbox',
    }),
  );
  const own = [
    'trigger',
    'inventory.updated',
    '--endpoint',
    id,
    '--data',
    '{"sku":"mine","quantity":7}',
    '--json',
  ];
  expect(JSON.parse((await runCli(own, { env })).stdout).data).toEqual({ sku: 'mine', quantity: 7 });
  const test = await runCli(['trigger', 'inventory.updated', '--endpoint', id], { env });
  expect(test).toMatchObject({ code: 0, stdout: expect.stringContaining('to this endpoint only') });
});
