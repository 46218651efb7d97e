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
