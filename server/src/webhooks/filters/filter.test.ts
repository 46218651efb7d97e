import { describe, expect, it } from 'vitest';
import { readFilter } from './filter.ts';
import type { EventFilter, Operator } from './schema.ts';

const data = JSON.parse(`{
  "status": "shipped", "total": 99.5, "zero": 0, "count": 12345678901234567890, "paid": true, "note": null,
  "items": [{"sku": "NX-1", "quantity": 2}, {"sku": "NX-2"}], "grid": [[1, 2], [3]], "a/b": {"m~n": 1},
  "": "empty name", "__proto__": {"x": 1}, "long": "${'x'.repeat(1_000)}end"}`);
const matches = (filter: unknown) => readFilter(filter).matches(data);

describe('W69: conditions', () => {
  it.each<[string, EventFilter[], EventFilter[]]>([
    [
      'equals',
      [
        { path: '/status', equals: 'shipped' },
        { path: '/total', equals: 99.5 },
        { path: '/zero', equals: -0 },
        { path: '/paid', equals: true },
        { path: '/note', equals: null },
        // Both are the same number of binary64.
        { path: '/count', equals: 12345678901234567000 },
      ],
      [
        { path: '/status', equals: 'Shipped' },
        { path: '/total', equals: '99.5' as never },
        { path: '/missing', equals: null },
        { path: '/items', equals: null },
        { path: '/paid', equals: 1 },
      ],
    ],
    [
      'one_of',
      [
        { path: '/status', one_of: ['packed', 'shipped'] },
        { path: '/note', one_of: [1, null] },
      ],
      [
        { path: '/status', one_of: ['packed', null] },
        { path: '/missing', one_of: [null, ''] },
      ],
    ],
    [
      'prefix and suffix',
      [
        { path: '/status', prefix: 'ship' },
        { path: '/long', suffix: 'xend' },
        { path: '/status', prefix: '' },
      ],
      [
        { path: '/status', prefix: 'hip' },
        { path: '/long', suffix: 'x' },
        { path: '/total', prefix: '9' },
        { path: '/missing', suffix: '' },
      ],
    ],
    [
      'exists',
      [
        { path: '/note', exists: true },
        { path: '/missing', exists: false },
        { path: '', exists: true },
        { path: '/status/length', exists: false },
        { path: '/items/length', exists: false },
        { path: '/items/2', exists: false },
        { path: '/items/01', exists: false },
        { path: '/items/-', exists: false },
        { path: '/constructor', exists: false },
        { path: '/toString', exists: false },
      ],
      [
        { path: '/note', exists: false },
        { path: '/missing', exists: true },
      ],
    ],
    [
      'range',
      [
        { path: '/total', range: { gt: 99, lt: 100 } },
        { path: '/total', range: { gte: 99.5, lte: 99.5 } },
        { path: '/zero', range: { gte: -1 } },
      ],
      [
        { path: '/total', range: { gt: 99.5 } },
        { path: '/total', range: { lt: 99.5 } },
        { path: '/total', range: { gte: 100 } },
        { path: '/total', range: { lte: 99 } },
        { path: '/status', range: { lt: 1 } },
        { path: '/note', range: { lte: 0 } },
        { path: '/missing', range: { lte: 0 } },
      ],
    ],
    [
      'paths',
      [
        { path: '/items/1/sku', equals: 'NX-2' },
        { path: '/grid/0/1', equals: 2 },
        { path: '/a~1b/m~0n', equals: 1 },
        { path: '/', equals: 'empty name' },
        { path: '/__proto__/x', equals: 1 },
      ],
      [
        { path: '/items/sku', exists: true },
        { path: '/status/0', exists: true },
        { path: '/__proto__/toString', exists: true },
      ],
    ],
    [
      'all, any and not',
      [
        { all: [{ path: '/paid', equals: true }, { not: { path: '/missing', equals: 1 } }] },
        {
          any: [
            { path: '/paid', equals: false },
            { path: '/zero', equals: 0 },
          ],
        },
      ],
      [
        {
          all: [
            { path: '/paid', equals: true },
            { path: '/zero', equals: 1 },
          ],
        },
        {
          any: [
            { path: '/paid', equals: false },
            { path: '/zero', equals: 1 },
          ],
        },
        { not: { path: '/paid', equals: true } },
      ],
    ],
  ])('%s', (_, matching, others) => {
    expect(matching.filter((filter) => !matches(filter))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });
});

const condition = { path: '/a', equals: 1 };
const nest = (levels: number): unknown => (levels === 1 ? condition : { not: nest(levels - 1) });

it.each<[string, unknown, string, string]>([
  ['no object', [], '', 'must be an object'],
  ['nothing', {}, '', 'must have exactly one of all, any, not, path'],
  ['two kinds', { all: [condition], any: [condition] }, '', 'must have exactly one of'],
  ['an operator beside all', { all: [condition], equals: 1 }, '/equals', 'must not stand beside all'],
  ['an unknown member', { all: [{ ...condition, 'o/r': 1 }] }, '/all/0/o~1r', 'is not a member here'],
  ['no operator', { path: '/a' }, '', 'must have exactly one of equals'],
  ['two operators', { path: '/a', equals: 1, prefix: 'a' }, '', 'must have exactly one of equals'],
  ['an empty list', { any: [] }, '/any', 'must be a list of 1 to 100'],
  ['no list', { all: condition }, '/all', 'must be a list of 1 to 100'],
  ['a path that is no pointer', { path: 'a', equals: 1 }, '/path', 'must be a JSON Pointer'],
  ['a wrong escape', { path: '/a~2', equals: 1 }, '/path', 'must be a JSON Pointer'],
  ['a path of 21 steps', { path: '/a'.repeat(21), equals: 1 }, '/path', 'must have at most 20 steps'],
  ['an object as value', { path: '/a', equals: {} }, '/equals', 'must be a text, a number'],
  ['a list in one_of', { path: '/a', one_of: [1, []] }, '/one_of/1', 'must be a text, a number'],
  ['101 values', { path: '/a', one_of: Array(101).fill(1) }, '/one_of', 'must be a list of 1 to 100'],
  ['a number as prefix', { path: '/a', prefix: 1 }, '/prefix', 'must be a text'],
  ['exists of null', { path: '/a', exists: null }, '/exists', 'must be true or false'],
  ['an empty range', { path: '/a', range: {} }, '/range', 'must have gt or gte'],
  ['two lower bounds', { path: '/a', range: { gt: 1, gte: 1 } }, '/range', 'must have gt or gte'],
  ['a text as bound', { path: '/a', range: { gt: '1' } }, '/range/gt', 'must be a number'],
  ['an unknown bound', { path: '/a', range: { min: 1 } }, '/range/min', 'is not a member here'],
  ['no binary64', { path: '/a', range: { lt: Infinity } }, '/range/lt', '(binary64)'],
  ['NUL', { path: '/a', equals: '\0' }, '', 'must not contain NUL'],
  ['11 levels', nest(11), '/not'.repeat(10), 'must have at most 10 levels'],
  [
    '101 conditions',
    { all: [...Array(50).fill(condition), { any: Array(51).fill(condition) }] },
    '/all/50/any/50',
    'one too many',
  ],
  ['more than 16 KiB', { path: '/a', equals: 'x'.repeat(16 * 1024) }, '', 'must have at most 16 KiB'],
])('W69: a filter with %s is refused with its pointer', (_, filter, at, problem) => {
  const fault = { pointer: `/filter${at}`, message: expect.stringContaining(problem) };
  expect(() => readFilter(filter)).toThrow(
    expect.objectContaining({ faults: [expect.objectContaining(fault)] }),
  );
});

it('W69: the limits themselves are allowed', () => {
  const filters = [
    nest(10),
    { all: Array(100).fill(condition) },
    { path: '/a'.repeat(20), one_of: Array.from({ length: 100 }, (_, index) => index) },
    { path: '/a', equals: 'x'.repeat(16 * 1024 - '{"path":"/a","equals":""}'.length) },
  ];
  for (const filter of filters) expect(() => readFilter(filter)).not.toThrow();
});

type Operand<O extends Operator> = Exclude<EventFilter[O], undefined>;
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the value that is at a path fits. Each operator has a line here. */
const plainly: { [O in Operator]: (at: unknown, operand: EventFilter[O]) => boolean } = {
  equals: isSame,
  one_of: (at, values) => (values ?? []).some((each) => isSame(at, each)),
  prefix: (at, text = '') => typeof at === 'string' && at.indexOf(text) === 0,
  suffix: (at, text = '') => typeof at === 'string' && at.slice(at.length - text.length) === text,
  exists: (_at, expected) => expected === true,
  range: (at, { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = {}) =>
    typeof at === 'number' && at > gt && at >= gte && at < lt && at <= lte,
};
const operators = Object.keys(plainly) as Operator[];

/** The rules again, as plainly as possible. */
function naive(filter: EventFilter, value: unknown): boolean {
  if (filter.all) return filter.all.filter((each) => !naive(each, value)).length === 0;
  if (filter.any) return filter.any.filter((each) => naive(each, value)).length > 0;
  if (filter.not) return !naive(filter.not, value);
  let found = [value];
  for (const name of (filter.path ?? '').split('/').slice(1))
    found = found.flatMap((each) => {
      const members = typeof each === 'object' && each !== null ? Object.entries(each) : [];
      return members.filter(([key]) => key === name).map(([, member]) => member);
    });
  const [at] = found;
  if (found.length === 0) return filter.exists === false;
  const operator = operators.find((each) => filter[each] !== undefined) as Operator;
  return plainly[operator](at, filter[operator] as never);
}

it('W69: generated filters decide as a plain reading of the rules does', () => {
  // A linear congruential generator, so that a failure can be repeated.
  let seed = 69;
  const below = (most: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const pick = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const scalar = () => pick(['a', 'ab', 'b', '', 0, 1, 2.5, -1, true, false, null]);
  const value = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : below(3);
    if (kind === 0) return scalar();
    const parts = Array.from({ length: below(4) }, () => value(depth - 1));
    return kind === 1 ? parts : Object.fromEntries(parts.map((part) => [pick(['a', 'b', '0']), part]));
  };
  const path = () => Array.from({ length: below(4) }, () => `/${pick(['a', 'b', '0', '1'])}`).join('');
  const filter = (depth: number): EventFilter => {
    const parts = () => Array.from({ length: 1 + below(3) }, () => filter(depth - 1));
    const kind = depth === 0 ? 3 : below(4);
    if (kind === 0) return { all: parts() };
    if (kind === 1) return { any: parts() };
    if (kind === 2) return { not: filter(depth - 1) };
    const operator = pick(operators);
    return { path: path(), [operator]: operands[operator]() };
  };
  const operands: { [O in Operator]: () => Operand<O> } = {
    equals: scalar,
    one_of: () => [scalar(), scalar()],
    prefix: () => pick(['', 'a', 'b']),
    suffix: () => pick(['', 'a', 'b']),
    exists: () => pick([true, false]),
    range: () => ({ [pick(['gt', 'gte'])]: below(3) - 1, [pick(['lt', 'lte'])]: below(3) }),
  };
  const seen = { true: 0, false: 0 };
  for (let run = 0; run < 20_000; run++) {
    const [made, about] = [filter(3), value(3)];
    const decided = readFilter(made).matches(about);
    seen[`${decided}`]++;
    if (decided !== naive(made, about)) expect({ made, about, decided }).toBeNull();
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(2_000);
});
