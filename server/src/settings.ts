// Every setting: its name, meaning, default and form.
import { resolve } from 'node:path';
import {
  durationBetween,
  logLevels,
  parseBaseUrl,
  parseBoolean,
  parseCidrs,
  parseConcurrency,
  parseDatabaseUrl,
  parseEmail,
  parseIssuer,
  parseLogLevel,
  parseMailFrom,
  parseOperatorMfa,
  parsePassword,
  parsePort,
  parseProxyUrl,
  parsePublicUrl,
  parseRateLimit,
  parseRole,
  parseSchedule,
  parseSecrets,
  parseSmtpUrl,
} from './config-values.ts';

export type Setting<T> = {
  readonly description: string;
  /** Parsed like any value; a setting without one is null when it is not set. */
  readonly default?: string;
  /** Secrets can also be given as a file: NAME_FILE. */
  readonly secret?: true;
  /** Throws an Error that says what is expected. */
  readonly parse: (text: string) => T;
};

const setting = <T>(definition: Setting<T> & { default: string }): Setting<T> => definition;
const optional = <T>(definition: Setting<T>): Setting<T | null> => definition;

/** Sign-in with a provider: its client id and secret, both or neither. */
function credentialsOf<P extends string>(provider: P, name: string) {
  return {
    [`CONCORD_${provider}_CLIENT_ID`]: optional({
      description: `Sign-in with ${name}: the client id.`,
      parse: (text: string) => text,
    }),
    [`CONCORD_${provider}_CLIENT_SECRET`]: optional({
      description: 'Its client secret.',
      secret: true,
      parse: (text: string) => text,
    }),
  } as Record<`CONCORD_${P}_CLIENT_ID` | `CONCORD_${P}_CLIENT_SECRET`, Setting<string | null>>;
}

