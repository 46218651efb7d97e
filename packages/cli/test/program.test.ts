// The parser, the settings and the output, without a Concord.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { visible, visibleJson } from '../src/visible.ts';
import { listenOn, makeFolder, runCli } from './run-cli.ts';

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
    ["unknown command 'whomi' (Did you mean whoami?). See concord --help", 'whomi'],
    ["unknown option '--url'. See concord --help", '--url', 'x', 'whoami'],
    ["unknown option '--nothing'. See concord whoami --help", 'whoami', '--nothing'],
    ["missing required argument 'id'. See concord deliveries show --help", 'deliveries', 'show'],
    ['Expected 0 arguments but got 1. See concord whoami --help', 'whoami', 'more'],
    ['--forward-to must not be empty', 'listen', '--forward-to', ''],
    ['<id> must not be empty', 'deliveries', 'show', ''],
    ['--partner must be an id like ptr_01h2xcejqtf2nbrexx3vqjhp41, and not ..', 'whoami', '--partner', '..'],
  ] as const) {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^concord: .+\n$/)]);
    expect(stderr).toContain(problem);
  }
  const { code, stderr } = await runCli(['whoami', '--json', '--nothing']);
  expect([code, JSON.parse(stderr).error.code]).toEqual([2, 'usage']);
});

it('an incomplete command line ends with 2, and with its help on stderr', async () => {
  for (const [line, usage] of [
    [[], 'concord COMMAND'],
    [['events'], 'concord events COMMAND'],
    [['help', 'whomi'], 'concord COMMAND'],
    [['help', 'whomi', 'list'], 'concord COMMAND'],
  ] as const)
    expect(await runCli(line)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`Usage: ${usage} [options]`),
    });
});

it('help lists the commands in their order, and is a command too', async () => {
  const { code, stdout } = await runCli(['help']);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) .*/gm)].map(([, name]) => name);
  expect(stdout).toContain('Your Concord has the exit codes at /docs/command-line.md');
  expect([code, names]).toEqual([0, [...new Set(commands.map(({ path }) => path[0])), 'help']]);
  for (const { path } of commands)
    expect((await runCli(['help', ...path])).stdout).toBe((await runCli([...path, '--help'])).stdout);
});

it('F8: what is no id ends with 2, and is no part of a URL', async () => {
  const asked: string[] = [];
  const CONCORD_URL = await serve(({ url }) => [200, asked.push(url ?? '')]);
  const env = { CONCORD_URL, CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  for (const line of [
    ['deliveries', 'show'],
    ['deliveries', 'replay'],
    ['endpoints', 'check'],
    ['endpoints', 'pause'],
    ['trigger', 'x', '--data', '1', '--endpoint'],
    ['deliveries', 'list', '--endpoint'],
    ['deliveries', 'list', '--event'],
    ['events', 'tail', '--since'],
  ])
    for (const id of ['..', '.', 'a/b', 'dlv_x?', 'x', 'agr_x'])
      expect(await runCli([...line, id], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^concord: (<id>|--\w+) must be an id like [a-z]{3}_\w+, and not/),
      });
  for (const line of ['endpoints create https://x.test', 'listen --print-only'])
    expect(await runCli([...line.split(' '), '--types', ' ,'], { env })).toMatchObject({
      code: 2,
      stderr: 'concord: --types must have names with commas between them\n',
    });
  expect(await runCli(['deliveries', 'list'], { env: { ...env, CONCORD_PARTNER: '..' } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('CONCORD_PARTNER must be an id'),
  });
  const kept = keep(JSON.stringify({ url: CONCORD_URL, token: 'token', partner: '..' }));
  expect(await runCli(['deliveries', 'list'], { env: kept })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Which partner?'),
  });
  expect(asked).toEqual([]);
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
  for (const url of ['ftp://x.example', 'x', 'https://user:secret@x.example', 'https://x.example/#y'])
    expect((await runCli(['whoami', '--url', url], { env })).code).toBe(2);
  const page = ['open', 'ptr_01h2xcejqtf2nbrexx3vqjhp41', '--url'];
  expect((await runCli([...page, 'http://[::1]:9'])).code).toBe(0);
  const { code, stderr } = await runCli(['whoami', '--url', 'http://127.0.0.1:9'], { env });
  expect([code, stderr]).toEqual([6, expect.stringContaining('could not be reached')]);
});

