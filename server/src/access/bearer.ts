// The bearer token of a request: a session token or an access token. An access token starts with
// `concord_pat_`.
import { createHmac, hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `secret` finds the row of the credential: the hash of its token, which alone is stored. `token`:
 * better-auth asks for it.
 */
export type Bearer =
  | { readonly kind: 'session'; readonly secret: string; readonly token: string }
  | { readonly kind: 'token'; readonly secret: Buffer };

export const secretText = ({ secret }: Bearer): string =>
  typeof secret === 'string' ? secret : secret.toString('base64');

const tokenPrefix = 'concord_pat_';
const provisioningPrefix = 'concord_scim_';
/** After the prefix. */
const shownLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;

/**
 * Reads an Authorization header (RFC 6750, section 2.1; the scheme in any case). Null when it cannot hold a
 * valid token.
 * better-auth also issues `token.signature`. The signature is ignored: the token itself must be in the
 * database.
 */
export function readBearer(authorization: string | undefined): Bearer | null {
  const [, text] = /^bearer +([\w.+/=%]{1,200}) *$/i.exec(authorization ?? '') ?? [];
  if (text === undefined) return null;
  if (text.startsWith(tokenPrefix))
    return isToken(tokenPrefix, text) ? { kind: 'token', secret: hashOf(text) } : null;
  const [, token] = /^([A-Za-z0-9]{32})(?:\.[A-Za-z0-9+/=%]{1,100})?$/.exec(text) ?? [];
  return token === undefined ? null : { kind: 'session', secret: hashSessionToken(token), token };
}

/**
 * A new access token: `concord_pat_`, 32 random characters (190 bits) and 6 characters of a checksum (CRC-32
 * in base 62). The form lets secret scanners recognise it.
 */
export const newAccessToken = (): NewAccessToken => toToken(tokenPrefix, randomText(randomLength));

export type NewAccessToken = { readonly token: string; readonly hash: Buffer; readonly prefix: string };

/** The access token of a secret of at least 190 random bits: the same one each time. */
export function accessTokenOf(secret: string): NewAccessToken {
  let rest = BigInt(`0x${createHmac('sha256', secret).update('access token').digest('hex')}`);
  let text = '';
  for (let i = 0; i < randomLength; i++) {
    text += alphabet.charAt(Number(rest % 62n));
    rest /= 62n;
  }
  return toToken(tokenPrefix, text);
}

/** A new provisioning token, of the same form. */
export const newProvisioningToken = (): NewAccessToken =>
  toToken(provisioningPrefix, randomText(randomLength));

/** Reads the token of a request to SCIM. Null when it cannot hold a valid provisioning token. */
export function readProvisioningBearer(authorization: string | undefined): Bearer | null {
  const [, text = ''] = /^bearer +(\w{1,200}) *$/i.exec(authorization ?? '') ?? [];
  return isToken(provisioningPrefix, text) ? { kind: 'token', secret: hashOf(text) } : null;
}

function toToken(kind: string, random: string): NewAccessToken {
  const body = kind + random;
  const token = body + checksumOf(body);
  return { token, hash: hashOf(token), prefix: token.slice(0, kind.length + shownLength) };
}

function isToken(kind: string, text: string): boolean {
  const body = text.slice(0, -checksumLength);
  return (
    text.startsWith(kind) &&
    /^[A-Za-z0-9]{38}$/.test(text.slice(kind.length)) &&
    text.slice(-checksumLength) === checksumOf(body)
  );
}

/** A new session token: 32 random characters (190 bits), like those of better-auth. */
export const newSessionToken = (): string => randomText(32);

/**
 * The form in which `auth.session` stores a token. A hash has another length than a token, so it is never one
 * itself.
 */
export const hashSessionToken = (token: string): string => hash('sha256', token, 'hex');

/** SHA-256 without a salt: the token is random, and a look-up finds it by its hash. */
const hashOf = (token: string) => hash('sha256', token, 'buffer');

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < checksumLength; i++) {
    text = alphabet.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function randomText(length: number): string {
  let text = '';
  // 248 is the largest multiple of 62 in a byte. Larger bytes would make some characters more likely.
  while (text.length < length)
    for (const byte of randomBytes(length))
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62);
  return text;
}
