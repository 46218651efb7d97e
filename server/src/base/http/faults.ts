// Turns what Ajv found into faults that say what is wrong and what is allowed.
import type { ErrorObject } from 'ajv';
import { type Fault, faultAt, unescapePointer } from '../errors.ts';
import { storable } from './schemas.ts';

const maxFaults = 20;
const maxRead = 10 * maxFaults;
const maxListed = 20;

/** `parentSchema` is there with Ajv's option `verbose`. */
type AjvFault = Pick<
  ErrorObject,
  'keyword' | 'instancePath' | 'params' | 'message' | 'parentSchema' | 'propertyName'
>;

/** One for each place and code. `at`: the pointer of the value. */
export function toFaults(faults: readonly AjvFault[] | null | undefined, at = ''): Fault[] {
  // Cut first: a body can have tens of thousands of faults.
  const all = (faults ?? [])
    .slice(0, maxRead)
    .filter((fault, _, cut) => fault.keyword !== 'type' || !cut.some((other) => listsValues(other, fault)))
    // `propertyNames` says the same with the place of the member.
    .filter(({ propertyName }) => propertyName === undefined)
    .map((fault) => toFault({ ...fault, instancePath: at + fault.instancePath }));
  return [...new Map(all.map((fault) => [`${fault.pointer} ${fault.code}`, fault])).values()].slice(
    0,
    maxFaults,
  );
}

/** It says all that the fault of `type` says of the same value. */
const listsValues = ({ keyword, instancePath, parentSchema }: AjvFault, type: AjvFault): boolean =>
  (keyword === 'const' || keyword === 'enum') &&
  instancePath === type.instancePath &&
  parentSchema === type.parentSchema;

function toFault({ keyword, instancePath, params, message, parentSchema = {} }: AjvFault): Fault {
  const member = (name: unknown) => `${instancePath}/${escapePointer(String(name))}`;
  const invalid = (problem: string) => faultAt(instancePath, problem, 'invalid_value');
  switch (keyword) {
    case 'required':
      return faultAt(member(params.missingProperty), 'is required', 'required');
    case 'additionalProperties':
      return faultAt(
        member(params.additionalProperty),
        `is not a member here${known(parentSchema)}`,
        'unknown_member',
      );
    case 'type':
      return faultAt(instancePath, `must be ${typeName(params.type)}${range(parentSchema)}`, 'wrong_type');
    case 'maxLength':
      return faultAt(instancePath, `must have at most ${count(params.limit, 'character')}`, 'too_long');
    case 'maxItems':
      return faultAt(instancePath, `must have at most ${count(params.limit, 'item')}`, 'too_long');
    case 'maxProperties':
      return invalid(`must have at most ${count(params.limit, 'member')}`);
    case 'minItems':
      return invalid(`must have at least ${count(params.limit, 'item')}`);
    case 'minLength':
      return invalid(`must have at least ${count(params.limit, 'character')}`);
    case 'minProperties':
      return invalid(`must have at least ${count(params.limit, 'member')}`);
    case 'propertyNames':
      return faultAt(
        member(params.propertyName),
        `must be ${describeNames(parentSchema.propertyNames)}`,
        'invalid_value',
      );
    case 'minimum':
    case 'maximum':
      return invalid(`must be${range(parentSchema)}`);
    case 'enum':
      return invalid(`must be ${oneOf(params.allowedValues)}`);
    case 'const':
      return invalid(`can only be ${JSON.stringify(params.allowedValue)}`);
    case 'pattern':
      return invalid(`must be ${describePattern(parentSchema)}`);
    case 'format':
      return invalid(
        params.format === 'date-time'
          ? 'must be an RFC 3339 time, such as 2026-01-31T08:00:00Z'
          : `must be a ${params.format}`,
      );
    case 'uniqueItems':
      return invalid(`must not have an item twice (${params.j} and ${params.i})`);
    default:
      return invalid(message ?? 'is not valid');
  }
}

/** RFC 6901, section 3. */
export const escapePointer = (member: string) => member.replaceAll('~', '~0').replaceAll('/', '~1');

/** A step of a reference in a URI fragment (RFC 6901, section 6). */
export function readStep(step: string): string {
  try {
    return unescapePointer(decodeURIComponent(step));
  } catch {
    return unescapePointer(step);
  }
}

function known({ properties }: Record<string, unknown>): string {
  const names = Object.keys(properties ?? {});
  return names.length === 0 || names.length > maxListed ? '' : `; known are ${names.join(', ')}`;
}

const articles: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};
const count = (limit: unknown, noun: string) => `${limit} ${noun}${limit === 1 ? '' : 's'}`;
const typeName = (types: unknown) =>
  [types]
    .flat()
    .map((type) => articles[String(type)] ?? String(type))
    .join(' or ');

function range({ minimum, maximum }: Record<string, unknown>): string {
  if (minimum !== undefined && maximum !== undefined) return ` between ${minimum} and ${maximum}`;
  if (minimum !== undefined) return ` ${minimum} or more`;
  return maximum === undefined ? '' : ` ${maximum} or less`;
}

function oneOf(values: readonly unknown[]): string {
  const shown = values
    .slice(0, maxListed)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return values.length === 1
    ? `${shown[0]}`
    : `one of ${shown.join(', ')}${values.length > maxListed ? ', ...' : ''}`;
}

/** Our schemas say in `x-form` what a pattern takes. Those of event types do not. */
function describePattern(schema: Record<string, unknown>): string {
  if (typeof schema['x-form'] === 'string') return schema['x-form'];
  return schema.pattern === storable
    ? 'text without NUL and lone surrogates'
    : `text that matches ${schema.pattern}`;
}

const describeNames = (names: unknown): string => {
  const form = (names as Record<string, unknown> | undefined)?.['x-form'];
  return typeof form === 'string' ? form : 'a name that `propertyNames` of the schema allows';
};
