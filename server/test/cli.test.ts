// The command line against the service: its token, and what it shows.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder, runCli } from '../../packages/cli/test/run-cli.ts';
import { acl, createCast } from './cast.ts';
import { useService } from './start-service.ts';

const service = useService();
const cast = createCast(service);

it('login keeps the token in a file of its owner, whoami uses it, and logout forgets it', async () => {
  const partner = await cast.partner();
  const member = await cast.member(partner, { acl_permissions: [acl('webhook_endpoints')] });
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
  expect(logout).toMatchObject({ code: 0, stdout: expect.stringContaining('still valid') });
  expect(existsSync(file)).toBe(false);
  for (const { stdout, stderr } of [login, whoami, people, logout])
    expect(stdout + stderr).not.toContain(token);
  expect((await runCli(['logout'], { env })).code).toBe(3);
});

it('logout ends a session, and a token that does not work is refused', async () => {
  const { token } = await cast.user();
  const env = { XDG_CONFIG_HOME: makeFolder() };
  const args = ['login', '--url', service.url, '--token-stdin'];
  expect(await runCli(args, { env, stdin: 'not-a-token' })).toMatchObject({ code: 3, stdout: '' });
  expect((await runCli(args, { env, stdin: 'two words' })).code).toBe(2);
  expect((await runCli(args, { env, stdin: token })).code).toBe(0);
  expect((await runCli(['logout', '--json'], { env })).stdout).toContain('"revoked": true');
  const { code, stderr } = await runCli(['whoami', '--url', service.url], { env: { CONCORD_TOKEN: token } });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/^concord: .*\n {2}request /)]);
});
