// The cookies of the console.
import { isLoopback } from '../config-values.ts';

/** The longest lives. The database decides when a token ends. */
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

/** `reason`: for people. Null: cookies are allowed. */
export type CookieSignIn = { readonly allowed: boolean; readonly reason: string | null };

export type Cookies = ReturnType<typeof createCookies>;

/** Browsers send a cookie over plain http to anyone who listens. */
export function cookieSignIn(baseUrl: string): CookieSignIn {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return { allowed: true, reason: null };
  const reason = `Signing in to the console requires https, because a session over http can be read on its way. CONCORD_BASE_URL is ${baseUrl}: set it to an https URL, or to http://127.0.0.1 or http://localhost with the port, for browsers on the same machine.`;
  return { allowed: false, reason };
}

/** `__Host-`: browsers refuse it from another host, or from a page without https. */
export function createCookies(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  const nameOf = (kind: CookieKind) => `${secure ? '__Host-' : ''}concord${kinds[kind].suffix}`;
  return {
    /** Undefined: no such cookie, or two. `header`: the Cookie header. */
    read(header = '', kind: CookieKind): string | undefined {
      const start = `${nameOf(kind)}=`;
      // Spaces alone: trim() would remove \xa0, which for browsers makes another name.
      const pairs = header.split(';').map((pair) => pair.replace(/^ +/, ''));
      const found = pairs.flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : []));
      // Nobody knows which one of two is ours.
      return found.length === 1 ? found[0] : undefined;
    },
    /** A Set-Cookie header. `value` null deletes the cookie. */
    write(kind: CookieKind, value: string | null): string {
      const maxAge = value === null ? 0 : kinds[kind].maxAgeSeconds;
      const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
      return `${nameOf(kind)}=${value ?? ''}; ${attributes}`;
    },
  };
}