it('a token that no header can hold is wrong, and is not shown; space around it does not count', async () => {
  const url = await serveUser();
  for (const token of ['secret\ntoken', 'secret-token\u2026', 'secret token'])
    expect(await runCli(['whoami', '--url', url], { env: { CONCORD_TOKEN: token } })).toMatchObject({
      code: 2,
      stderr: 'concord: The token has a character that no access token has. Copy it again\n',
    });
  expect(await runCli(['whoami', '--url', url], { env: { CONCORD_TOKEN: ' token\n' } })).toMatchObject({
    code: 0,
  });
});

it('a page that is not of Concord ends with 6', async () => {
  const url = await listenOn(
    createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>')),
  );
  expect(
    await runCli(['whoami', '--url', `${url}/console`], { env: { CONCORD_TOKEN: 'token' } }),
  ).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('not from Concord. Is the URL right?'),
  });
});

it('V1: an answer without API-Version is not of Concord: the exit code is 6, and nothing is printed or kept', async () => {
  for (const body of [{}, null, [], [{}], { id: 'dlv_x', credential: { id: 'tok_x' } }]) {
    const CONCORD_URL = await listenOn(
      createServer((_, response) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      ),
    );
    const kept = JSON.stringify({ url: CONCORD_URL, token: 'kept', partner: null });
    const env = { ...keep(kept), CONCORD_URL, CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
    for (const args of [
      ...['whoami', 'login --token-stdin', 'logout', 'deliveries list', 'endpoints list', 'events tail'],
      ...['show', 'send-now', 'replay'].map((verb) => `deliveries ${verb} dlv_x`),
      ...['pause whe_x', 'resume whe_x', 'check whe_x', 'create https://x.test'].map(
        (it) => `endpoints ${it}`,
      ),
      ...['trigger x', 'trigger --list', 'listen --print-only', `types pull ${env.XDG_CONFIG_HOME}/types.ts`],
    ])
      expect([args, await runCli(args.split(' '), { env, stdin: 'token' })]).toEqual([
        args,
        expect.objectContaining({
          code: 6,
          stdout: '',
          stderr: expect.stringMatching(/^concord: The answer 200 is not from Concord\. Is the URL right\?/),
        }),
      ]);
    expect(readdirSync(env.XDG_CONFIG_HOME)).toEqual(['concord']);
    expect(readFileSync(join(env.XDG_CONFIG_HOME, 'concord/cli.json'), 'utf8')).toBe(kept);
  }
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

it.each(['18.20.8', '20.2.0'])('the old Node %s is told which to use', (node) => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
  const main = join(import.meta.dirname, '../src/main.ts');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, main, '--version'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, `concord: Node ${node} is too old. Use Node 20.3 or later.\n`]);
});

it('the kept token goes to its own Concord only', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'concord'));
  const kept = { url: 'http://127.0.0.1:9', token: 'secret-token', partner: 'ptr_x' };
  writeFileSync(join(folder, 'concord/cli.json'), JSON.stringify(kept));
  const env = { XDG_CONFIG_HOME: folder };
  const { code, stderr } = await runCli(['whoami', '--url', 'http://127.0.0.1:10', '--json'], { env });
  expect(code).toBe(3);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('no token'),
  });
  const other = await serveUser();
  const both = { env: { ...env, CONCORD_TOKEN: 'token' } };
  const shown = await runCli(['whoami', '--url', other, '--json'], both);
  expect(JSON.parse(shown.stdout)).toMatchObject({ url: other, partner: null });
  writeFileSync(join(folder, 'concord/cli.json'), '{');
  expect((await runCli(['whoami'], { env })).code).toBe(2);
});

it('a redirect is not followed', async () => {
  const asked: string[] = [];
  const elsewhere = await serve(({ url }) => [200, asked.push(url ?? '')]);
  const url = await listenOn(
    createServer((_, response) => response.writeHead(307, { location: elsewhere }).end()),
  );
  for (const command of ['whoami', 'login'])
    expect((await runCli([command, '--url', url], { env: { CONCORD_TOKEN: 'token' } })).code).toBe(6);
  expect(asked).toEqual([]);
});

it('each status has its exit code, and what Concord says drives no terminal', async () => {
  const evil = 'x\u001b[2J';
  const errors = [{ pointer: evil, code: 'wrong', message: evil }];
  let status = 200;
  const me = { email: evil, role: 'user', credential: { kind: evil, id: evil, partner_ids: [evil] } };
  const CONCORD_URL = await serve(() => [status, status === 200 ? me : { code: 'x', message: evil, errors }]);
  const env = { CONCORD_URL, CONCORD_TOKEN: 'token' };
  for (const [answer, code] of [
    [200, 0],
    [401, 3],
    [403, 3],
    [404, 4],
    [422, 5],
    [501, 6],
  ] as const) {
    status = answer;
    const { stdout, stderr, ...ran } = await runCli(['whoami'], { env });
    expect([answer, ran.code]).toEqual([answer, code]);
    expect(stdout + stderr).toContain('x\\u001b[2J');
    expect(stdout + stderr).not.toContain('\u001b');
  }
});

