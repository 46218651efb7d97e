// The signature base: the exact bytes that are signed (RFC 9421, section 2.5).
import {
  assertCoverable,
  type ComponentIdentifier,
  identify,
  type ParameterValue,
  serializeComponent,
  toComponent,
} from './components.ts';
import { deriveComponent } from './derived-components.ts';
import { SignatureError } from './errors.ts';
import { createFieldReader, type FieldTypes } from './field-components.ts';
import { isRequest, type Message } from './message.ts';
import { serializeSignatureInput } from './signature-fields.ts';

export type SignatureBaseOptions = {
  /** What is covered, in order. */
  readonly components: readonly (string | ComponentIdentifier)[];
  /** `created` and `expires` in Unix seconds, `keyid`, `alg`, `nonce`, `tag`, and others; their order is kept. */
  readonly parameters: ReadonlyMap<string, ParameterValue> | Readonly<Record<string, ParameterValue>>;
  /** The types of the application's own structured fields, for `sf` and `key`. */
  readonly fieldTypes?: FieldTypes | undefined;
};

/**
 * Makes the signature base of a message: a line for each component, and the signature parameters as the last one. It is
 * ASCII, so its bytes are those of the string.
 *
 * @throws {SignatureError} when the base cannot be made exactly: never a base that the other side might make differently
 * @see RFC 9421, section 2.5
 * @example
 * createSignatureBase(
 *   { method: 'GET', url: 'https://example.com/?page=2', headers: [] },
 *   { components: ['@method', '@authority'], parameters: { created: 1618884473, keyid: 'key-1' } },
 * );
 * // "@method": GET
 * // "@authority": example.com
 * // "@signature-params": ("@method" "@authority");created=1618884473;keyid="key-1"
 */
export function createSignatureBase(message: Message, { components, parameters, fieldTypes = {} }: SignatureBaseOptions): string {
  const identifiers = components.map(toComponent);
  const readField = createFieldReader(fieldTypes);
  const seen = new Set<string>();
  const lines = identifiers.map((identifier) => {
    const identity = identify(identifier);
    if (seen.has(identity)) throw new SignatureError('component_duplicate', `${identity} is covered twice`);
    seen.add(identity);
    assertCoverable(identifier, isRequest(message));
    const context = identifier.parameters.has('req') ? requestOf(message) : message;
    const read = identifier.name.startsWith('@') ? deriveComponent(context, identifier) : readField(context, identifier);
    return `${serializeComponent(identifier)}: ${read}`;
  });
  const signatureParameters = serializeSignatureInput({ components: identifiers, parameters: toMap(parameters) });
  return [...lines, `"@signature-params": ${signatureParameters}`].join('\n');
}

function requestOf(message: Message): Message {
  const request = isRequest(message) ? undefined : message.request;
  if (!request) throw new SignatureError('component_missing', 'The request of this response was not given');
  return request;
}

export function toMap(parameters: SignatureBaseOptions['parameters']): ReadonlyMap<string, ParameterValue> {
  return new Map(Symbol.iterator in parameters ? parameters : Object.entries(parameters));
}
