// How the text of a setting becomes its value. Each throws an Error that says what is expected.
import { isIP } from 'node:net';

type RateLimit = { readonly requests: number; readonly windowSeconds: number } | 'off';
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new Error('must be a port number, 0 to 65535');
  return port;
}

export function parseBaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new Error('must be an http or https URL without path, e.g. https://partners.example.com');
  }
  return url.origin;
}

export function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new Error('must be a URL such as postgres://user:password@host:5432/database');
  }
  return text;
}

export function parseSmtpUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error('must be a URL such as smtp://user:password@host:587');
  }
  return text;
}

export function parseIssuer(text: string): string {
  const url = URL.parse(text);
  const loopback = url !== null && /^(localhost|127\.|\[::1\])/.test(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback)) || url.search || url.hash) {
    throw new Error('must be an https URL');
  }
  return text.replace(/\/$/, '');
}

export function parseMailFrom(text: string): string {
  if (!/^(?:[^<>\r\n]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text))
    throw new Error('must be `Name <address>` or an address');
  return text;
}

export function parseEmail(text: string): string {
  if (!/^[^\s@,"<>]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text)) throw new Error('must be an e-mail address');
  return text.toLowerCase();
}

export function parsePassword(text: string): string {
  if (text.length < 12 || text.length > 128) throw new Error('must have 12 to 128 characters');
  return text;
}

export function parseRateLimit(text: string): RateLimit {
  if (text === 'off') return 'off';
  const [, requests, windowSeconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})s$/.exec(text) ?? [];
  if (requests === undefined) throw new Error('must be <requests>/<seconds>s such as 100/10s, or off');
  return { requests: Number(requests), windowSeconds: Number(windowSeconds) };
}

export function parseCidrs(text: string): readonly string[] {
  const cidrs = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const cidr of cidrs) {
    const [address = '', bits, ...rest] = cidr.split('/');
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
      throw new Error(`"${cidr}" is neither an address nor a CIDR such as 10.0.0.0/8`);
    }
  }
  return cidrs;
}

export function parseLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}`);
  return level;
}

export function parseOperatorMfa(text: string): 'optional' | 'required' {
  if (text !== 'optional' && text !== 'required') throw new Error('must be optional or required');
  return text;
}

export function parseBoolean(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new Error('must be true or false');
  return text === 'true';
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  if (amount === undefined) throw new Error(`"${text.trim()}" is no duration: write 500ms, 5s, 1m, 2h or 90d`);
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
}

/** A duration in milliseconds, within bounds. */
export const durationBetween =
  (least: string, most: string) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration < parseDuration(least) || duration > parseDuration(most)) throw new Error(`must be from ${least} to ${most}`);
    return duration;
  };

/** The delays in milliseconds: `n` entries make `n + 1` attempts. */
export function parseSchedule(text: string): readonly number[] {
  const delays = text.split(',').map(parseDuration);
  if (delays.length > 50) throw new Error('has more than 50 delays');
  if (delays.some((delay) => delay > 365 * unitMs.d)) throw new Error('has a delay of more than 365d');
  return delays;
}

export function parseConcurrency(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) < 4 || Number(text) > 10_000) throw new Error('must be a number from 4 to 10000');
  return Number(text);
}

/** Where something is published: with a path, perhaps, and without a slash at its end. */
export function parsePublicUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('must be an http or https URL, e.g. https://webhooks.example.com');
  }
  return url.href.replace(/\/$/, '');
}

export function parseProxyUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error('must be a URL such as http://user:password@proxy:3128');
  }
  return url;
}

export const roles = ['all', 'api', 'worker'] as const;

export function parseRole(text: string): (typeof roles)[number] {
  const role = roles.find((known) => known === text);
  if (role === undefined) throw new Error(`must be one of ${roles.join(', ')}`);
  return role;
}

/** One version of the master secret. The highest version is the current one; older ones only open what they sealed. */
export type Secret = { readonly version: number; readonly value: string };

/**
 * Reads `2:<value>,1:<value>`: the highest version first in the answer.
 * @throws Error that says what is expected
 */
export function parseSecrets(text: string): readonly Secret[] {
  const secrets = text.split(',').map((entry) => {
    const [, version, value] = /^\s*(\d{1,9}):(\S{32,512})\s*$/.exec(entry) ?? [];
    if (version === undefined || value === undefined) {
      throw new Error('must be version:value pairs separated by commas, each value with 32 to 512 characters and no spaces');
    }
    return { version: Number(version), value };
  });
  if (new Set(secrets.map(({ version }) => version)).size !== secrets.length) throw new Error('must have each version once');
  return secrets.toSorted((a, b) => b.version - a.version);
}
