// Component identifiers: they name the parts of a message that a signature covers (RFC 9421, sections 2 and
// 2.5).
import { type BareItem, serializeItem } from 'structured-headers';
import { SignatureError } from './errors.ts';

/** The value of a parameter: a string, integer, boolean, token or byte sequence (RFC 8941, section 3.3). */
export type ParameterValue = BareItem;

/** A component name with its parameters. The order of the parameters is kept. */
export type ComponentIdentifier = {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
};

/** The parameters of a component (RFC 9421, section 6.5). */
export type ComponentParameters = {
  /** Serializes the field strictly as a structured field. */
  readonly sf?: true;
  /** Covers one member of a dictionary field. */
  readonly key?: string;
  /** Wraps each line of the field as a byte sequence. */
  readonly bs?: true;
  /** Takes the field from the trailers. */
  readonly tr?: true;
  /** In a response: takes the component from the request. */
  readonly req?: true;
  /** Names the query parameter that `@query-param` covers, percent-encoded. */
  readonly name?: string;
};

/**
 * Creates a component identifier (RFC 9421, section 2). Field names are in lower case; names of derived
 * components begin with
 * `@`. An invalid identifier is refused only when a signature base is created.
 *
 * @example
 * component('@query-param', { name: 'page' });
 * component('content-digest', { req: true });
 */
export function component(name: string, parameters: ComponentParameters = {}): ComponentIdentifier {
  return { name, parameters: new Map(Object.entries(parameters)) };
}

/** A string is short for a component without parameters. */
export function toComponent(value: string | ComponentIdentifier): ComponentIdentifier {
  return typeof value === 'string' ? component(value) : value;
}

/** Writes an identifier as in a signature base and in Signature-Input: `"content-digest";req`. */
export function serializeComponent({ name, parameters }: ComponentIdentifier): string {
  try {
    return serializeItem(name, new Map(parameters));
  } catch (cause) {
    throw new SignatureError(
      'component_invalid',
      'A component identifier must have printable ASCII characters only',
      { cause },
    );
  }
}

/**
 * Returns the same text for equal identifiers. The order of parameters does not matter (RFC 9421, section 2).
 */
export function identify({ name, parameters }: ComponentIdentifier): string {
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return serializeComponent({ name, parameters: new Map(sorted) });
}

const flags = new Set(['sf', 'bs', 'tr', 'req']);
const texts = new Set(['key', 'name']);

/** Throws when a signature of a request (or response) may not cover this identifier. */
export function assertCoverable(identifier: ComponentIdentifier, isInRequest: boolean): void {
  const { name, parameters } = identifier;
  const fail = (code: 'component_invalid' | 'unsupported', reason: string) => {
    throw new SignatureError(code, `${serializeComponent(identifier)}: ${reason}`);
  };
  for (const [key, value] of parameters) {
    if (!flags.has(key) && !texts.has(key)) fail('unsupported', `unknown parameter ${key}`);
    if (flags.has(key) ? value !== true : typeof value !== 'string')
      fail('component_invalid', `${key} must be ${flags.has(key) ? 'a flag' : 'a string'}`);
  }
  if (name === '@signature-params')
    fail('component_invalid', 'must not be covered; it is always the last line');
  if (!/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
    fail('component_invalid', 'must be a field name in lower case');
  if (parameters.has('bs') && (parameters.has('sf') || parameters.has('key')))
    fail('component_invalid', 'bs must not be combined with sf or key');
  if (parameters.has('req') && isInRequest) fail('component_invalid', 'req is allowed in responses only');
  const allowed =
    name === '@query-param'
      ? ['name', 'req']
      : name.startsWith('@')
        ? ['req']
        : ['sf', 'key', 'bs', 'tr', 'req'];
  for (const key of parameters.keys())
    if (!allowed.includes(key)) fail('component_invalid', `must not have the parameter ${key}`);
}
