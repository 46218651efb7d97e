// The parser, the settings and the output, without a Concord.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { visible, visibleJson } from '../src/visible.ts';
import { makeFolder, runCli } from './run-cli.ts';

it('each command has help with an example that names it', async () => {
  for (const { path, example, summary } of commands) {
    expect(example).toContain(`concord ${path.join(' ')}`);
    const { code, stdout } = await runCli([...path, '--help']);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(summary);
    expect(stdout).toContain(`Example:\n  ${example}`);
    expect(stdout).toContain('--json');
  }
});

it('a wrong command line ends with 2, and says what is wrong', async () => {
  for (const [problem, ...args] of [
    ["unknown command 'whomi'", 'whomi'],
    ["unknown option '--nothing'", 'whoami', '--nothing'],
    ['too many arguments', 'whoami', 'more'],
    ['--forward-to must not be empty', 'listen', '--forward-to', ''],
    ['<id> must not be empty', 'deliveries', 'show', ''],
  ] as const) {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(problem)]);
  }
});

it('text from elsewhere cannot drive a terminal, and JSON stays the same value', () => {
  const hostile = 'a\u001b[2Jb\u009b31m\u0007\r\u202etxt\u2066\u200b\ufeff\u{e0041}\ud800\u007f\n';
  const shown = visible(hostile);
  expect(shown).toBe(
    'a\\u001b[2Jb\\u009b31m\\u0007\\u000d\\u202etxt\\u2066\\u200b\\ufeff\\u{e0041}\\ud800\\u007f\\u000a',
  );
  expect(visible('Blåbær 日本 😀')).toBe('Blåbær 日本 😀');
  const value = { [hostile]: [hostile] };
  for (const json of [visibleJson(value), visibleJson(value, 2)]) {
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
  }
});

it('http goes to this machine only, unless it is allowed', async () => {
  const env = { CONCORD_TOKEN: 'secret-token' };
  for (const url of ['http://10.0.0.1:9', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example']) {
    const { code, stderr } = await runCli(['whoami', '--url', url], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('has no TLS')]);
  }
  for (const url of ['ftp://concord.example', 'concord', 'https://user:secret@concord.example'])
    expect((await runCli(['whoami', '--url', url], { env })).code).toBe(2);
  const { code, stderr } = await runCli(['whoami', '--url', 'http://127.0.0.1:9'], { env });
  expect([code, stderr]).toEqual([6, expect.stringContaining('could not be reached')]);
});

it('a token that no header can hold is wrong, and is not shown; space around it does not count', async () => {
  const url = await serveUser();
  for (const token of ['secret\ntoken', 'secret-token\u2026', 'secret token'])
    expect(await runCli(['whoami', '--url', url], { env: { CONCORD_TOKEN: token } })).toMatchObject({
      code: 2,
      stderr: 'concord: The token has a character that no access token has\n',
    });
  expect(await runCli(['whoami', '--url', url], { env: { CONCORD_TOKEN: ' token\n' } })).toMatchObject({
    code: 0,
  });
});

it('a page that is not of Concord ends with 6', async () => {
  const url = await addressOf(
    createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>')),
  );
  expect(
    await runCli(['whoami', '--url', `${url}/console`], { env: { CONCORD_TOKEN: 'token' } }),
  ).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('not from Concord. Is the URL right?'),
  });
});

it('a byte order mark, which programs on Windows write, is no part of JSON', async () => {
  const url = await serveUser();
  const env = { CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x', CONCORD_URL: url };
  const ran = await runCli(['trigger', 'inventory.updated', '--data', '-'], {
    env,
    stdin: '\ufeff{"sku":"a"}',
  });
  expect(ran).toMatchObject({ code: 0, stderr: '' });
});

it('an old Node is told which to use', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`;
  const main = join(import.meta.dirname, '../src/main.ts');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, main, '--version'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, 'concord: Node 18.20.8 is too old. Use Node 20 or later.\n']);
});

it('the kept token goes to its own Concord only', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'concord'));
  const kept = { url: 'http://127.0.0.1:9', token: 'secret-token', partner: null };
  writeFileSync(join(folder, 'concord/cli.json'), JSON.stringify(kept));
  const env = { XDG_CONFIG_HOME: folder };
  const { code, stderr } = await runCli(['whoami', '--url', 'http://127.0.0.1:10', '--json'], { env });
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('no token'),
  });
  writeFileSync(join(folder, 'concord/cli.json'), '{');
  expect((await runCli(['whoami'], { env })).code).toBe(2);
});

/** A Concord that knows each token. */
async function serveUser(): Promise<string> {
  const credential = { kind: 'access_token', id: 'tok_x', partner_ids: ['ptr_x'] };
  const me = JSON.stringify({ email: 'ann@example.com', role: 'user', credential });
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(me),
  );
  return addressOf(server);
}

async function addressOf(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A configuration folder with this file of the token. */
function keep(text: string): { XDG_CONFIG_HOME: string } {
  const folder = makeFolder();
  mkdirSync(join(folder, 'concord'));
  writeFileSync(join(folder, 'concord/cli.json'), text);
  return { XDG_CONFIG_HOME: folder };
}
const unsafe = JSON.stringify({ url: 'http://10.0.0.1', token: 'secret-token', partner: null });

it.each(['{', unsafe, '{"url":"x","token":"y"}'])(
  'O86: login replaces the token file %s, and completion needs none',
  async (text) => {
    const url = await serveUser();
    const env = keep(text);
    expect((await runCli(['completion', 'bash'], { env })).code).toBe(0);
    expect((await runCli(['whoami'], { env })).code).toBe(2);
    expect((await runCli(['login'], { env })).stderr).toContain('Where is Concord?');
    const login = await runCli(['login', '--token-stdin', '--url', url], { env, stdin: 'new-token' });
    expect(login).toMatchObject({ code: 0, stderr: '' });
    const file = readFileSync(join(env.XDG_CONFIG_HOME, 'concord/cli.json'), 'utf8');
    expect(JSON.parse(file)).toEqual({ url, token: 'new-token', partner: 'ptr_x' });
  },
);

it('O86: logout keeps a token that it could not revoke, and says so', async () => {
  const url = await addressOf(createServer(({ socket }) => socket.destroy()));
  const env = keep(JSON.stringify({ url, token: 'secret-token', partner: null }));
  const { code, stdout, stderr } = await runCli(['logout', '--json'], { env });
  expect([code, stdout]).toEqual([6, '']);
  const { message } = JSON.parse(stderr).error;
  expect(message).toContain('The token still works, and is kept.');
  expect(message).toContain(`revoke it at ${url}/console/account/tokens`);
  expect(stderr).not.toContain('secret-token');
  expect(readFileSync(join(env.XDG_CONFIG_HOME, 'concord/cli.json'), 'utf8')).toContain('secret-token');
});

it('a kept token that no header can hold is not shown', async () => {
  const env = keep(JSON.stringify({ url: 'http://127.0.0.1:9', token: 'secret\ntoken', partner: null }));
  for (const command of ['whoami', 'logout']) {
    const { code, stderr } = await runCli([command], { env });
    expect([code, stderr.includes('secret')]).toEqual([2, false]);
  }
});

it('O86: an unsafe URL in the token file is refused only where it is used', async () => {
  const env = { ...keep(unsafe), CONCORD_TOKEN: 'other-token' };
  const stderr = expect.stringContaining('has no TLS');
  expect(await runCli(['whoami'], { env })).toMatchObject({ code: 2, stderr });
  expect((await runCli(['whoami', '--url', await serveUser()], { env })).code).toBe(0);
});
