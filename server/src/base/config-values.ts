// Parsers of settings, from text to value. Each throws an Error that says what is allowed.
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';

export type RateLimit = { readonly requests: number; readonly windowSeconds: number } | 'off';

export const integerBetween =
  (min: number, max: number, allowed = `an integer between ${min} and ${max}`) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d{1,5}$/.test(text) || number < min || number > max) throw new Error(`must be ${allowed}`);
    return number;
  };

export const parsePort = integerBetween(0, 65_535, 'a port number between 0 and 65535');
const parseWorkerCount = integerBetween(0, 64, 'an integer between 0 and 64, or auto');
export const parseWorkers = (text: string): number =>
  text === 'auto' ? Math.max(0, Math.min(8, availableParallelism() - 2)) : parseWorkerCount(text);

/** It becomes part of the base URL if that is not set. */
export function parseHost(text: string): string {
  const isInUrl = /^[\w.-]+$/.test(text) && URL.canParse(`http://${text}`);
  if (!isInUrl && isIP(text) === 0)
    throw new Error(
      'must be an address or the name of this machine, such as 127.0.0.1, :: or concord.internal',
    );
  return text;
}

const web = ['http:', 'https:'];

const parts = {
  user: ({ username, password }: URL) => username + password,
  path: ({ pathname }: URL) => pathname.slice(1),
  query: ({ search, hash }: URL) => search + hash,
};

/** `allowed` completes the sentence "X must be ...". */
function requireUrl(
  text: string,
  protocols: readonly string[],
  allowed: string,
  ...without: (keyof typeof parts)[]
): URL {
  const url = URL.parse(text);
  if (!url || !protocols.includes(url.protocol) || without.some((part) => parts[part](url) !== ''))
    throw new Error(`must be ${allowed}`);
  return url;
}

export const parseBaseUrl = (text: string): string =>
  requireUrl(
    text,
    web,
    'an http or https URL without a path, such as https://partners.example.com',
    'user',
    'path',
    'query',
  ).origin;

export const parseCollectorUrl = (text: string): string =>
  requireUrl(text, web, 'an http or https URL such as http://127.0.0.1:4318', 'query').href.replace(
    /\/$/,
    '',
  );

export function parseDatabaseUrl(text: string): string {
  requireUrl(text, ['postgres:', 'postgresql:'], 'a URL such as postgres://user:password@host:5432/database');
  return text;
}

export function parseSmtpUrl(text: string): string {
  const allowed = 'a URL such as smtp://user:password@host:587';
  if (requireUrl(text, ['smtp:', 'smtps:'], allowed).hostname === '') throw new Error(`must be ${allowed}`);
  return text;
}

export function parseIssuer(text: string): string {
  const allowed = 'an https URL without query and fragment (http is allowed for localhost)';
  const { protocol, hostname } = requireUrl(text, web, allowed, 'query');
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new Error(`must be ${allowed}`);
  return text.replace(/\/$/, '');
}

export function parseMailFrom(text: string): string {
  if (!/^(?:[^<>\r\n]* <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text))
    throw new Error(
      'must be an e-mail address, or a name and an address such as Concord <concord@example.com>',
    );
  return text;
}

export function parsePassword(text: string): string {
  if (text.length < 12 || text.length > 128) throw new Error('must have between 12 and 128 characters');
  return text;
}

