// The values of field components: header and trailer fields, whole or in part (RFC 9421, section 2.1).
import type { ComponentIdentifier } from './components.ts';
import { SignatureError } from './errors.ts';
import { type FieldLines, type Message, readLines } from './message.ts';
import {
  assertPrintable,
  type FieldType,
  parseStructuredField,
  type StructuredField,
} from './structured-fields.ts';

const maxValueLength = 65_536;

/** The types of registered structured fields. Applications add their own with `fieldTypes`. */
const registeredTypes: ReadonlyMap<string, FieldType> = new Map([
  ['accept-signature', 'dictionary'],
  ['content-digest', 'dictionary'],
  ['repr-digest', 'dictionary'],
  ['want-content-digest', 'dictionary'],
  ['want-repr-digest', 'dictionary'],
  ['signature', 'dictionary'],
  ['signature-input', 'dictionary'],
  ['priority', 'dictionary'],
  ['cache-status', 'list'],
  ['proxy-status', 'list'],
]);

/** The types of structured fields, by field name in lower case. */
export type FieldTypes = Readonly<Record<string, FieldType>>;

/**
 * Reads field components of one message and its request. Parses each structured field once, however many
 * members are covered.
 */
export function createFieldReader(
  fieldTypes: FieldTypes,
): (message: Message, identifier: ComponentIdentifier) => string {
  const parsed = new Map<string, StructuredField>();

  return (message, { name, parameters }) => {
    const field = readLines(parameters.has('tr') ? message.trailers : message.headers, name);
    if (!field) throw new SignatureError('component_missing', `The message has no field ${name}`);
    const combined = field.lines.join(', ');
    if (combined.length > maxValueLength)
      throw new SignatureError('too_large', `${name} must have at most ${maxValueLength} characters`);
    if (parameters.has('bs')) return wrapLines(name, field);
    const key = parameters.get('key');
    if (key === undefined && !parameters.has('sf')) {
      assertPrintable(name, combined);
      return combined;
    }
    const type = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : registeredTypes.get(name);
    if (!type)
      throw new SignatureError('unsupported', `The type of ${name} is unknown: add it to fieldTypes`);
    const source = `${parameters.has('req')} ${parameters.has('tr')} ${name}`;
    const structured = parsed.get(source) ?? parseStructuredField(name, combined, type);
    parsed.set(source, structured);
    return typeof key === 'string' ? structured.serializeMember(key) : structured.serialize();
  };
}

/**
 * Writes each line as a byte sequence, so a comma inside a line differs from a comma between lines (RFC 9421,
 * section 2.1.3).
 */
function wrapLines(name: string, { lines, combined }: FieldLines): string {
  if (combined && lines.some((line) => line.includes(','))) {
    throw new SignatureError(
      'unsupported',
      `The lines of ${name} may have been joined: pass headers as pairs or arrays`,
    );
  }
  return lines
    .map((line) => {
      // Tabs, and bytes from 0x20 on, except DEL (RFC 9110, section 5.5). One character is one byte.
      if (/[^\t -~\x80-\xff]/.test(line))
        throw new SignatureError(
          'character_invalid',
          `${name} must not have control characters or characters above U+00FF`,
        );
      return `:${btoa(line)}:`;
    })
    .join(', ');
}