export const settings = {
  HOST: setting({
    description: 'The address to listen on. `0.0.0.0` for every IPv4 interface, `::` for IPv6 as well.',
    default: '127.0.0.1',
    parse: (text) => text,
  }),
  PORT: setting({
    description: 'The port to listen on; 0 picks a free one.',
    default: '3000',
    parse: parsePort,
  }),
  CONCORD_BASE_URL: optional({
    description: 'Where clients reach the service, without a path. Without it: `http://HOST:PORT`.',
    parse: parseBaseUrl,
  }),
  CONCORD_DATA_DIR: setting({
    description: 'The folder for the embedded database and for generated secrets.',
    default: './data',
    parse: (text) => resolve(text),
  }),
  DATABASE_URL: optional({
    description:
      'A PostgreSQL server of your own (17 or later) in place of the embedded one: `postgres://user:password@host:5432/database`.',
    secret: true,
    parse: parseDatabaseUrl,
  }),
  CONCORD_SECRETS: optional({
    description:
      'The master secrets, `version:value` separated by commas, e.g. `2:<new>,1:<old>`; at least 32 characters each. The highest version is the current one; keep the older ones, they open what they sealed. ' +
      'Without it: generated into `secrets` in the data directory.',
    secret: true,
    parse: parseSecrets,
  }),
  CONCORD_OPERATOR_EMAIL: setting({
    description: 'The e-mail of the first operator, who is made at the first start.',
    default: 'operator@concord.local',
    parse: parseEmail,
  }),
  CONCORD_OPERATOR_PASSWORD: optional({
    description:
      'The password of the first operator (12 to 128 characters). Without it the first start prints a generated one, once. A later change here does not change an existing password.',
    secret: true,
    parse: parsePassword,
  }),
  CONCORD_OPERATOR_MFA: setting({
    description:
      '`required`: operators act only with proof of a second factor, and get 403 `mfa_required` without it. `optional`: they need none.',
    default: 'optional',
    parse: parseOperatorMfa,
  }),
  CONCORD_WEBHOOK_ALLOW_HTTP: setting({
    description: '`true`: webhooks may go to http too. Else to https only.',
    default: 'false',
    parse: parseBoolean,
  }),
  CONCORD_WEBHOOK_ALLOWED_CIDRS: setting({
    description:
      'Addresses that webhooks may go to beside public ones, such as `10.1.0.0/16,fd00::/8`. Whoever may create endpoints can then reach them.',
    default: '',
    parse: parseCidrs,
  }),
  CONCORD_WEBHOOK_RETRY_SCHEDULE: setting({
    description:
      'The delays after which a failed attempt is made again, each 20 % sooner or later: `5s,1m,...` (units ms, s, m, h, d). n delays make n + 1 attempts.',
    default: '5s,1m,5m,30m,2h,5h,10h,14h,20h,24h',
    parse: parseSchedule,
  }),
  CONCORD_WEBHOOK_TIMEOUT: setting({
    description: 'How long an attempt may take in all, `100ms` to `5m`.',
    default: '15s',
    parse: durationBetween('100ms', '5m'),
  }),
  CONCORD_WEBHOOK_CONCURRENCY: setting({
    description:
      'Requests to receivers at once, of each process (4 to 10000). Endpoints that fail have a quarter of them among themselves.',
    default: '512',
    parse: parseConcurrency,
  }),
  CONCORD_WEBHOOK_PROXY_URL: optional({
    description:
      'An egress proxy that webhooks leave through, `http://user:password@proxy:3128`. Names are still resolved and checked here; the proxy is asked for the address (CONNECT).',
    secret: true,
    parse: parseProxyUrl,
  }),
  CONCORD_WEBHOOK_BASE_URL: optional({
    description:
      'What live webhooks name as their sender, and below which their keys are: `<URL>/.well-known/jwks.json`. Without it: the base URL.',
    parse: parsePublicUrl,
  }),
  CONCORD_WEBHOOK_SANDBOX_BASE_URL: optional({
    description: 'The same of sandbox webhooks. Without it: `<base URL>/sandbox`.',
    parse: parsePublicUrl,
  }),
  CONCORD_WEBHOOK_RETENTION: setting({
    description: 'How long events, deliveries and attempts are kept, `7d` to `3650d`.',
    default: '90d',
    parse: durationBetween('7d', '3650d'),
  }),
  CONCORD_ROLE: setting({
    description:
      '`api` answers requests and sends no webhooks, `worker` sends webhooks and answers only `/health/*`, `all` does both. The two need DATABASE_URL.',
    default: 'all',
    parse: parseRole,
  }),
  CONCORD_SMTP_URL: optional({
    description:
      'The server that mail is sent through: `smtp://user:password@host:587` (STARTTLS where offered) or `smtps://`. Without it each mail becomes an .eml file in `outbox` in the data directory.',
    secret: true,
    parse: parseSmtpUrl,
  }),
  CONCORD_MAIL_FROM: setting({
    description: 'The sender of mail.',
    default: 'Concord <concord@localhost>',
    parse: parseMailFrom,
  }),
  ...credentialsOf('GOOGLE', 'Google (callback: `<base URL>/api/auth/callback/google`)'),
  ...credentialsOf('GITHUB', 'GitHub (callback: `<base URL>/api/auth/callback/github`)'),
  ...credentialsOf('MICROSOFT', 'Microsoft Entra ID (callback: `<base URL>/api/auth/callback/microsoft`)'),
  ...credentialsOf('OIDC', 'an OpenID Connect provider of your own (callback: `<base URL>/api/auth/callback/oidc`)'),
  CONCORD_OIDC_ISSUER: optional({
    description: 'The issuer of that provider, an https URL; what else is needed is discovered there.',
    parse: parseIssuer,
  }),
  CONCORD_RATE_LIMIT: setting({
    description: 'Requests in a window for each credential (without one: for each address), `100/10s`; or `off`.',
    default: '100/10s',
    parse: parseRateLimit,
  }),
  CONCORD_TRUSTED_PROXIES: setting({
    description:
      'Comma-separated addresses or CIDRs of the proxies whose X-Forwarded-For is believed. Empty: forwarded headers are ignored.',
    default: '',
    parse: parseCidrs,
  }),
  CONCORD_LOG_LEVEL: setting({
    description: `How much is logged (JSON lines on standard output): ${logLevels.join(', ')}.`,
    default: 'info',
    parse: parseLogLevel,
  }),
} as const;
