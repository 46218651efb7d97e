// E-mail addresses of people: one form, and one key by which two of them are the same.
import { domainToASCII } from 'node:url';
import { invalidRequest } from '../errors.ts';

/** RFC 5322 dot-atom, ASCII only. */
const localPart = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const domainName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The key of an address: `Ann.Lee+x@Bücher.example` is `ann.lee+x@xn--bcher-kva.example`. Null when it is no address: the local
 * part has at most 64 characters, the whole at most 254.
 */
export function emailKey(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 1 || local.length > 64 || !localPart.test(local)) return null;
  const given = text.slice(at + 1);
  if (/[\s,"<>()[\]\\:;@%]/.test(given)) return null;
  const domain = domainToASCII(given);
  if (!domainName.test(domain)) return null;
  const key = `${local.toLowerCase()}@${domain}`;
  return key.length <= 254 && text.length <= 254 ? key : null;
}

/** The key of an address that can have an account. @throws ServiceError invalid_request */
export function requireEmail(text: string, pointer: string): string {
  const key = emailKey(text);
  // The library takes no other characters before the @.
  if (key !== null && /^[\w'+.-]+@/.test(key)) return key;
  throw invalidRequest(pointer, 'must be an e-mail address');
}
