// Reads the settings once from the environment, and reports every problem at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentitySettings } from '../agreements/index.ts';
import { isLoopback } from '../base/config-values.ts';
import type { AccountSettings } from '../people/index.ts';
import type { WebhookSettings } from '../webhooks/index.ts';
import { type Setting, settings } from './settings.ts';

export type SettingName = keyof typeof settings;

export type Config = { readonly [N in SettingName]: ReturnType<(typeof settings)[N]['parse']> };
export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Warns of each unknown name that starts with CONCORD_. @throws ConfigError with every problem */
export function readConfig(environment: Environment): { config: Config; warnings: string[] } {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    try {
      const text = readText(environment, name, definition);
      values[name] = text === undefined ? null : definition.parse(text);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  problems.push(...incompleteProviders(values), ...roleWithoutDatabase(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return { config: Object.freeze(values) as Config, warnings: unknownNames(environment) };
}

function readText(environment: Environment, name: string, definition: Setting<unknown>): string | undefined {
  // Empty counts as not set, as Docker and systemd users expect.
  const direct = environment[name] || undefined;
  const file = definition.secret ? environment[`${name}_FILE`] || undefined : undefined;
  if (direct !== undefined && file !== undefined)
    throw new Error(`must not be set together with ${name}_FILE`);
  if (file === undefined) return direct ?? definition.default;
  const text = readSecret(name, file);
  if (text === '') throw new Error(`the file named by ${name}_FILE is empty`);
  return text;
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trimEnd();
  } catch (cause) {
    throw new Error(
      `the file named by ${name}_FILE cannot be read (${(cause as NodeJS.ErrnoException).code})`,
      { cause },
    );
  }
}

function incompleteProviders(values: Record<string, unknown>): string[] {
  return ['GOOGLE', 'GITHUB', 'MICROSOFT', 'OIDC'].flatMap((provider) => {
    const names = [`CONCORD_${provider}_CLIENT_ID`, `CONCORD_${provider}_CLIENT_SECRET`];
    if (provider === 'OIDC') names.push('CONCORD_OIDC_ISSUER');
    const missing = names.filter((name) => values[name] === null);
    const present = names.filter((name) => values[name] !== null);
    return missing.length === 0 || present.length === 0
      ? []
      : [`${missing.join(', ')}: must be set together with ${present.join(', ')}`];
  });
}

/** The embedded database serves one process. */
const roleWithoutDatabase = ({ CONCORD_ROLE: role, DATABASE_URL: url }: Record<string, unknown>) =>
  url === null && (role === 'api' || role === 'worker')
    ? [`CONCORD_ROLE: ${role} requires DATABASE_URL, since the embedded database serves one process`]
    : [];

function unknownNames(environment: Environment): string[] {
  const known = new Set(
    Object.entries(settings).flatMap(([name, definition]) =>
      definition.secret ? [name, `${name}_FILE`] : [name],
    ),
  );
  return Object.keys(environment)
    .filter((name) => name.startsWith('CONCORD_') && !known.has(name))
    .map(
      (name) =>
        `${name} is not a setting of Concord and is ignored. The nearest name is ${nearestName(name, [...known])}. docs/configuration.md lists all settings.`,
    );
}

/** Without the prefix: `CONCORD_DATABASE_URL` is nearest to `DATABASE_URL`. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  // The time grows with the length.
  const bare = (text: string) => [...text.replace(/^CONCORD_/, '').slice(0, 100)];
  const distances = known.map((each) => ({ each, distance: distanceBetween(bare(name), bare(each)) }));
  return distances.toSorted((a, b) => a.distance - b.distance)[0]?.each;
}

/** Levenshtein. */
function distanceBetween(from: readonly string[], to: readonly string[]): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [i, character] of from.entries()) {
    const next = [i + 1];
    for (const [j, other] of to.entries()) {
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

export const baseUrlOf = ({ CONCORD_BASE_URL, HOST, PORT }: Config): string =>
  CONCORD_BASE_URL ?? `http://${isEveryInterface(HOST) ? '127.0.0.1' : hostInUrl(HOST)}:${PORT}`;

/** No browser can sign in at such an address. */
const isEveryInterface = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** A URL cannot have the zone of an address, such as `%eth0`. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host.replace(/%.*/, '')}]` : host);

export const hasWorkers = ({ CONCORD_WORKERS: workers, CONCORD_ROLE: role }: Config): boolean =>
  workers > 0 && role !== 'api';

export function webhookSettingsOf(config: Config): WebhookSettings {
  const baseUrl = baseUrlOf(config);
  const {
    CONCORD_WEBHOOK_BASE_URL: live,
    CONCORD_WEBHOOK_SANDBOX_BASE_URL: sandbox,
    CONCORD_WEBHOOK_CONCURRENCY: allowed,
  } = config;
  return {
    allowedCidrs: config.CONCORD_WEBHOOK_ALLOWED_CIDRS,
    allowHttp: config.CONCORD_WEBHOOK_ALLOW_HTTP,
    retentionMs: config.CONCORD_WEBHOOK_RETENTION,
    delivers: config.CONCORD_ROLE !== 'api',
    isAlone: config.DATABASE_URL === null,
    retrySchedule: config.CONCORD_WEBHOOK_RETRY_SCHEDULE,
    timeoutMs: config.CONCORD_WEBHOOK_TIMEOUT,
    most: {
      retryTimeMs: config.CONCORD_WEBHOOK_MAX_RETRY_TIME,
      timeoutMs: config.CONCORD_WEBHOOK_MAX_TIMEOUT,
      disableAfterMs: config.CONCORD_WEBHOOK_MAX_DISABLE_AFTER,
    },
    // Beside workers, this process sends only while it has little to do.
    concurrency: hasWorkers(config) && config.CONCORD_ROLE === 'all' ? Math.min(32, allowed) : allowed,
    proxyUrl: config.CONCORD_WEBHOOK_PROXY_URL,
    requiresCheck: config.CONCORD_REQUIRE_ENDPOINT_CHECK,
    userAgents: {
      live: `Concord (${live ?? baseUrl})`,
      sandbox: `Concord (${sandbox ?? `${baseUrl}/sandbox`})`,
    },
  };
}

export const identitySettingsOf = (config: Config): IdentitySettings => ({
  allowedCidrs: config.CONCORD_WEBHOOK_ALLOWED_CIDRS,
  allowHttp: config.CONCORD_WEBHOOK_ALLOW_HTTP,
  proxyUrl: config.CONCORD_WEBHOOK_PROXY_URL,
  dnsServers: config.CONCORD_DNS_SERVERS,
});

export const secretSettingsOf = (config: Config) => ({
  dataDir: config.CONCORD_DATA_DIR,
  configured: config.CONCORD_SECRETS,
});

export const signingSettingsOf = (config: Config) => ({
  signs: config.CONCORD_ROLE !== 'api',
  loadsNative: config.CONCORD_SIGNER === 'auto',
});

export const mailSettingsOf = (config: Config) => ({
  smtpUrl: config.CONCORD_SMTP_URL,
  from: config.CONCORD_MAIL_FROM,
  outboxDir: join(config.CONCORD_DATA_DIR, 'outbox'),
});

export const accountSettingsOf = (config: Config, announce: (line: string) => void): AccountSettings => ({
  guarded: config.CONCORD_RATE_LIMIT !== 'off',
  mails: config.CONCORD_MAIL_RATE_LIMIT,
  answers: config.CONCORD_ROLE !== 'worker',
  providers: providersOf(config),
  firstOperator: {
    email: config.CONCORD_OPERATOR_EMAIL,
    password: config.CONCORD_OPERATOR_PASSWORD,
    announce,
  },
});

const providerNames = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  oidc: 'OpenID Connect',
} as const;

/** For anyone. */
export function consoleSettingsOf(config: Config) {
  const { CONCORD_BASE_URL, HOST, CONCORD_SMTP_URL: smtp, CONCORD_OIDC_ISSUER: issuer } = config;
  const { hostname } = new URL(baseUrlOf(config));
  // Nobody has said that all clients are here.
  const isHere = isLoopback(hostname) && !(CONCORD_BASE_URL === null && isEveryInterface(HOST));
  const configured = providersOf(config);
  const names = { ...providerNames, oidc: issuer === null ? providerNames.oidc : new URL(issuer).hostname };
  return {
    webhook_retention_seconds: Math.trunc(config.CONCORD_WEBHOOK_RETENTION / 1_000),
    providers: (['google', 'github', 'microsoft', 'oidc'] as const).flatMap((provider) =>
      configured[provider] === undefined ? [] : [{ provider, name: names[provider] }],
    ),
    // Elsewhere, a path of the server would tell strangers about it.
    mail: {
      kind: smtp === null ? ('files' as const) : ('smtp' as const),
      folder: smtp === null && isHere ? mailSettingsOf(config).outboxDir : null,
    },
  };
}

function providersOf(config: Config) {
  const client = (provider: 'GOOGLE' | 'GITHUB' | 'MICROSOFT' | 'OIDC') => {
    const clientId = config[`CONCORD_${provider}_CLIENT_ID`];
    const clientSecret = config[`CONCORD_${provider}_CLIENT_SECRET`];
    return clientId === null || clientSecret === null ? undefined : { clientId, clientSecret };
  };
  const [oidc, issuer] = [client('OIDC'), config.CONCORD_OIDC_ISSUER];
  return {
    google: client('GOOGLE'),
    github: client('GITHUB'),
    microsoft: client('MICROSOFT'),
    oidc: oidc && issuer !== null ? { ...oidc, issuer } : undefined,
  };
}
