// The command line against the service: its token, and what it shows.
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { createKeyCache, verifyWebhook, type WebhookEvent } from '@concord/webhook-receiver';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, runCli, startCli } from '../../../packages/cli/test/run-cli.ts';
import { acl, expectStatus, may, succeed, useCast } from '../stage/cast.ts';
import { listen as listenAt } from '../stage/endpoint-receivers.ts';
import { listen as listenOn } from '../stage/listen.ts';
import { toLoopback, useReceiver } from '../stage/receiver.ts';
import { startRelay } from '../stage/relay.ts';
import { answer } from '../stage/webhook-stage.ts';

const { service, cast } = useCast(toLoopback);

it('login keeps the token in a file of its owner, whoami uses it, and logout forgets it', async () => {
  const partner = await cast.partner();
  const member = await cast.member(partner, may('webhook_endpoints'));
  const token = await cast.accessToken(member, [acl('webhook_endpoints')], [partner]);
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const login = await runCli(['login', '--url', `${service.url}/`, '--token-stdin'], {
    env,
    stdin: `${token}\n`,
  });
  expect(login).toMatchObject({ code: 0, stderr: '' });
  expect(login.stdout).toContain(`The partner is ${partner}.`);
  const file = join(env.XDG_CONFIG_HOME, 'concord/cli.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ url: service.url, token, partner });
  const whoami = await runCli(['whoami', '--json'], { env });
  expect(JSON.parse(whoami.stdout)).toMatchObject({ source: 'file', user: { email: member.email } });
  const people = await runCli(['whoami'], { env });
  expect(people.stdout).toContain(member.email);
  const logout = await runCli(['logout'], { env });
  expect(logout).toMatchObject({ code: 0, stdout: 'The token is forgotten and revoked.\n' });
  await expectStatus(401, service.get('/me', token));
  expect(existsSync(file)).toBe(false);
  for (const { stdout, stderr } of [login, whoami, people, logout])
    expect(stdout + stderr).not.toContain(token);
  expect((await runCli(['logout'], { env })).code).toBe(3);
});

it('T30: login asks the console, and keeps the token that a person approves there', async () => {
  const partner = await cast.partner();
  const member = await cast.member(partner, may('webhook_endpoints'));
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const { output, done } = startCli(['login', '--url', service.url], { env });
  const shown = () => /Open (\S+)\n.* the code (\S+)\.\n/.exec(output.stderr);
  await expect.poll(shown).not.toBeNull();
  const [, page = '', code = ''] = shown() ?? [];
  expect(page).toBe(`${service.url}/console/device?user_code=${code}`);
  expect(output.started).toEqual([]);
  const body = { name: 'laptop', scopes: [acl('webhook_endpoints')], partner_ids: [partner] };
  succeed(await service.post(`/me/device-authorizations/${code}/approve`, body, member.token));
  expect(await done).toBe(0);
  const { token, ...kept } = JSON.parse(readFileSync(join(env.XDG_CONFIG_HOME, 'concord/cli.json'), 'utf8'));
  expect(kept).toEqual({ url: service.url, partner });
  expect(output.stdout + output.stderr).not.toContain(token);
  expect((await runCli(['endpoints', 'list', '--json'], { env })).stdout).toBe('[]\n');
  expect((await runCli(['logout'], { env })).code).toBe(0);
});

it('T30: a login that is denied ends with its exit code, and keeps nothing', async () => {
  const { token } = await cast.user();
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const { output, done } = startCli(['login', '--url', service.url], { env });
  await expect.poll(() => output.stderr).toContain('the code');
  const code = /the code (\S+)\./.exec(output.stderr)?.[1];
  await service.post(`/me/device-authorizations/${code}/deny`, undefined, token);
  expect(await done).toBe(3);
  expect(output.stderr).toContain('denied in the console');
  expect(existsSync(join(env.XDG_CONFIG_HOME, 'concord'))).toBe(false);
});

it('logout ends a session, and a token that does not work is refused', async () => {
  const { token } = await cast.user();
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const args = ['login', '--url', service.url, '--token-stdin'];
  expect(await runCli(args, { env, stdin: 'not-a-token' })).toMatchObject({ code: 3, stdout: '' });
  expect((await runCli(args, { env, stdin: 'two words' })).code).toBe(2);
  expect((await runCli(args, { env, stdin: token })).code).toBe(0);
  expect((await runCli(['logout', '--json'], { env })).stdout).toContain('"token_id": "');
  const { code, stderr } = await runCli(['whoami', '--url', service.url], { env: { CONCORD_TOKEN: token } });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^concord: .*\n {2}request /)]);
});

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

const receiver = useReceiver(service);
const stockOf = (sku: string) => ({ type: 'inventory.updated', data: { sku, quantity: 12 } });

async function usePartner() {
  const partner = await cast.partner();
  const env = { CONCORD_URL: service.url, CONCORD_TOKEN: service.operatorToken, CONCORD_PARTNER: partner };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], { env });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const publish = async (sku: string): Promise<string> =>
    succeed(await service.post(`/partners/${partner}/events`, stockOf(sku))).id;
  return { env, json, publish, run: (...args: string[]) => runCli(args, { env }) };
}

