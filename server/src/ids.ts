// Identifiers: a prefix that names the kind, and a UUIDv7 in Crockford base32 (the TypeID specification, version 0.3).
import { randomUUIDv7 } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const prefixes = {
  partner: 'ptr',
  agreement: 'agr',
  permission_group: 'apg',
  access_token: 'pat',
  webhook_endpoint: 'whe',
  event: 'evt',
  delivery: 'dlv',
  recovery: 'rcv',
  replay: 'rpl',
  user: 'usr',
  audit_record: 'aud',
} as const;
export type IdKind = keyof typeof prefixes;

/** A new id. Ids of one kind sort by the millisecond of their creation. */
export function newId(kind: IdKind): string {
  return formatId(kind, randomUUIDv7());
}

/** A UUIDv7 with this time. It decides the partition of a row. */
export function uuidAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

/** `formatId('partner', '0188bac7-4afa-78aa-bc3b-bd1eef28d881')` is `ptr_01h2xcejqtf2nbrexx3vqjhp41`. */
export function formatId(kind: IdKind, uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let suffix = '';
  for (let i = 0; i < 26; i++) {
    suffix = alphabet[Number(bits & 31n)] + suffix;
    bits >>= 5n;
  }
  return `${prefixes[kind]}_${suffix}`;
}

/** The UUID of an id. Null if the text is not a canonical id of this kind. */
export function parseId(kind: IdKind, id: string): string | null {
  const prefix = `${prefixes[kind]}_`;
  // 26 characters hold 130 bits, so the first character has three bits at most.
  if (id.length !== prefix.length + 26 || !id.startsWith(prefix) || !'01234567'.includes(id.charAt(prefix.length))) {
    return null;
  }
  let bits = 0n;
  for (const character of id.slice(prefix.length)) {
    const value = alphabet.indexOf(character);
    if (value < 0) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