export function parseRateLimit(text: string): RateLimit {
  if (text === 'off') return 'off';
  const [, requests, windowSeconds] = /^([1-9]\d{0,8})\/([1-9]\d{0,4})s$/.exec(text) ?? [];
  if (requests === undefined) throw new Error('must be <requests>/<seconds>s, such as 100/10s, or off');
  return { requests: Number(requests), windowSeconds: Number(windowSeconds) };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

export function parseCidrs(text: string): readonly string[] {
  const cidrs = listOf(text);
  for (const cidr of cidrs) {
    const [address = '', bits, ...rest] = cidr.split('/');
    const family = isIP(address);
    const maxBits = family === 4 ? 32 : 128;
    if (
      family === 0 ||
      rest.length > 0 ||
      (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
    ) {
      throw new Error(`"${cidr}" must be an IP address or a CIDR such as 10.0.0.0/8`);
    }
  }
  return cidrs;
}

/** The widest networks that are private. The halves of the internet would trust everybody, as /0 does. */
const widestBits = { ipv4: 8, ipv6: 7 } as const;

export function parseProxies(text: string): readonly string[] {
  const cidrs = parseCidrs(text);
  const wide = cidrs.filter((cidr) => cidr.includes('/')).find(isWide);
  if (wide !== undefined)
    throw new Error(
      `"${wide}" has too many addresses: name the proxies. The widest networks are /${widestBits.ipv4}, and /${widestBits.ipv6} of IPv6`,
    );
  return cidrs;
}

function isWide(cidr: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(cidr);
  // ::ffff:0:0/96 is IPv4.
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? bits < 96 + widestBits.ipv4 : bits < widestBits[address.kind()];
}

/** Null: none is given. */
export function parseDnsServers(text: string): readonly string[] | null {
  const servers = listOf(text);
  for (const server of servers) {
    const [, address = server] = /^\[?([^\]]*?)\]?(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(server) === 0 && isIP(address) === 0)
      throw new Error(
        `"${server}" must be an IP address, with or without a port, such as 9.9.9.9 or [2620:fe::fe]:53`,
      );
  }
  return servers.length === 0 ? null : servers;
}

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    const value = values.find((each) => each === text);
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };

export const parseBoolean = (text: string): boolean => oneOf('true', 'false')(text) === 'true';

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  if (amount === undefined)
    throw new Error(`"${text.trim()}" must be a number with a unit, such as 500ms, 5s, 1m, 2h or 90d`);
  return Number(amount) * unitMs[unit as keyof typeof unitMs];
}

/** In milliseconds. */
export const durationBetween =
  (min: string, max: string) =>
  (text: string): number => {
    const duration = parseDuration(text);
    if (duration < parseDuration(min) || duration > parseDuration(max))
      throw new Error(`must be between ${min} and ${max}`);
    return duration;
  };

/** In milliseconds. */
export function parseSchedule(text: string): readonly number[] {
  const delays = text.split(',').map(parseDuration);
  if (delays.length > 50) throw new Error(`must have at most 50 delays, but has ${delays.length}`);
  if (delays.some((delay) => delay > 365 * unitMs.d))
    throw new Error('must not have a delay longer than 365d');
  return delays;
}

/** May have a path. The result has no slash at its end. */
export const parsePublicUrl = (text: string): string =>
  requireUrl(
    text,
    web,
    'an http or https URL without user, query and fragment, such as https://webhooks.example.com',
    'user',
    'query',
  ).href.replace(/\/$/, '');

export const parseProxyUrl = (text: string): URL =>
  requireUrl(
    text,
    web,
    'an http or https URL without a path, such as http://user:password@proxy:3128',
    'path',
    'query',
  );

/** The highest version seals. Older ones only open. */
export type Secret = { readonly version: number; readonly value: string };

/** Reads `2:<value>,1:<value>`, the highest version first. @throws Error that says what is allowed */
export function parseSecrets(text: string): readonly Secret[] {
  const secrets = text.split(',').map((entry) => {
    const [, version, value] = /^\s*(\d{1,9}):(\S{32,512})\s*$/.exec(entry) ?? [];
    if (version === undefined || value === undefined) {
      throw new Error(
        'must be version:value pairs separated by commas, each value with 32 to 512 characters and no spaces',
      );
    }
    return { version: Number(version), value };
  });
  if (new Set(secrets.map(({ version }) => version)).size !== secrets.length)
    throw new Error('must not have a version twice');
  return secrets.toSorted((a, b) => b.version - a.version);
}

export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
