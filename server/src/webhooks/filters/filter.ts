// Filters on the data of events: reads them, and decides whether data matches (behaviour W69). Pure.
import { invalidRequest, unescapePointer } from '../../base/errors.ts';
import { escapePointer } from '../../base/http/faults.ts';
import { requireBinary64 } from '../../base/http/json-body.ts';
import { isObject, isStorable } from '../../base/http/schemas.ts';
import { limits, type Operator, type Range, type Scalar } from './schema.ts';

/**
 * A step into an object by name, and into an array by index. Index -1: the name is no index. `isInherited`: each
 * object has such a property, as `constructor`.
 */
type Step = Readonly<{ name: string; index: number; isInherited: boolean }>;
/** Tests the value at a path. Undefined: it is missing. */
type Test = (value: unknown) => boolean;
/** `pointer`: where the request has its path. */
export type Condition = Readonly<{
  path: string;
  steps: readonly Step[];
  pointer: string;
  test: Test;
}>;
/** Whether the conditions with these verdicts, by their number, match together. */
type Tree = (verdicts: readonly boolean[]) => boolean;
export type Filter = Readonly<{
  matches: (data: unknown) => boolean;
  conditions: readonly Condition[];
}>;

/** @throws ServiceError invalid_request: the value is no filter */
export function readFilter(value: unknown): Filter {
  const pointer = '/filter';
  if (Buffer.byteLength(JSON.stringify(value)) > limits.bytes)
    throw invalidRequest(pointer, `must have at most ${limits.bytes / 1024} KiB of JSON`, 'too_long');
  if (!isStorable(value)) throw invalidRequest(pointer, 'must not contain NUL or a lone surrogate');
  requireBinary64(value, pointer);
  const conditions: Condition[] = [];
  const tree = read(value, pointer, 1, conditions);
  return { conditions, matches: compile(conditions, tree) };
}

/** A place in the data that paths lead to, or through. */
type Place = Readonly<{ tests: { test: Test; number: number }[]; below: Next[] }>;
type Next = Step & { readonly place: Place };

/**
 * Walks through the data once, whatever the number of conditions below a place: the work is at most one step
 * for each value of the data that a path names, and one for each condition.
 */
function compile(conditions: readonly Condition[], tree: Tree): Filter['matches'] {
  const whole: Place = { tests: [], below: [] };
  for (const [number, { steps, test }] of conditions.entries()) {
    let place = whole;
    for (const step of steps) {
      let next = place.below.find(({ name }) => name === step.name);
      if (!next) {
        next = { ...step, place: { tests: [], below: [] } };
        place.below.push(next);
      }
      place = next.place;
    }
    place.tests.push({ test, number });
  }
  const missing = conditions.map(({ test }) => test(undefined));
  return (data) => {
    const verdicts = [...missing];
    visit(whole, data, verdicts);
    return tree(verdicts);
  };
}

function visit({ tests, below }: Place, value: unknown, verdicts: boolean[]): void {
  for (const { test, number } of tests) verdicts[number] = test(value);
  if (typeof value !== 'object' || value === null) return;
  const isArray = Array.isArray(value);
  for (const { name, index, isInherited, place } of below) {
    if (isInherited && !Object.hasOwn(value, name)) continue;
    const member = isArray ? value[index] : (value as Record<string, unknown>)[name];
    if (member !== undefined) visit(place, member, verdicts);
  }
}

const kinds = ['all', 'any', 'not', 'path'] as const;
/** `wanted`: the value of the operator. `pointer`: where the request has it. */
type Operation = (wanted: unknown, pointer: string) => Test;
const operators: Readonly<Record<Operator, Operation>> = {
  equals(wanted, pointer) {
    const scalar = requireScalar(wanted, pointer);
    return (value) => value === scalar;
  },
  one_of(wanted, pointer) {
    const scalars = new Set<unknown>(
      requireList(wanted, pointer, limits.values).map((each, index) =>
        requireScalar(each, `${pointer}/${index}`),
      ),
    );
    return (value) => scalars.has(value);
  },
  prefix: ofText((text, wanted) => text.startsWith(wanted)),
  suffix: ofText((text, wanted) => text.endsWith(wanted)),
  exists(wanted, pointer) {
    if (typeof wanted !== 'boolean') throw invalidRequest(pointer, 'must be true or false');
    return (value) => (value !== undefined) === wanted;
  },
  range: readRange,
};
const operatorNames = Object.keys(operators) as Operator[];

