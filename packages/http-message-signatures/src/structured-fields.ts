// Structured fields (RFC 8941): parsed by structured-headers, with checks for what that parser loses.
import {
  type Dictionary,
  isInnerList,
  parseDictionary,
  parseItem,
  parseList,
  serializeDictionary,
  serializeInnerList,
  serializeItem,
  serializeList,
} from 'structured-headers';
import { SignatureError } from './errors.ts';

/** The three shapes of a structured field (RFC 8941, section 3). */
export type FieldType = 'dictionary' | 'list' | 'item';

/** Characters. Enough for 20 signatures with 4096-bit RSA keys. */
const maxFieldLength = 16_384;

/**
 * Parses a dictionary and refuses duplicate labels and parameters, as RFC 9421 requires for Signature-Input
 * and Signature. The parser alone keeps the last duplicate.
 */
export function parseStrictDictionary(name: string, text: string): Dictionary {
  assertReadable(name, text);
  const dictionary = parse(name, () => parseDictionary(text));
  const syntax = emptyStrings(text);
  assertRfc8941(name, syntax);
  if (dictionary.size > 0 && count(syntax, ',') !== dictionary.size - 1) {
    throw new SignatureError('label_duplicate', `${name} has the same label twice`);
  }
  if (count(syntax, ';') !== countParameters(dictionary)) {
    throw new SignatureError('parameter_duplicate', `${name} has the same parameter twice`);
  }
  // The parser reads 1.0 as 1, so serializing it gives another text. No parameter of RFC 9421 is a decimal.
  if (/=-?\d+\./.test(syntax)) throw new SignatureError('unsupported', `${name} must not have decimals`);
  return dictionary;
}

/** A parsed field that can be serialized in whole or in part. */
export type StructuredField = {
  /** Serializes the field strictly (RFC 9421, section 2.1.1). */
  readonly serialize: () => string;
  /** Serializes one member of a dictionary (RFC 9421, section 2.1.2). */
  readonly serializeMember: (key: string) => string;
};

/**
 * Parses a field for strict serialization. The parser reads 1.0 as 1 and would write 1. So each decimal with
 * a zero fraction is replaced with a token, `D0:1.0`, before parsing, and the token's prefix is removed after
 * serializing.
 */
export function parseStructuredField(name: string, text: string, type: FieldType): StructuredField {
  assertReadable(name, text);
  const parsers = { dictionary: parseDictionary, list: parseList, item: parseItem };
  parse(name, () => parsers[type](text));
  assertRfc8941(name, emptyStrings(text));
  const prefix = findUnusedPrefix(text);
  const marked = text.replace(
    /"(?:[^"\\]|\\.)*"|:[^:]*:|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|(-?\d{1,12})\.0{1,3}(?!\d)/g,
    (literal, whole?: string) => (whole === undefined ? literal : `${prefix}${Number(whole)}.0`),
  );
  const write = (serialize: () => string) => parse(name, serialize).replaceAll(prefix, '');
  const dictionary = type === 'dictionary' ? parse(name, () => parseDictionary(marked)) : undefined;
  return {
    serialize() {
      if (dictionary) return write(() => serializeDictionary(dictionary));
      return write(() =>
        type === 'list' ? serializeList(parseList(marked)) : serializeItem(parseItem(marked)),
      );
    },
    serializeMember(key) {
      if (!dictionary)
        throw new SignatureError(
          'component_invalid',
          `${name} must be a dictionary to have the parameter key`,
        );
      const member = dictionary.get(key);
      if (!member) throw new SignatureError('component_missing', `${name} has no member ${key}`);
      return write(() => (isInnerList(member) ? serializeInnerList(member) : serializeItem(member)));
    },
  };
}

/** Finds a token prefix that the text does not have. */
function findUnusedPrefix(text: string): string {
  const used = new Set(Array.from(text.matchAll(/D(\d+):/g), ([, number]) => Number(number)));
  let number = 0;
  while (used.has(number)) number += 1;
  return `D${number}:`;
}

function parse<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new SignatureError('field_malformed', `${name} is not a valid structured field of its type`, {
      cause,
    });
  }
}

function assertReadable(name: string, text: string): void {
  assertPrintable(name, text);
  if (text.length > maxFieldLength)
    throw new SignatureError('too_large', `${name} must have at most ${maxFieldLength} characters`);
}

/**
 * Refuses line breaks, control characters other than tab, and non-ASCII characters (RFC 9421, section 2.5).
 */
export function assertPrintable(name: string, value: string): void {
  if (!/^[\t\x20-\x7e]*$/.test(value))
    throw new SignatureError(
      'character_invalid',
      `${name} must have printable ASCII characters and tabs only`,
    );
}

/** Empties all strings, so that every remaining character is syntax. */
function emptyStrings(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Refuses dates and display strings (RFC 9651). The parser does not always serialize them as they were. */
function assertRfc8941(name: string, syntax: string): void {
  if (/%"|@/.test(syntax))
    throw new SignatureError('unsupported', `${name} must not have dates or display strings`);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function countParameters(dictionary: Dictionary): number {
  let total = 0;
  for (const member of dictionary.values()) {
    total += member[1].size;
    if (isInnerList(member)) for (const [, parameters] of member[0]) total += parameters.size;
  }
  return total;
}
