// The configuration: every problem at once, secrets from files, unknown names.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baseUrlOf, type ConfigError, consoleSettingsOf, type Environment, readConfig } from './config.ts';

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('the configuration', () => {
  it('B13: the default base URL is one at which a browser can sign in', () => {
    const of = (environment: Environment) => {
      const { config } = readConfig({ PORT: '3001', ...environment });
      return [baseUrlOf(config), consoleSettingsOf(config).mail.folder !== null];
    };
    expect(of({})).toEqual(['http://127.0.0.1:3001', true]);
    for (const HOST of ['::1', '::1%lo']) expect(of({ HOST })).toEqual(['http://[::1]:3001', true]);
    // The service may have strangers as callers, who do not learn its paths.
    for (const HOST of ['0.0.0.0', '::']) expect(of({ HOST })).toEqual(['http://127.0.0.1:3001', false]);
    expect(of({ HOST: '0.0.0.0', CONCORD_BASE_URL: 'http://localhost:3001' })).toEqual([
      'http://localhost:3001',
      true,
    ]);
    expect(of({ HOST: '192.0.2.2' })).toEqual(['http://192.0.2.2:3001', false]);
  });

  it('has a default for everything, and is frozen', () => {
    const { config, warnings } = readConfig({});
    expect([config.HOST, config.PORT, config.DATABASE_URL, config.CONCORD_RATE_LIMIT, warnings]).toEqual([
      '127.0.0.1',
      3000,
      null,
      { requests: 100, windowSeconds: 10 },
      [],
    ]);
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig({ PORT: '', CONCORD_OPERATOR_PASSWORD: '' }).config.PORT).toBe(3000);
  });

  it('reports every problem at once, without secrets', () => {
    const problems = problemsOf({
      PORT: '65536',
      CONCORD_BASE_URL: 'https://example.com/path',
      DATABASE_URL: 'mysql://user:hidden-password@host/db',
      CONCORD_SECRETS: '1:hidden',
      CONCORD_OPERATOR_EMAIL: 'nobody',
      CONCORD_OPERATOR_PASSWORD: 'hidden',
      CONCORD_RATE_LIMIT: '0/10s',
      CONCORD_TRUSTED_PROXIES: '10.0.0.0/33',
      CONCORD_LOG_LEVEL: 'loud',
    });
    expect(problems).toHaveLength(9);
    expect(problems.join()).not.toContain('hidden');
  });

  it.each([
    [
      'HOST',
      ['127.0.0.1', '::1', '0.0.0.0', 'concord.internal', 'my_host'],
      ['my host', 'a/b', '1.2.3.4.5', 'http://a', '[::1]', 'a:80'],
    ],
    ['PORT', ['0', '80', '65535'], ['-1', '1e3', '3000 ', 'http']],
    [
      'CONCORD_BASE_URL',
      ['http://a', 'https://a.example:8443'],
      ['a.example', 'ftp://a', 'https://a/?x', 'https://u@a', 'https://:pw@a'],
    ],
    ['CONCORD_RATE_LIMIT', ['off', '1/1s', '100/10s'], ['100', '100/10', '1/0s', 'on']],
    [
      'CONCORD_TRUSTED_PROXIES',
      ['10.0.0.1', '10.0.0.0/8, ::1, fd00::/8', 'fc00::/7', '::ffff:10.0.0.0/104'],
      [
        ...['10.0.0.256', '10.0.0.0/x', 'proxy', '10.0.0.0/8/8', '0.0.0.0/0', '::1, ::/0', '10.0.0.1/000'],
        ...['0.0.0.0/1,128.0.0.0/1', '10.0.0.0/7', '2000::/3', 'fc00::/6', '::ffff:0:0/96', '::ffff:0:0/103'],
      ],
    ],
    [
      'CONCORD_SECRETS',
      [`1:${'x'.repeat(32)}`, `2:${'y'.repeat(32)}, 1:${'x'.repeat(40)}`],
      [`1:${'x'.repeat(31)}`, 'x'.repeat(40), `1:${'x'.repeat(32)},1:${'y'.repeat(32)}`],
    ],
    ['CONCORD_WEBHOOK_TIMEOUT', ['100ms', '15s', '5m'], ['99ms', '6m', '15', 'soon']],
    ['CONCORD_WEBHOOK_RETENTION', ['7d', '168h', '90d'], ['6d', '10y', '3651d']],
    ['CONCORD_WEBHOOK_CONCURRENCY', ['4', '10000'], ['3', '10001', '-5', 'many']],
    [
      'CONCORD_WEBHOOK_BASE_URL',
      ['https://hooks.example', 'https://a.example/b/'],
      ['hooks', 'ftp://a', 'https://a/?b', 'https://u@a', 'https://:pw@a/b'],
    ],
    [
      'CONCORD_WEBHOOK_PROXY_URL',
      ['http://proxy:3128', 'https://u:p@proxy'],
      ['proxy:3128', 'socks5://proxy', 'http://proxy/path'],
    ],
    ['CONCORD_SIGNER', ['auto', 'node'], ['native', 'Node']],
    [
      'CONCORD_SMTP_URL',
      ['smtp://user:password@host:587', 'smtps://host'],
      ['host:587', 'http://host', 'smtp://', 'smtp:host'],
    ],
    [
      'CONCORD_MAIL_FROM',
      ['concord@example.com', 'Concord <concord@example.com>'],
      ['concord', 'Concord <concord>', 'a@example.com\nBcc: b@example.com', 'A <a@b> <c@d>'],
    ],
    ['CONCORD_DNS_SERVERS', ['9.9.9.9', '127.0.0.1:5353, [2620:fe::fe]:53', '::1'], ['dns', '9.9.9.9:x']],
    ['CONCORD_ROLE', ['all'], ['api', 'worker', 'both']],
    ['CONCORD_OPERATOR_EMAIL', ['a@b.example', 'A.b+c@B.example'], ['a@b', 'a b@c.example', '@b.example']],
    [
      'CONCORD_OPERATOR_EMAIL',
      ["o'neil_x+y-z@bücher.example", 'operator@concord.local', 'a!b@example.com'],
      ['jürgen@example.com', 'a..b@example.com', 'a@192.0.2.1'],
    ],
  ])('O76: %s takes valid values and refuses others', (name, good, bad) => {
    for (const text of good) expect(problemsOf({ [name]: text })).toEqual([]);
    for (const text of bad)
      expect(problemsOf({ [name]: text })).toEqual([expect.stringContaining(`${name}: `)]);
  });

  it('O76: an issuer with http is on this machine, also by its name', () => {
    const of = (CONCORD_OIDC_ISSUER: string) =>
      problemsOf({
        CONCORD_OIDC_ISSUER,
        CONCORD_OIDC_CLIENT_ID: 'a',
        CONCORD_OIDC_CLIENT_SECRET: 'b',
      });
    for (const host of ['https://id.example', 'http://localhost:1', 'http://127.0.0.2', 'http://[::1]:1'])
      expect(of(`${host}/realm`)).toEqual([]);
    for (const host of ['localhost.evil.example', '127.evil.example', '127.0.0.1.evil.example', 'localhosts'])
      expect(of(`http://${host}`)).toContainEqual(expect.stringMatching(/^CONCORD_OIDC_ISSUER: must be/));
  });

  it('puts the highest version of the secrets first', () => {
    const { config } = readConfig({
      CONCORD_SECRETS: `1:${'x'.repeat(32)},3:${'z'.repeat(32)},2:${'y'.repeat(32)}`,
    });
    expect(config.CONCORD_SECRETS?.map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it('O3: a warning for an unknown name gives the nearest known one', () => {
    for (const [unknown, nearest] of [
      ['CONCORD_RATELIMIT', 'CONCORD_RATE_LIMIT'],
      ['CONCORD_LOG_LEVL', 'CONCORD_LOG_LEVEL'],
      ['CONCORD_SECRET_FILE', 'CONCORD_SECRETS_FILE'],
      ['CONCORD_WEBHOOKS_TIMEOUT', 'CONCORD_WEBHOOK_TIMEOUT'],
      ['CONCORD_DATABASE_URL', 'DATABASE_URL'],
      ['CONCORD_HOST', 'HOST'],
    ] as const)
      expect(readConfig({ [unknown]: '1' }).warnings).toEqual([
        expect.stringContaining(`The nearest name is ${nearest}.`),
      ]);
  });

  it('O76: reads secrets from files, refuses an empty one, and warns about unknown names', () => {
    const dir = mkdtempSync(join(tmpdir(), 'concord-config-'));
    writeFileSync(join(dir, 'password'), 'from a file, with a newline\n');
    const { config, warnings } = readConfig({
      CONCORD_OPERATOR_PASSWORD_FILE: join(dir, 'password'),
      CONCORD_NONSENSE: '1',
      CONCORD_LOG_LEVEL_FILE: 'x',
    });
    expect(config.CONCORD_OPERATOR_PASSWORD).toBe('from a file, with a newline');
    expect(warnings.map((warning) => warning.split(' ', 1)[0])).toEqual([
      'CONCORD_NONSENSE',
      'CONCORD_LOG_LEVEL_FILE',
    ]);
    writeFileSync(join(dir, 'empty'), '\n');
    expect(
      problemsOf({
        CONCORD_GITHUB_CLIENT_ID: 'a',
        CONCORD_GITHUB_CLIENT_SECRET_FILE: join(dir, 'empty'),
      }),
    ).toContain('CONCORD_GITHUB_CLIENT_SECRET: the file named by CONCORD_GITHUB_CLIENT_SECRET_FILE is empty');
    expect(problemsOf({ CONCORD_SECRETS_FILE: join(dir, 'absent') })).toEqual([
      'CONCORD_SECRETS: the file named by CONCORD_SECRETS_FILE cannot be read (ENOENT)',
    ]);
    expect(
      problemsOf({
        CONCORD_OPERATOR_PASSWORD_FILE: join(dir, 'password'),
        CONCORD_OPERATOR_PASSWORD: 'x'.repeat(12),
      }),
    ).toHaveLength(1);
    rmSync(dir, { recursive: true });
  });
});
