// `concord verify` with the vectors: requests that a receiver must accept or refuse.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listenOn, makeFolder, runCli } from './run-cli.ts';

type Vector = {
  name: string;
  accept: boolean;
  jwks: string;
  now: number;
  partner_id: string;
  step?: string;
  code?: string;
  request: { method: string; url: string; headers: [string, string][]; body: string };
};
const { jwks, cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../vectors/webhooks.json'), 'utf8'),
) as { jwks: Record<string, object>; cases: Vector[] };

function writeKeys(name: string): string {
  const file = join(makeFolder(), 'keys.json');
  writeFileSync(file, JSON.stringify(jwks[name]));
  return file;
}

it('each vector is accepted or refused, with its step and code', async () => {
  const keys = new Map(Object.keys(jwks).map((name) => [name, writeKeys(name)]));
  for (const { name, accept, jwks: used, now, partner_id, step = null, code = null, request } of cases) {
    const at = new Date(now * 1_000).toISOString();
    const options = ['--jwks', keys.get(used) ?? '', '--partner', partner_id, '--at', at, '--json'];
    const ran = await runCli(['verify', '-', ...options], { stdin: JSON.stringify(request) });
    expect(ran.code, `${name}: ${ran.stderr}`).toBe(accept ? 0 : 1);
    expect(JSON.parse(ran.stdout), name).toMatchObject({ verified: accept, step, code });
  }
});

const good = cases[0]!.request;
const head = good.headers.map(([name, value]) => `${name}: ${value}`);
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const line = 'POST /concord HTTP/1.1';
const host = 'Host: hooks.example.com';
const forms: Record<string, string> = {
  http: [line, host, ...head, '', good.body].join('\r\n'),
  'http with a line break more': `${[line, host, ...head, '', good.body].join('\n')}\n`,
  'http with a byte order mark': `\ufeff${[line, host, ...head, '', good.body].join('\r\n')}`,
  'curl --verbose': [
    '* Connected',
    ...[line, host, ...head, ''].map((each) => `> ${each}`),
    good.body,
    '< HTTP/1.1 204 No Content',
  ].join('\n'),
  curl: `curl -sS -m 5 ${quote(good.url)} \\\n${head.map((each) => `  -H ${quote(each)} \\\n`).join('')}  --data-raw ${quote(good.body)}\n`,
  'an attempt': JSON.stringify({
    number: 1,
    request: { ...good, headers: good.headers.map(([name, value]) => ({ name, value })) },
  }),
  'headers as an object': JSON.stringify({ ...good, headers: Object.fromEntries(good.headers) }),
  base64: JSON.stringify({
    ...good,
    body: Buffer.from(good.body).toString('base64'),
    body_encoding: 'base64',
  }),
};

it.each(Object.entries(forms))(
  'a request as %s verifies at the time when it was signed',
  async (_, stdin) => {
    const args = ['verify', '-', '--jwks', writeKeys('live')];
    const ran = await runCli(args, { stdin });
    expect(ran).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Verified') });
    expect(ran.stdout.match(/^ok /gm)).toHaveLength(9);
    const late = await runCli([...args, '--at', 'now'], { stdin });
    expect(late).toMatchObject({ code: 1, stdout: expect.stringContaining('created_too_old') });
    const changed = await runCli(args, { stdin: stdin.replace('hooks.example.com', 'other.example.com') });
    expect(changed).toMatchObject({ code: 1 });
  },
);

it('the partner is checked only if --partner names one', async () => {
  const other = 'ptr_01h2xcejqtf2nbrexx3vqjhp4z';
  const verify = (...more: string[]) =>
    runCli(['verify', '-', '--jwks', writeKeys('live'), ...more], {
      stdin: forms.http ?? '',
      env: { CONCORD_PARTNER: other },
    });
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('partner') });
  expect(await verify('--partner', other)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('partner_mismatch'),
  });
});

it('a signature for another URL shows its base and the URL, and nothing drives the terminal', async () => {
  const args = ['verify', '-', '--jwks', writeKeys('live')];
  const ran = await runCli([...args, '--endpoint-url', `${good.url}/`], { stdin: forms.http ?? '' });
  expect(ran.stdout).toContain('"@target-uri": https://hooks.example.com/concord/');
  expect(ran.stdout).toContain('The sender signed https://hooks.example.com/concord');
  const hostile = [line, host, ...head, 'X-Evil: \u001b[2J', '', '\u001b[31m'].join('\n');
  const shown = await runCli(args, { stdin: hostile });
  expect(shown.code).toBe(1);
  expect(shown.stdout + shown.stderr).not.toContain('\u001b');
});

it('the keys are those of the environment of the event, whatever its data says', async () => {
  const env = { CONCORD_URL: 'http://127.0.0.1:9' };
  for (const [environment, path] of [
    ['live', '/.well-known/jwks.json'],
    ['sandbox', '/sandbox/.well-known/jwks.json'],
  ]) {
    const body = JSON.stringify([
      { ...JSON.parse(good.body), environment, data: { environment: 'sandbox' } },
    ]);
    const ran = await runCli(['verify', '-', '--json'], { env, stdin: JSON.stringify({ ...good, body }) });
    expect(JSON.parse(ran.stdout).keys).toBe(`${env.CONCORD_URL}${path}`);
  }
});

it('a file that has no request, or no keys, is a wrong use', async () => {
  const keys = writeKeys('live');
  for (const stdin of ['', 'hello', '{', '{"request":null}', '{"url":1}', 'POST / HTTP/1.1\nno header\n\n'])
    expect((await runCli(['verify', '-', '--jwks', keys], { stdin })).code, stdin).toBe(2);
  const stdin = forms.http ?? '';
  expect((await runCli(['verify', '/nonexistent', '--jwks', keys])).code).toBe(2);
  expect((await runCli(['verify', '-', '--jwks', '/nonexistent'], { stdin })).code).toBe(2);
  expect((await runCli(['verify', '-', '--jwks', 'http://keys.example/'], { stdin })).code).toBe(2);
  for (const wrong of [
    ['--at', 'yesterday'],
    ['--endpoint-url', 'hooks.example.com/concord'],
  ])
    expect((await runCli(['verify', '-', '--jwks', keys, ...wrong], { stdin })).code).toBe(2);
  writeFileSync(keys, 'hello');
  expect(await runCli(['verify', '-', '--jwks', keys], { stdin })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${keys} has no keys`),
  });
});

it('keys that cannot be fetched end with 6, since nobody has said whether it verifies, and with the reason', async () => {
  const other = await listenOn(createServer((_, response) => response.writeHead(404).end()));
  for (const [source, reason] of [
    ['http://127.0.0.1:9/', 'bad port'],
    [other, 'it answered 404'],
  ] as const) {
    const run = (...more: string[]) =>
      runCli(['verify', '-', '--jwks', source, ...more], { stdin: forms.http ?? '' });
    expect(await run()).toMatchObject({ code: 6, stdout: expect.stringContaining(reason) });
    expect(JSON.parse((await run('--json')).stdout).reason).toContain(reason);
  }
});
