// The values of field components: header and trailer fields, whole or in part (RFC 9421, section 2.1).
import type { ComponentIdentifier } from './components.ts';
import { SignatureError } from './errors.ts';
import { type FieldLines, type Message, readLines } from './message.ts';
import { assertPrintable, type FieldType, parseStructuredField, type StructuredField } from './structured-fields.ts';

const maxValueLength = 65_536;

/** The structured fields whose type this library knows; applications name theirs with `fieldTypes`. */
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

/** The types of structured fields by lower-case name. */
export type FieldTypes = Readonly<Record<string, FieldType>>;

/** Reads the fields of one message and its request. A structured field is parsed once, however many of its members are covered. */
export function createFieldReader(fieldTypes: FieldTypes): (message: Message, identifier: ComponentIdentifier) => string {
  const parsed = new Map<string, StructuredField>();

  return (message, { name, parameters }) => {
    const field = readLines(parameters.has('tr') ? message.trailers : message.headers, name);
    if (!field) throw new SignatureError('component_missing', `The message has no field ${name}`);
    const combined = field.lines.join(', ');
    if (combined.length > maxValueLength) throw new SignatureError('too_large', `${name} is too long`);
    if (parameters.has('bs')) return wrapLines(name, field);
    const key = parameters.get('key');
    if (key === undefined && !parameters.has('sf')) {
      assertPrintable(name, combined);
      return combined;
    }
    const type = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : registeredTypes.get(name);
    if (!type) throw new SignatureError('unsupported', `The type of ${name} is not known: name it in fieldTypes`);
    const source = `${parameters.has('req')} ${parameters.has('tr')} ${name}`;
    const structured = parsed.get(source) ?? parseStructuredField(name, combined, type);
    parsed.set(source, structured);
    return typeof key === 'string' ? structured.serializeMember(key) : structured.serialize();
  };
}

/** RFC 9421, section 2.1.3: each line is a byte sequence, so that commas inside lines and between them differ. */
function wrapLines(name: string, { lines, combined }: FieldLines): string {
  if (combined && lines.some((line) => line.includes(','))) {
    throw new SignatureError('unsupported', `The lines of ${name} were joined before: give headers as pairs or arrays`);
  }
  return lines
    .map((line) => {
      if (!isFieldText(line)) throw new SignatureError('character_invalid', `${name} has a character that is no byte of a field`);
      return `:${btoa(line)}:`;
    })
    .join(', ');
}

/** What a field line may have (RFC 9110, section 5.5): tabs and bytes from a space on, but no DEL; here a character each. */
function isFieldText(line: string): boolean {
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f || code > 0xff) return false;
  }
  return true;
}
