// What failures say: the reason, and what to do.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reasonOf } from '../src/report.ts';
import { listenOn, makeFolder, runCli } from './run-cli.ts';

it.each([
  [401, 'A valid bearer token is required. Run concord login, or set CONCORD_TOKEN to a token that is valid'],
  [404, 'Not found. Check the id and the partner. What the token may not see looks the same'],
])('an answer %i says what to do', async (status, message) => {
  const [said] = /.*?\./.exec(message) ?? [];
  const server = createServer((_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 'x', message: said })),
  );
  const env = { CONCORD_URL: await listenOn(server), CONCORD_TOKEN: 'token' };
  expect(await runCli(['whoami'], { env })).toMatchObject({ stderr: `concord: ${message}\n` });
});

it('a certificate of an unknown authority is refused, with the setting that adds the authority', () => {
  // As fetch throws it.
  const problem = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('wrong certificate'), { code }) });
  const codes = [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ];
  for (const code of [...codes, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'])
    expect(reasonOf(problem(code))).toBe(
      ': wrong certificate. Set NODE_EXTRA_CA_CERTS to the certificate of your authority',
    );
  for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID'])
    expect(reasonOf(problem(code))).toBe(': wrong certificate');
});

it('a URL with a password is refused, and the password is not shown', async () => {
  for (const url of [
    'https://ann:secret@x.example',
    'https:ann:secret@x.example',
    'https:\\\\ann:secret@x.example',
    'postgres://ann:se/cret@x.example/db',
    '//ann:secret@x',
  ])
    expect(await runCli(['whoami'], { env: { CONCORD_URL: url, CONCORD_TOKEN: 'token' } })).toMatchObject({
      code: 2,
      stderr: expect.not.stringMatching(/cret|ann/),
    });
});

it('what is no URL is named, with an example', async () => {
  const env = { CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  for (const [line, url, message] of [
    ['whoami --url x', undefined, '--url must be a URL like https://concord.example.com, and not x'],
    ['whoami', 'ftp://x', 'CONCORD_URL must be a URL like https://concord.example.com, and not ftp://x'],
    ['whoami', 'https://x?y', 'CONCORD_URL must have no user, query or fragment, and not be https://x?y'],
    [
      'listen --forward-to 4000',
      'http://127.0.0.1:9',
      '--forward-to must be a URL like http://localhost:4000/hooks, and not 4000',
    ],
  ] as const)
    expect(
      await runCli(line.split(' '), { env: { ...env, ...(url && { CONCORD_URL: url }) } }),
    ).toMatchObject({
      code: 2,
      stderr: `concord: ${message}\n`,
    });
});

it.each([
  ['localhost:4000/hooks', 'http://localhost:4000/hooks'],
  ['127.0.0.1', 'http://127.0.0.1/'],
])('W64: listen takes %s as a URL', async (given, url) => {
  const asked = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    request.setEncoding('utf8').once('data', asked.resolve);
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"code":"x","message":"No."}');
  });
  const env = { CONCORD_URL: await listenOn(server), CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  expect((await runCli(['listen', '--forward-to', given], { env })).code).toBe(3);
  expect(JSON.parse(await asked.promise)).toMatchObject({ forward_to: url });
});

it('an empty list says so on stderr, and is an empty list with --json', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'api-version': '2.0' }).end('[]'),
  );
  const env = { CONCORD_URL: await listenOn(server), CONCORD_TOKEN: 'token', CONCORD_PARTNER: 'ptr_x' };
  const run = (...more: string[]) => runCli(['deliveries', 'list', ...more], { env });
  expect(await run()).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing found.\n' });
  expect(await run('--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
});

it('login and logout say that CONCORD_TOKEN wins, and a person is told how stdin ends', async () => {
  const me = { email: 'ann@example.com', credential: { kind: 'access_token', id: 'tok_x', partner_ids: [] } };
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'api-version': '2.0' })
      .end(JSON.stringify(me)),
  );
  const folder = { CONCORD_URL: await listenOn(server), XDG_CONFIG_HOME: makeFolder() };
  const run = (line: string, env: Record<string, string>, isInteractive = false) =>
    runCli(line.split(' '), { env: { ...folder, ...env }, stdin: 'token', isInteractive });
  const both = { CONCORD_TOKEN: 'other' };
  const [wins, stays] = [
    'CONCORD_TOKEN is set, and other commands use it, not this token. Unset it.\n',
    'CONCORD_TOKEN is still set, and other commands use it.\n',
  ];
  expect(await run('login --token-stdin', both)).toMatchObject({ code: 0, stderr: wins });
  expect(await run('logout', both)).toMatchObject({ code: 0, stderr: stays });
  const paste = 'Paste the token, and press Enter and Ctrl-D.\n';
  expect(await run('login --token-stdin', {}, true)).toMatchObject({ code: 0, stderr: paste });
  expect(await run('logout', {})).toMatchObject({ code: 0, stderr: '' });
});

it.runIf(existsSync('/dev/full'))('a full disk ends with 2 and a sentence', async () => {
  const main = join(import.meta.dirname, '../src/main.ts');
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [main, 'completion', 'bash'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^concord: stdout cannot be written: ENOSPC.*\n$/),
  ]);
});
