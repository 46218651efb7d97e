// Parses and serializes the fields Signature-Input and Signature. Refuses duplicates (RFC 9421, section 4).
import {
  type Dictionary,
  DisplayString,
  type InnerList,
  isInnerList,
  serializeDictionary,
  serializeInnerList,
} from 'structured-headers';
import { type ComponentIdentifier, identify, type ParameterValue } from './components.ts';
import { SignatureError } from './errors.ts';
import { type Message, readLines } from './message.ts';
import { parseStrictDictionary } from './structured-fields.ts';

/** The covered components and the parameters of one signature, both in order. */
export type SignatureInput = {
  readonly components: readonly ComponentIdentifier[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
};

/** One signature of a message, not verified yet. */
export type UnverifiedSignature = SignatureInput & {
  readonly label: string;
  readonly signature: Uint8Array<ArrayBuffer>;
};

const maxLabels = 32;
const maxComponents = 64;

/**
 * Parses the field Signature-Input. Returns the signature inputs by label.
 *
 * @param value the field value; join several lines with `, `
 * @throws {SignatureError} `field_malformed`, `character_invalid`, `too_large` (over 16 KiB, 32 labels or 64
 *   components), `label_duplicate`, `component_duplicate`, `parameter_duplicate`, or `unsupported` (decimals,
 *   dates, display strings)
 * @see RFC 9421, section 4.1
 * @example
 * parseSignatureInput('sig1=("@method" "@path");created=1618884473;keyid="key-1"').get('sig1');
 */
export function parseSignatureInput(value: string): Map<string, SignatureInput> {
  const inputs = new Map<string, SignatureInput>();
  for (const [label, member] of parseStrictDictionary('Signature-Input', value)) {
    if (!isInnerList(member))
      throw new SignatureError(
        'field_malformed',
        `Signature-Input: ${label} must be an inner list, such as ("@method")`,
      );
    const [items, parameters] = member;
    if (inputs.size === maxLabels || items.length > maxComponents) {
      throw new SignatureError(
        'too_large',
        `Signature-Input must have at most ${maxLabels} labels, each with at most ${maxComponents} components`,
      );
    }
    const components = items.map(([name, itemParameters]) => {
      if (typeof name !== 'string')
        throw new SignatureError(
          'field_malformed',
          `Signature-Input: the components of ${label} must be strings`,
        );
      return { name, parameters: itemParameters };
    });
    if (new Set(components.map(identify)).size !== components.length) {
      throw new SignatureError(
        'component_duplicate',
        `Signature-Input: ${label} has the same component twice`,
      );
    }
    inputs.set(label, { components, parameters });
  }
  return inputs;
}

/**
 * Serializes one member of Signature-Input without its label. A signature base ends with the same text.
 *
 * @throws {SignatureError} `unsupported` for decimals, dates and display strings; `field_malformed` for names
 *   and values that cannot be serialized
 * @see RFC 9421, section 2.3
 * @example
 * const parameters = new Map([['created', 1618884473]]);
 * serializeSignatureInput({ components: [component('@method')], parameters }); // ("@method");created=1618884473
 */
export function serializeSignatureInput({ components, parameters }: SignatureInput): string {
  const list = toInnerList({ components, parameters });
  return write(() => serializeInnerList(list));
}

/**
 * Serializes the field Signature-Input.
 *
 * @throws {SignatureError} `unsupported` for decimals, dates and display strings; `field_malformed` for
 *   labels, names and values that cannot be serialized
 * @see RFC 9421, section 4.1
 * @example
 * const input = { components: [component('@method')], parameters: new Map() };
 * serializeSignatureInputs(new Map([['sig1', input]])); // sig1=("@method")
 */
export function serializeSignatureInputs(inputs: ReadonlyMap<string, SignatureInput>): string {
  const dictionary = new Map([...inputs].map(([label, input]) => [label, toInnerList(input)]));
  return write(() => serializeDictionary(dictionary));
}

/**
 * Parses the field Signature. Returns the bytes of the signatures by label.
 *
 * @param value the field value; join several lines with `, `
 * @throws {SignatureError} `field_malformed`, `character_invalid`, `too_large` (over 16 KiB or 32 labels),
 *   `label_duplicate`, `parameter_duplicate` or `unsupported`
 * @see RFC 9421, section 4.2
 * @example
 * parseSignature('sig1=:AQID:').get('sig1'); // Uint8Array [1, 2, 3]
 */
export function parseSignature(value: string): Map<string, Uint8Array<ArrayBuffer>> {
  const signatures = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const [label, [bytes]] of parseStrictDictionary('Signature', value)) {
    if (!(bytes instanceof ArrayBuffer))
      throw new SignatureError(
        'field_malformed',
        `Signature: ${label} must be a byte sequence, such as :AAAA:`,
      );
    if (signatures.size === maxLabels)
      throw new SignatureError('too_large', `Signature must have at most ${maxLabels} labels`);
    signatures.set(label, new Uint8Array(bytes));
  }
  return signatures;
}

