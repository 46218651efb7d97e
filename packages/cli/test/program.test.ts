// The parser, the settings and the output, without a Concord.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
  for (const args of [['whomi'], ['whoami', '--nothing'], ['whoami', 'more'], ['whoami', '--url', '']]) {
    const { code, stdout, stderr } = await runCli(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
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
}, 30_000);

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