it('endpoints are created, listed, paused and resumed', async () => {
  const { json, run } = await usePartner();
  const url = receiver.url();
  const made = await json('endpoints', 'create', url, '--types', 'inventory.updated', '--strict');
  expect(made).toMatchObject({
    url,
    environment: 'sandbox',
    ordering: 'strict',
    event_types: ['inventory.updated'],
  });
  expect(await json('endpoints', 'pause', made.id)).toMatchObject({ status: 'paused' });
  expect(await json('endpoints', 'list')).toMatchObject([{ id: made.id, status: 'paused' }]);
  expect((await run('endpoints', 'resume', made.id)).stdout).toBe(`${made.id}  active\n`);
  const listed = await run('endpoints', 'list', '--environment', 'sandbox', '--limit', '1');
  expect(listed.stdout).toBe(`${made.id}  sandbox  active  ${url}\n`);
  expect(await json('endpoints', 'list', '--environment', 'live')).toEqual([]);
  expect((await run('endpoints', 'list', '--environment', 'test')).code).toBe(2);
  expect((await run('endpoints', 'list', '--limit', '0')).code).toBe(2);
  expect((await run('endpoints', 'pause', 'whe_01h2xcejqtf2nbrexx3vqjhp41')).code).toBe(4);
});

it('W69: an endpoint is created with a filter, from the command line or a file', async () => {
  const { json, run } = await usePartner();
  const filter = { path: '/quantity', range: { lt: 10 } };
  const create = ['endpoints', 'create', receiver.url(), '--filter'];
  expect(await json(...create, JSON.stringify(filter))).toMatchObject({ filter });
  const file = join(makeFolder(), 'filter.json');
  writeFileSync(file, JSON.stringify({ not: filter }));
  expect(await json(...create, `@${file}`)).toMatchObject({ filter: { not: filter } });
  expect(await run(...create, '{')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The filter is not JSON'),
  });
  expect((await run(...create, '{"path":"/x","exists":true}')).stderr).toContain('/x');
});

it('deliveries are listed, shown, verified, replayed and sent now; answers drive no terminal', async () => {
  const { json, run, publish, env } = await usePartner();
  let status = 500;
  const url = receiver.url((_, response) => void response.writeHead(status).end('no\u001b[2J \u202e'));
  await json('endpoints', 'create', url, '--environment', 'live');
  await publish('a');
  await receiver.count(url, 1);
  await expect.poll(async () => (await json('deliveries', 'list'))[0]?.attempt_count).toBe(1);
  const [{ id }] = await json('deliveries', 'list', '--state', 'retrying', '--type', 'inventory.updated');
  const shown = await run('deliveries', 'show', id);
  expect(shown.stdout).toContain('< no\ufffd[2J \\u202e');
  const attempt = await run('deliveries', 'show', id, '--attempt', '1');
  expect(attempt.stdout).toContain(`POST ${url}`);
  for (const control of ['\u001b', '\u202e']) expect(shown.stdout + attempt.stdout).not.toContain(control);
  const stdin = JSON.stringify(await json('deliveries', 'show', id, '--attempt', '1'));
  const verified = await runCli(['verify', '-'], { env, stdin });
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('Verified') });
  status = 200;
  await json('deliveries', 'send-now', id);
  await expect.poll(async () => (await json('deliveries', 'show', id)).status).toBe('delivered');
  await json('deliveries', 'replay', id);
  await receiver.count(url, 3);
  const listed = await run('deliveries', 'list', '--limit', '5');
  expect(listed.stdout).toContain(id);
  expect((await run('deliveries', 'show', 'dlv_01h2xcejqtf2nbrexx3vqjhp41')).code).toBe(4);
});

it('events tail shows each event once, and goes on from an event', async () => {
  const { env, json, publish } = await usePartner();
  const first = await publish('a');
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const { output, done } = startCli(['events', 'tail', '--json'], { env, ended: ending.signal });
  await expect.poll(() => output.stderr).toContain('Waiting');
  const second = await publish('b\u009b31m');
  const third = await publish('c');
  const lines = () => output.stdout.split('\n').slice(0, -1);
  await expect.poll(() => lines().length).toBe(2);
  expect(output.stdout).not.toContain('\u009b');
  expect(lines().map((line) => JSON.parse(line).id)).toEqual([second, third]);
  ending.abort();
  expect(await done).toBe(0);
  const one = await json('events', 'tail', '--since', first, '--limit', '1', '--type', 'inventory.updated');
  expect(one.id).toBe(second);
});

it('endpoints check says which cases fail, and ends with 1', async () => {
  const { json, run } = await usePartner();
  const careless = await listenAt(() => answer(200));
  const { id } = await json('endpoints', 'create', careless.url);
  const checked = await run('endpoints', 'check', id);
  expect(checked.code).toBe(1);
  expect(checked.stdout).toMatch(/failed +refuses_missing_signature {2}expected not 2xx, got 200/);
});

it('types pull writes the named file, follows no link, and replaces nothing of others', async () => {
  const { json, run } = await usePartner();
  const folder = makeFolder();
  const [file, link, other] = ['events.ts', 'link.ts', 'other.ts'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  expect((await json('types', 'pull', file)).types).toContain('inventory.updated');
  expect(readFileSync(file, 'utf8')).toContain('export type InventoryUpdated = {');
  await json('types', 'pull', file);
  symlinkSync(file, link);
  writeFileSync(other, 'mine');
  expect((await run('types', 'pull', link)).stderr).toContain('is a link');
  expect((await run('types', 'pull', other)).code).toBe(2);
  expect((await run('types', 'pull', folder)).code).toBe(2);
  expect(await run('types', 'pull', join(folder, 'missing/events.ts'))).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /events\.ts cannot be written: its folder does not exist\. Make it first\n$/,
    ),
  });
  expect(readFileSync(other, 'utf8')).toBe('mine');
  expect(readdirSync(folder).sort()).toEqual(['events.ts', 'link.ts', 'other.ts']);
});
