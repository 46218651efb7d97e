// The signature base: the text that is signed (RFC 9421, section 2.5).
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
  /** The covered components, in order. */
  readonly components: readonly (string | ComponentIdentifier)[];
  /**
   * The signature parameters, in order: `created` and `expires` in Unix seconds, `keyid`, `alg`, `nonce`,
   * `tag`, and others.
   */
  readonly parameters: ReadonlyMap<string, ParameterValue> | Readonly<Record<string, ParameterValue>>;
  /** The types of the application's own structured fields, for `sf` and `key`; none by default. */
  readonly fieldTypes?: FieldTypes | undefined;
};

/**
 * Creates the signature base of a message: one line for each component, then the signature parameters. The
 * text is ASCII, so its UTF-8 bytes are the bytes to sign.
 *
 * @throws {SignatureError} `component_invalid`, `component_missing`, `component_duplicate`,
 *   `message_invalid`, `character_invalid`, `field_malformed`, `too_large` or `unsupported`. It throws whenever
 *   the other side could create another base.
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
export function createSignatureBase(
  message: Message,
  { components, parameters, fieldTypes = {} }: SignatureBaseOptions,
): string {
  const identifiers = components.map(toComponent);
  const readField = createFieldReader(fieldTypes);
  const seen = new Set<string>();
  const lines = identifiers.map((identifier) => {
    const identity = identify(identifier);
    if (seen.has(identity)) throw new SignatureError('component_duplicate', `${identity} is covered twice`);
    seen.add(identity);
    assertCoverable(identifier, isRequest(message));
    const context = identifier.parameters.has('req') ? requestOf(message) : message;
    const read = identifier.name.startsWith('@')
      ? deriveComponent(context, identifier)
      : readField(context, identifier);
    return `${serializeComponent(identifier)}: ${read}`;
  });
  const signatureParameters = serializeSignatureInput({
    components: identifiers,
    parameters: toMap(parameters),
  });
  return [...lines, `"@signature-params": ${signatureParameters}`].join('\n');
}

function requestOf(message: Message): Message {
  const request = isRequest(message) ? undefined : message.request;
  if (!request)
    throw new SignatureError(
      'component_missing',
      'A component with req needs the request: pass it with the response',
    );
  return request;
}

export function toMap(parameters: SignatureBaseOptions['parameters']): ReadonlyMap<string, ParameterValue> {
  return new Map(Symbol.iterator in parameters ? parameters : Object.entries(parameters));
}
