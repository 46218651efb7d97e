// The commands about endpoints, deliveries and events against the service.
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, runCli, startCli } from '../../../packages/cli/test/run-cli.ts';
import { succeed, useCast } from '../stage/cast.ts';
import { listen } from '../stage/endpoint-receivers.ts';
import { toLoopback, useReceiver } from '../stage/receiver.ts';
import { answer } from '../stage/webhook-stage.ts';

const { service, cast } = useCast(toLoopback);
const receiver = useReceiver(service);
const stock = (sku: string) => ({ type: 'inventory.updated', data: { sku, quantity: 12 } });

/** Runs commands for a new partner. */
async function usePartner() {
  const partner = await cast.partner();
  const env = { CONCORD_URL: service.url, CONCORD_TOKEN: service.operatorToken, CONCORD_PARTNER: partner };
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], { env });
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const publish = async (sku: string): Promise<string> =>
    succeed(await service.post(`/partners/${partner}/events`, stock(sku))).id;
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
  const [{ id }] = await json('deliveries', 'list', '--status', 'pending', '--type', 'inventory.updated');
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
  const careless = await listen(() => answer(200));
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