it('lists end at their limit, and events tail goes on after the last event', async () => {
  const evil = 'x\u001b[2J';
  const CONCORD_URL = await serve(({ url = '' }) => {
    const from = Number(/page_from=evt_(\d)/.exec(url)?.[1] ?? 0);
    const events = [1, 2].map((more) => ({
      id: `evt_${from + more}`,
      created_at: evil,
      type: evil,
      data: evil,
    }));
    return [200, url.includes('/events') ? events : [{ id: 'dlv_1' }, { id: 'dlv_2' }]];
  });
  const env = { CONCORD_URL, CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  expect(
    JSON.parse((await runCli(['deliveries', 'list', '--limit', '1', '--json'], { env })).stdout),
  ).toEqual([{ id: 'dlv_1' }]);
  const { stdout } = await runCli(['events', 'tail', '--since', 'evt_0', '--limit', '4'], { env });
  expect(stdout.match(/evt_\d/g)).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
  expect(stdout).not.toContain('\u001b');
});

/** A Concord that knows each token. */
const serveUser = (partner_ids: string[] | null = ['ptr_x']): Promise<string> =>
  serve(({ url }) => [
    200,
    url?.startsWith('/partners')
      ? [{ id: 'ptr_a' }, { id: 'ptr_b' }]
      : {
          email: 'ann@example.com',
          role: 'user',
          credential: { kind: 'access_token', id: 'tok_x', partner_ids },
        },
  ]);

/** A Concord that answers with a status and JSON. */
const serve = (answer: (request: IncomingMessage) => [status: number, body: unknown]): Promise<string> =>
  listenOn(
    createServer((request, response) => {
      const [status, body] = answer(request);
      const headers = { 'content-type': 'application/json', 'api-version': '2.0' };
      response.writeHead(status, headers).end(JSON.stringify(body));
    }),
  );

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
    const folder = join(env.XDG_CONFIG_HOME, 'concord');
    expect(readdirSync(folder)).toEqual(['cli.json']);
    const modes = [folder, join(folder, 'cli.json')].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  },
);

it('login chooses the only partner, and none of several', async () => {
  for (const partners of [['ptr_a', 'ptr_b'], [], null]) {
    const args = ['login', '--token-stdin', '--json', '--url', await serveUser(partners)];
    const env = { XDG_CONFIG_HOME: makeFolder() };
    expect(JSON.parse((await runCli(args, { env, stdin: 'token' })).stdout).partner).toBeNull();
  }
});

it('a file of the token that cannot be written is named, and leaves nothing behind', async () => {
  const args = ['login', '--token-stdin', '--url', await serveUser()];
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const folder = join(env.XDG_CONFIG_HOME, 'concord');
  mkdirSync(join(folder, 'cli.json'), { recursive: true });
  const stderr = expect.stringContaining(`${join(folder, 'cli.json')} cannot be written`);
  expect(await runCli(args, { env, stdin: 'token' })).toMatchObject({ code: 2, stderr });
  expect(readdirSync(folder)).toEqual(['cli.json']);
});

it('logout forgets a token that works no more', async () => {
  const url = await serve(() => [401, { code: 'unauthenticated', message: 'Sign in.' }]);
  const env = keep(JSON.stringify({ url, token: 'old-token', partner: null }));
  expect(await runCli(['logout'], { env })).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(env.XDG_CONFIG_HOME, 'concord/cli.json'))).toBe(false);
});

it('O86: logout says what is left when it cannot delete the file', async () => {
  const url = await serve(() => {
    // Nobody can write a folder's name over, root neither.
    rmSync(file, { recursive: true, force: true });
    mkdirSync(file, { recursive: true });
    return [200, { credential: { kind: 'access_token', id: 'tok_x' } }];
  });
  const env = keep(JSON.stringify({ url, token: 'old-token', partner: null }));
  const file = join(env.XDG_CONFIG_HOME, 'concord/cli.json');
  expect(await runCli(['logout'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /^concord: The token is revoked\. The file .*cli\.json that has it cannot be deleted: .+\. Delete it yourself$/m,
    ),
  });
});

it('O86: logout keeps a token that it could not revoke, and says so', async () => {
  const url = await listenOn(createServer(({ socket }) => socket.destroy()));
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
