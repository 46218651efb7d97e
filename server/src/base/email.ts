// E-mail addresses: their form, and the key that is equal for two spellings of one address.
import { domainToASCII, domainToUnicode } from 'node:url';
import { invalidRequest } from './errors.ts';

/** RFC 5322 dot-atom, ASCII only. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** `domainToASCII` leaves these out. It checks the two joiners, which some scripts need. */
const invisible = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u;

/**
 * The key of `Ann.Lee+x@Bücher.example` is `ann.lee+x@xn--bcher-kva.example`. Null when the text is not an
 * address, its local part has over 64 characters, or it has over 254.
 */
export function emailKey(text: string): string | null {
  const key = storedEmailKey(text);
  return key !== null && isDomain(domainOf(key)) && !invisible.test(text) ? key : null;
}

export const domainOf = (key: string) => key.slice(key.lastIndexOf('@') + 1);

/** Finds a stored address. Addresses of older versions can have a domain that cannot exist. */
export function storedEmailKey(text: string): string | null {
  // `domainToASCII` takes quadratic time.
  if (text.length > 254) return null;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || local.length > 64 || !localPart.test(local)) return null;
  const given = text.slice(at + 1);
  // The parser of hosts stops at / ? and #.
  if (/[\s,"<>()[\]\\:;@%/?#]/.test(given)) return null;
  const domain = domainToASCII(given);
  if (!domainName.test(domain)) return null;
  const key = `${local.toLowerCase()}@${domain}`;
  return key.length <= 254 ? key : null;
}

/** The key with its domain in Unicode, as people write it. */
export function inUnicode(key: string) {
  const at = key.lastIndexOf('@');
  return `${key.slice(0, at)}@${domainToUnicode(key.slice(at + 1))}`;
}

/**
 * The top-level domain has a letter (RFC 3696, section 2), so 192.0.2.1 is not a domain. Each `xn--` label is
 * valid Punycode.
 */
const isDomain = (domain: string) => /[a-z][^.]*$/.test(domain) && domain.split('.').every(isLabel);

/**
 * Decoding and encoding a valid label returns it (RFC 5891, section 5.4). `domainToASCII` checks only text
 * that is not ASCII.
 */
function isLabel(label: string) {
  if (!label.startsWith('xn--')) return true;
  const decoded = domainToUnicode(label);
  return decoded !== label && domainToASCII(decoded) === label;
}

const form =
  'must be an e-mail address with at most 254 characters, 64 before the @, such as ann@example.com';

/** `key`: that of the text, if it is an address. @throws ServiceError invalid_request */
function requireKey(key: string | null, pointer: string) {
  if (key === null) throw invalidRequest(pointer, form);
  return key;
}
/** The key of the address. @throws ServiceError invalid_request */
export const requireEmail = (text: string, pointer: string) => requireKey(emailKey(text), pointer);
/** The same to find a stored address. @throws ServiceError invalid_request */
export const requireStoredEmail = (text: string, pointer: string) =>
  requireKey(storedEmailKey(text), pointer);

/** The same for a setting or an option. @throws Error that says what is allowed */
export function parseEmail(text: string) {
  const key = emailKey(text);
  if (key === null) throw new Error(form);
  return key;
}
