// Identifiers: a prefix that names the kind, and a UUIDv7 in Crockford base32 (the TypeID specification,
// version 0.3).
import { randomUUIDv7 } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

const prefixes = {
  partner: 'ptr',
  agreement: 'agr',
  permission_group: 'apg',
  access_token: 'pat',
  access_request: 'arq',
  access_review: 'arv',
  webhook_endpoint: 'whe',
  endpoint_check: 'chk',
  checkpoint: 'cpt',
  event: 'evt',
  delivery: 'dlv',
  batch: 'bat',
  replay: 'rpl',
  user: 'usr',
  passkey: 'psk',
  audit_record: 'aud',
  identity_connection: 'idc',
  identity_domain: 'idd',
  provisioned_user: 'scu',
  provisioned_group: 'scg',
} as const;
export type IdKind = keyof typeof prefixes;

/** Ids of one kind sort by the millisecond of their creation. */
export const newId = (kind: IdKind): string => formatId(kind, newUuid());

/** A new id of any kind, as the database keeps it. */
export const newUuid = (): string => randomUUIDv7();

/** The time decides the partition of a row. */
export function uuidAt(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7().slice(13)}`;
}

// 26 characters of five bits hold two zero bits and a UUID, so four characters are five hexadecimal digits.
// Numbers are faster than a BigInt.

/** `formatId('partner', '0188bac7-4afa-78aa-bc3b-bd1eef28d881')` is `ptr_01h2xcejqtf2nbrexx3vqjhp41`. */
export function formatId(kind: IdKind, uuid: string): string {
  const hex = uuid.replaceAll('-', '');
  let id = `${prefixes[kind]}_${toText(hex, 0, 2)}`;
  for (let from = 2; from < 32; from += 5) id += toText(hex, from, 5);
  return id;
}

function toText(hex: string, from: number, digits: number): string {
  const bits = Number.parseInt(hex.slice(from, from + digits), 16);
  const low = character(bits >> 5) + character(bits);
  return digits === 2 ? low : character(bits >> 15) + character(bits >> 10) + low;
}

const character = (bits: number) => alphabet.charAt(bits & 31);

/** When a UUID of version 7 was made, in milliseconds since 1970. */
export const timeOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);

export function parseId(kind: IdKind, id: string): string | null {
  const prefix = `${prefixes[kind]}_`;
  // The first character has three bits at most.
  if (
    id.length !== prefix.length + 26 ||
    !id.startsWith(prefix) ||
    !'01234567'.includes(id.charAt(prefix.length))
  ) {
    return null;
  }
  let hex = '';
  let bits = 0;
  for (let i = 0; i < 26; i++) {
    const value = alphabet.indexOf(id.charAt(prefix.length + i));
    if (value < 0) return null;
    bits = (bits << 5) | value;
    if (i % 4 !== 1) continue;
    hex += bits.toString(16).padStart(i === 1 ? 2 : 5, '0');
    bits = 0;
  }
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
