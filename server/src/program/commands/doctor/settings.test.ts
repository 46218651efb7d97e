import { describe, expect, it } from 'vitest';
import { judgeSettings, readSettings } from './settings.ts';

const judge = (environment: Record<string, string>) => {
  const { config, ...rest } = readSettings(environment);
  return judgeSettings({ config, environment, ...rest })
    .filter(({ level }) => level !== 'ok')
    .map(({ level, text }) => `${level} ${text}`);
};
const proxied = { CONCORD_BASE_URL: 'https://concord.example', CONCORD_TRUSTED_PROXIES: '10.0.0.1' };

describe('judgeSettings', () => {
  it('O43: has nothing against the defaults, and not much against an installation behind a proxy', () => {
    expect(judge({})).toEqual([]);
    expect(judge(proxied)).toEqual(['note Operators need no second factor.']);
    expect(judge({ ...proxied, CONCORD_OPERATOR_MFA: 'required' })).toEqual([]);
    // A worker has no clients.
    const worker = { CONCORD_ROLE: 'worker', DATABASE_URL: 'postgres://localhost/concord' };
    expect(judge({ ...worker, CONCORD_BASE_URL: 'https://concord.example' })).toEqual([
      'note Operators need no second factor.',
    ]);
  });

  it.each([
    [
      'error',
      'CONCORD_TRUSTED_PROXIES is set without CONCORD_BASE_URL',
      { CONCORD_TRUSTED_PROXIES: '10.0.0.1' },
    ],
    ['warning', 'Concord listens on 0.0.0.0 without CONCORD_BASE_URL', { HOST: '0.0.0.0' }],
    [
      'warning',
      'The base URL http://concord.example is http',
      { CONCORD_BASE_URL: 'http://concord.example' },
    ],
    [
      'error',
      'CONCORD_TRUSTED_PROXIES: "0.0.0.0/0" has too many addresses',
      { ...proxied, CONCORD_TRUSTED_PROXIES: '0.0.0.0/0' },
    ],
    [
      'warning',
      'CONCORD_BASE_URL is https, so a proxy is in front of Concord',
      { CONCORD_BASE_URL: 'https://concord.example' },
    ],
    [
      'warning',
      'CONCORD_WEBHOOK_ALLOWED_CIDRS allows every',
      { ...proxied, CONCORD_WEBHOOK_ALLOWED_CIDRS: '::/0' },
    ],
    ['note', 'CONCORD_WEBHOOK_ALLOW_HTTP=true', { ...proxied, CONCORD_WEBHOOK_ALLOW_HTTP: 'true' }],
    ['warning', 'CONCORD_RATE_LIMIT is off', { CONCORD_RATE_LIMIT: 'off' }],
    ['warning', 'Mail has the sender Concord <concord@localhost>', { CONCORD_SMTP_URL: 'smtp://127.0.0.1' }],
    ['error', 'NODE_TLS_REJECT_UNAUTHORIZED=0', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }],
    ['warning', 'CONCORD_BASEURL is not a setting', { CONCORD_BASEURL: 'https://concord.example' }],
  ])('O43: %s: %s', (level, text, environment) => {
    expect(judge(environment)).toContainEqual(
      expect.stringMatching(new RegExp(`^${level} .*${text.replaceAll('.', '\\.')}`)),
    );
  });
});

describe('readSettings', () => {
  it('O42: reads the rest without the faulty ones', () => {
    const { config, faults } = readSettings({
      PORT: 'x',
      CONCORD_RATE_LIMIT: 'lots',
      CONCORD_SECRETS_FILE: '/does/not/exist',
      CONCORD_ROLE: 'worker',
      CONCORD_GOOGLE_CLIENT_ID: 'a',
      CONCORD_OPERATOR_MFA: 'required',
    });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      ...['PORT', 'CONCORD_SECRETS', 'CONCORD_RATE_LIMIT'],
      ...['CONCORD_GOOGLE_CLIENT_SECRET', 'CONCORD_ROLE'],
    ]);
    expect(config).toMatchObject({
      PORT: 3000,
      CONCORD_OPERATOR_MFA: 'required',
      CONCORD_ROLE: 'all',
      CONCORD_GOOGLE_CLIENT_ID: null,
    });
  });
});
