// The cookies of the console: their names, how they are read from a request, and how they are written.
import { isLoopback } from '../config-values.ts';

/**
 * How long the browser keeps each cookie. The database decides when a token ends; these are the longest
 * lives.
 */
const kinds = {
  session: { suffix: '', maxAgeSeconds: 30 * 24 * 60 * 60 },
  /** Between the password and the second factor. */
  twoFactor: { suffix: '-two-factor', maxAgeSeconds: 10 * 60 },
  /** Skips the second factor on a trusted device. */
  device: { suffix: '-device', maxAgeSeconds: 30 * 24 * 60 * 60 },
  /** From the redirect to a provider until the console completes the sign-in. */
  visit: { suffix: '-visit', maxAgeSeconds: 11 * 60 },
} as const;

export type CookieKind = keyof typeof kinds;

/** `reason`: for people, why not. Null when cookies are allowed. */
export type CookieSignIn = { readonly allowed: boolean; readonly reason: string | null };

export type Cookies = {
  /** Undefined: the request has no such cookie, or two. `header` is the Cookie header. */
  read(header: string | undefined, kind: CookieKind): string | undefined;
  /** A Set-Cookie header. `value` null deletes the cookie. */
  write(kind: CookieKind, value: string | null): string;
};

/**
 * Whether the console may keep a session in a cookie: browsers send a cookie over plain http to anyone who
 * listens.
 */
export function cookieSignIn(baseUrl: string): CookieSignIn {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return { allowed: true, reason: null };
  const reason = `Signing in to the console requires https, because a session over http can be read on its way. CONCORD_BASE_URL is ${baseUrl}: set it to an https URL, or to http://127.0.0.1 or http://localhost with the port, for browsers on the same machine.`;
  return { allowed: false, reason };
}

/** `__Host-` makes browsers refuse a cookie that another host, or a page without https, wants to set. */
export function createCookies(baseUrl: string): Cookies {
  const secure = baseUrl.startsWith('https:');
  const nameOf = (kind: CookieKind) => `${secure ? '__Host-' : ''}concord${kinds[kind].suffix}`;
  return {
    read(header = '', kind) {
      const start = `${nameOf(kind)}=`;
      // Spaces alone: trim() would also remove \xa0, which a subdomain can put before the prefix, since for
      // browsers it is another name.
      const pairs = header.split(';').map((pair) => pair.replace(/^ +/, ''));
      const found = pairs.flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : []));
      // With two of them nobody knows which one is ours.
      return found.length === 1 ? found[0] : undefined;
    },
    write(kind, value) {
      const maxAge = value === null ? 0 : kinds[kind].maxAgeSeconds;
      const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
      return `${nameOf(kind)}=${value ?? ''}; ${attributes}`;
    },
  };
}