function read(value: unknown, pointer: string, level: number, conditions: Condition[]): Tree {
  if (level > limits.levels) throw invalidRequest(pointer, `must have at most ${limits.levels} levels`);
  const filter = requireObject(value, pointer, [...kinds, ...operatorNames]);
  const kind = requireOne(filter, pointer, kinds);
  if (kind === 'path') return readCondition(filter, pointer, conditions);
  const [extra] = Object.keys(filter).filter((name) => name !== kind);
  if (extra !== undefined) throw invalidRequest(`${pointer}/${extra}`, `must not stand beside ${kind}`);
  const inside = filter[kind];
  if (kind === 'not') {
    const matches = read(inside, `${pointer}/not`, level + 1, conditions);
    return (verdicts) => !matches(verdicts);
  }
  const at = `${pointer}/${kind}`;
  const parts = requireList(inside, at, limits.conditions).map((part, index) =>
    read(part, `${at}/${index}`, level + 1, conditions),
  );
  return kind === 'all'
    ? (verdicts) => parts.every((matches) => matches(verdicts))
    : (verdicts) => parts.some((matches) => matches(verdicts));
}

function readCondition(
  filter: Readonly<Record<string, unknown>>,
  pointer: string,
  conditions: Condition[],
): Tree {
  if (conditions.length >= limits.conditions)
    throw invalidRequest(pointer, `is one too many: a filter has at most ${limits.conditions} conditions`);
  const { path } = filter;
  const steps = readPath(path, `${pointer}/path`);
  const operator = requireOne(filter, pointer, operatorNames);
  const test = operators[operator](filter[operator], `${pointer}/${operator}`);
  const number = conditions.push({ path: String(path), steps, pointer: `${pointer}/path`, test }) - 1;
  return (verdicts) => verdicts[number] === true;
}

function ofText(isMatch: (text: string, wanted: string) => boolean): Operation {
  return (wanted, pointer) => {
    if (typeof wanted !== 'string') throw invalidRequest(pointer, 'must be a text');
    return (value) => typeof value === 'string' && isMatch(value, wanted);
  };
}

const bounds = ['gt', 'gte', 'lt', 'lte'] as const;

function readRange(wanted: unknown, pointer: string): Test {
  const given = requireObject(wanted, pointer, bounds);
  for (const [name, bound] of Object.entries(given))
    if (typeof bound !== 'number') throw invalidRequest(`${pointer}/${name}`, 'must be a number');
  const isTwice = ('gt' in given && 'gte' in given) || ('lt' in given && 'lte' in given);
  if (Object.keys(given).length === 0 || isTwice)
    throw invalidRequest(pointer, 'must have gt or gte, or lt or lte, or one of each');
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = given as Range;
  return (value) => typeof value === 'number' && value > gt && value >= gte && value < lt && value <= lte;
}

/** RFC 6901. */
function readPath(path: unknown, pointer: string): Step[] {
  if (typeof path !== 'string' || !/^(?:\/(?:[^~/]|~[01])*)*$/.test(path))
    throw invalidRequest(pointer, 'must be a JSON Pointer (RFC 6901), such as /items/0/sku');
  const names = path.split('/').slice(1);
  if (names.length > limits.steps)
    throw invalidRequest(pointer, `must have at most ${limits.steps} steps, but has ${names.length}`);
  return names.map((escaped) => {
    const name = unescapePointer(escaped);
    const index = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : -1;
    return { name, index, isInherited: name in Object.prototype };
  });
}

function requireObject(
  value: unknown,
  pointer: string,
  members: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalidRequest(pointer, 'must be an object');
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      `${pointer}/${escapePointer(unknown)}`,
      `is not a member here; members are ${members.join(', ')}`,
      'unknown_member',
    );
  return value;
}

function requireOne<Name extends string>(object: object, pointer: string, names: readonly Name[]): Name {
  const [name, ...others] = names.filter((each) => Object.hasOwn(object, each));
  if (name !== undefined && others.length === 0) return name;
  throw invalidRequest(pointer, `must have exactly one of ${names.join(', ')}`);
}

function requireList(value: unknown, pointer: string, most: number): unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= most) return value;
  throw invalidRequest(pointer, `must be a list of 1 to ${most}`);
}

function requireScalar(value: unknown, pointer: string): Scalar {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Scalar;
  throw invalidRequest(pointer, 'must be a text, a number, true, false or null');
}
