// The command line against the service: its token, and what it shows.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, runCli, startCli } from '../../../packages/cli/test/run-cli.ts';
import { acl, may, succeed, useCast } from '../stage/cast.ts';

const { service, cast } = useCast();

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
  expect((await service.get('/me', token)).status).toBe(401);
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
