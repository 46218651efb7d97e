// Whether the JSON Schema of an event type knows the paths of a filter (behaviour W69). Pure.
import { invalidRequest } from '../../base/errors.ts';
import { readStep } from '../../base/http/faults.ts';
import { isObject } from '../../base/http/schemas.ts';
import type { Condition } from './filter.ts';

/** Parts of schemas that one check looks at, some 30 ms long: a schema can contain itself in many ways. */
const maxExamined = 30_000;
const maxShownPath = 200;

type Schema = Readonly<Record<string, unknown>>;
/** `pointer`: the part of the request to blame when nothing is left. */
type Budget = { left: number; readonly pointer: string };

/**
 * @throws ServiceError invalid_request: no schema knows a path. `pointer`: the part of the request to blame, if it has
 * no filter
 */
export function requireKnownPaths(
  conditions: readonly Condition[],
  schemas: readonly unknown[],
  pointer?: string,
): void {
  const budget = { left: maxExamined, pointer: pointer ?? '/filter' };
  for (const { path, steps, pointer: own } of conditions) {
    const names = steps.map(({ name }) => name);
    if (schemas.some((schema) => knowsPath(schema, names, budget))) continue;
    const shown = path.length > maxShownPath ? `${path.slice(0, maxShownPath)}...` : path;
    throw invalidRequest(
      pointer ?? own,
      `must lead to a value that the schema of a chosen event type knows: none knows ${shown}`,
    );
  }
}

/**
 * A schema knows a path that it describes, and each path below a place that it leaves open. Patterns of
 * names are not compared: a place with patterns knows every name.
 */
export function knowsPath(
  schema: unknown,
  names: readonly string[],
  budget: Budget = { left: maxExamined, pointer: '' },
): boolean {
  let place: ReadonlySet<unknown> = new Set([schema]);
  for (const name of names) {
    const parts = partsOf(schema, place, budget);
    if (parts === 'anything' || isOpen(parts)) return true;
    place = new Set([...parts].flatMap((part) => below(part, name)).filter((part) => part !== false));
    if (place.size === 0) return false;
  }
  return true;
}

/** The schemas that apply at one place, with those that they refer to. */
function partsOf(root: unknown, place: ReadonlySet<unknown>, budget: Budget): Set<Schema> | 'anything' {
  const parts = new Set<Schema>();
  const waiting = [...place];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (--budget.left < 0)
      throw invalidRequest(
        budget.pointer,
        'takes too long to compare with the schemas of its event types: choose fewer types, or fewer conditions',
      );
    if (part === true) return 'anything';
    if (!isObject(part) || parts.has(part)) continue;
    parts.add(part);
    for (const reference of ['$ref', '$dynamicRef']) {
      if (typeof part[reference] !== 'string') continue;
      budget.left -= part[reference].length / 16;
      const target = resolve(root, part[reference]);
      if (target === undefined) return 'anything';
      waiting.push(target);
    }
    waiting.push(
      ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => listOf(part[keyword])),
      ...[part.if, part.then, part.else].filter(isObject),
      ...Object.values(Object(part.dependentSchemas)),
    );
  }
  return parts;
}

/** Undefined: a reference by name or to another document, which is not followed. */
function resolve(root: unknown, reference: string): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined;
  let target = root;
  for (const name of reference.split('/').slice(1)) {
    if (typeof target !== 'object' || target === null) return undefined;
    const member = readStep(name);
    target = Object.hasOwn(target, member) ? (target as Schema)[member] : undefined;
  }
  return target;
}

const describing = ['properties', 'patternProperties', 'items', 'prefixItems'];
const others = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems'];

/** Nothing says which members a value there has, and it can be an object or an array. */
function isOpen(parts: ReadonlySet<Schema>): boolean {
  let isContainer: boolean | undefined;
  for (const part of parts) {
    if (describing.some((keyword) => Object.hasOwn(part, keyword))) return false;
    if (others.some((keyword) => Object.hasOwn(part, keyword) && part[keyword] !== true)) return false;
    if (!Object.hasOwn(part, 'type')) continue;
    const types = [part.type].flat();
    isContainer = isContainer === true || types.includes('object') || types.includes('array');
  }
  return isContainer ?? true;
}

/** What describes the member, or the element, of this name. */
function below(part: Schema, name: string): unknown[] {
  const found: unknown[] = [];
  const { properties, patternProperties, prefixItems } = part;
  const isNamed = isObject(properties) && Object.hasOwn(properties, name);
  if (isNamed) found.push(properties[name]);
  if (isObject(patternProperties)) found.push(...Object.values(patternProperties));
  if (!isNamed)
    for (const keyword of ['additionalProperties', 'unevaluatedProperties'])
      if (Object.hasOwn(part, keyword)) found.push(part[keyword]);
  if (!/^(?:0|[1-9]\d*)$/.test(name)) return found;
  const elements = listOf(prefixItems);
  if (Number(name) < elements.length) found.push(elements[Number(name)]);
  else
    for (const keyword of ['items', 'unevaluatedItems'])
      if (Object.hasOwn(part, keyword)) found.push(part[keyword]);
  return found;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
