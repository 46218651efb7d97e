// Structured fields (RFC 8941), read by structured-headers, with what that reading loses put right.
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

/** Enough for dozens of signatures by the largest usual keys. */
const maxFieldLength = 16_384;

/**
 * Reads a dictionary in which nothing may stand twice, as RFC 9421 asks of Signature-Input and Signature; the parser alone
 * would let the last one win.
 */
export function parseStrictDictionary(name: string, text: string): Dictionary {
  assertReadable(name, text);
  const dictionary = parse(name, () => parseDictionary(text));
  const bare = withoutStrings(name, text);
  if (dictionary.size > 0 && count(bare, ',') !== dictionary.size - 1) {
    throw new SignatureError('label_duplicate', `${name} has a label twice`);
  }
  if (count(bare, ';') !== countParameters(dictionary)) {
    throw new SignatureError('parameter_duplicate', `${name} has a parameter twice`);
  }
  // The parser gives 1.0 as the number 1, which could not be written back as it was; no parameter of RFC 9421 is a decimal.
  if (/=-?\d+\./.test(bare)) throw new SignatureError('unsupported', `${name} has a decimal`);
  return dictionary;
}

/** A field that was parsed once, to be written whole or in part. */
export type StructuredField = {
  /** The strict serialisation (RFC 9421, section 2.1.1). */
  readonly serialize: () => string;
  /** That of one member of a dictionary (RFC 9421, section 2.1.2). */
  readonly serializeMember: (key: string) => string;
};

/**
 * Reads a field to write it strictly. The parser reads 1.0 as the number 1, and would write it as 1: so each whole decimal becomes a
 * token that stands for it, is parsed and written as such, and is put back.
 */
export function parseStructuredField(name: string, text: string, type: FieldType): StructuredField {
  assertReadable(name, text);
  const parsers = { dictionary: parseDictionary, list: parseList, item: parseItem };
  parse(name, () => parsers[type](text));
  withoutStrings(name, text);
  const mark = findMark(text);
  const marked = text.replace(
    /"(?:[^"\\]|\\.)*"|:[^:]*:|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|(-?\d{1,12})\.0{1,3}(?!\d)/g,
    (literal, whole?: string) => (whole === undefined ? literal : `${mark}${Number(whole)}.0`),
  );
  const write = (serialize: () => string) => parse(name, serialize).replaceAll(mark, '');
  const dictionary = type === 'dictionary' ? parse(name, () => parseDictionary(marked)) : undefined;
  return {
    serialize() {
      if (dictionary) return write(() => serializeDictionary(dictionary));
      return write(() => (type === 'list' ? serializeList(parseList(marked)) : serializeItem(parseItem(marked))));
    },
    serializeMember(key) {
      if (!dictionary) throw new SignatureError('component_invalid', `${name} is no dictionary, so it has no key`);
      const member = dictionary.get(key);
      if (!member) throw new SignatureError('component_missing', `${name} has no member ${key}`);
      return write(() => (isInnerList(member) ? serializeInnerList(member) : serializeItem(member)));
    },
  };
}

/** The beginning of a token that the text does not have. */
function findMark(text: string): string {
  const used = new Set(Array.from(text.matchAll(/D(\d+):/g), ([, number]) => Number(number)));
  let number = 0;
  while (used.has(number)) number += 1;
  return `D${number}:`;
}

function parse<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new SignatureError('field_malformed', `${name} is no structured field of its type`, { cause });
  }
}

function assertReadable(name: string, text: string): void {
  assertPrintable(name, text);
  if (text.length > maxFieldLength) throw new SignatureError('too_large', `${name} is beyond ${maxFieldLength} characters`);
}

/** No line breaks, no control characters but the tab, no non-ASCII (RFC 9421, section 2.5). */
export function assertPrintable(name: string, value: string): void {
  if (!/^[\t\x20-\x7e]*$/.test(value))
    throw new SignatureError('character_invalid', `${name} has a character that is not allowed`);
}

/** Dates and display strings (RFC 9651) are newer than RFC 9421, and the parser does not always write them back right. */
function withoutStrings(name: string, text: string): string {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/%"|@/.test(bare)) throw new SignatureError('unsupported', `${name} has a date or a display string`);
  return bare;
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
