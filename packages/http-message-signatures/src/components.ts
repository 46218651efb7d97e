// Component identifiers: what of a message a signature covers (RFC 9421, sections 2 and 2.5).
import { type BareItem, serializeItem } from 'structured-headers';
import { SignatureError } from './errors.ts';

/** The value of a parameter: a string, integer, boolean, token or byte sequence (RFC 8941, section 3.3). */
export type ParameterValue = BareItem;

/** A component name with its parameters, whose order is kept. */
export type ComponentIdentifier = {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
};

/** The parameters that a component may have: flags, `key` of a dictionary field, `name` of `@query-param`. */
export type ComponentParameters = {
  readonly sf?: true;
  readonly key?: string;
  readonly bs?: true;
  readonly tr?: true;
  readonly req?: true;
  readonly name?: string;
};

/**
 * Makes a component identifier (RFC 9421, section 2). Field names are lower case, derived ones begin with `@`. Whether the
 * identifier can be covered is decided when a signature base is made.
 *
 * @example
 * component('@query-param', { name: 'page' });
 * component('content-digest', { req: true });
 */
export function component(name: string, parameters: ComponentParameters = {}): ComponentIdentifier {
  return { name, parameters: new Map(Object.entries(parameters)) };
}

/** A bare string is a component without parameters. */
export function toComponent(value: string | ComponentIdentifier): ComponentIdentifier {
  return typeof value === 'string' ? component(value) : value;
}

/** `"content-digest";req`, as it stands in a signature base and in Signature-Input. */
export function serializeComponent({ name, parameters }: ComponentIdentifier): string {
  try {
    return serializeItem(name, new Map(parameters));
  } catch (cause) {
    throw new SignatureError('component_invalid', 'A component identifier has a character that is not allowed', { cause });
  }
}

/** Equal for identifiers that are the same: the order of parameters does not count there (RFC 9421, section 2). */
export function identify({ name, parameters }: ComponentIdentifier): string {
  const sorted = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
  return serializeComponent({ name, parameters: new Map(sorted) });
}

const flags = new Set(['sf', 'bs', 'tr', 'req']);
const texts = new Set(['key', 'name']);

/** Throws for an identifier that no signature of such a message may cover. */
export function assertCoverable(identifier: ComponentIdentifier, ofRequest: boolean): void {
  const { name, parameters } = identifier;
  const fail = (code: 'component_invalid' | 'unsupported', reason: string) => {
    throw new SignatureError(code, `${serializeComponent(identifier)}: ${reason}`);
  };
  for (const [key, value] of parameters) {
    if (!flags.has(key) && !texts.has(key)) fail('unsupported', `the parameter ${key} is unknown`);
    if (flags.has(key) ? value !== true : typeof value !== 'string') fail('component_invalid', `${key} has a wrong value`);
  }
  if (name === '@signature-params') fail('component_invalid', 'it always is the last line, and never covered');
  if (!/^@?[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) fail('component_invalid', 'no name of a field in lower case');
  if (parameters.has('bs') && (parameters.has('sf') || parameters.has('key')))
    fail('component_invalid', 'bs goes with neither sf nor key');
  if (parameters.has('req') && ofRequest) fail('component_invalid', 'req is for responses');
  const allowed = name === '@query-param' ? ['name', 'req'] : name.startsWith('@') ? ['req'] : ['sf', 'key', 'bs', 'tr', 'req'];
  for (const key of parameters.keys()) if (!allowed.includes(key)) fail('component_invalid', `${key} does not apply to it`);
}