/**
 * Serializes the field Signature.
 *
 * @throws {SignatureError} `field_malformed` when a label is not a dictionary key (RFC 8941, section 3.2)
 * @see RFC 9421, section 4.2
 * @example
 * serializeSignature(new Map([['sig1', new Uint8Array([1, 2, 3])]])); // sig1=:AQID:
 */
export function serializeSignature(signatures: ReadonlyMap<string, Uint8Array>): string {
  const dictionary: Dictionary = new Map(
    [...signatures].map(([label, bytes]) => [label, [new Uint8Array(bytes), new Map()]]),
  );
  return write(() => serializeDictionary(dictionary));
}

/**
 * Reads all signatures of a message, in the order of Signature-Input. Both fields must have the same labels.
 *
 * @throws {SignatureError} the errors of `parseSignatureInput` and `parseSignature`; `signature_missing` when
 *   a field is missing; `label_unmatched` when a label is in only one field
 * @see RFC 9421, sections 3.2 and 4
 * @example
 * for (const { label, parameters } of readSignatures(request)) console.log(label, parameters.get('keyid'));
 */
export function readSignatures(message: Message): UnverifiedSignature[] {
  const input = readLines(message.headers, 'signature-input');
  const signature = readLines(message.headers, 'signature');
  if (!input || !signature)
    throw new SignatureError('signature_missing', 'The message must have Signature-Input and Signature');
  const inputs = parseSignatureInput(input.lines.join(', '));
  const signatures = parseSignature(signature.lines.join(', '));
  if (inputs.size !== signatures.size)
    throw new SignatureError('label_unmatched', 'Signature-Input and Signature must have the same labels');
  return [...inputs].map(([label, signatureInput]) => {
    const bytes = signatures.get(label);
    if (!bytes)
      throw new SignatureError('label_unmatched', `Signature has no label ${label}, but Signature-Input has`);
    return { label, ...signatureInput, signature: bytes };
  });
}

function toInnerList({ components, parameters }: SignatureInput): InnerList {
  for (const values of [parameters, ...components.map((component) => component.parameters)]) {
    for (const [name, value] of values) {
      const isDecimal = typeof value === 'number' && !Number.isInteger(value);
      if (isDecimal || value instanceof Date || value instanceof DisplayString) {
        throw new SignatureError(
          'unsupported',
          `The parameter ${name} must not be a decimal, a date or a display string`,
        );
      }
    }
  }
  return [
    components.map((component) => [component.name, new Map(component.parameters)]),
    new Map(parameters),
  ];
}

function write(serialize: () => string): string {
  try {
    return serialize();
  } catch (cause) {
    throw new SignatureError(
      'field_malformed',
      'A label, name or value has a character or a length that structured fields do not allow',
      { cause },
    );
  }
}
