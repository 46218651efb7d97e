// The wire of filters on the data of events (behaviour W69).
import { Type } from 'typebox';

export type Scalar = string | number | boolean | null;
export type Range = { gt?: number; gte?: number; lt?: number; lte?: number };
/** It has exactly one of the first four members, and a condition has exactly one operator. */
export type EventFilter = {
  all?: EventFilter[];
  any?: EventFilter[];
  not?: EventFilter;
  path?: string;
  equals?: Scalar;
  one_of?: Scalar[];
  prefix?: string;
  suffix?: string;
  exists?: boolean;
  range?: Range;
};

/** Of a condition. */
export type Operator = Exclude<keyof EventFilter, 'all' | 'any' | 'not' | 'path'>;

export const limits = { bytes: 16 * 1024, conditions: 100, levels: 10, steps: 20, values: 100 } as const;

const meaning =
  'Which events are wanted, by their data: `{"all": [...]}`, `{"any": [...]}`, `{"not": ...}`, or a condition with a `path` and one operator. ' +
  'It has at most 16 KiB, 100 conditions and 10 levels';
const itself = { $ref: '#/components/schemas/EventFilter' };
const several = (what: string) => ({
  type: 'array',
  items: itself,
  minItems: 1,
  maxItems: limits.conditions,
  description: what,
});
const number = { type: 'number' };

/** `filter.ts` checks it: a fault of a schema that contains itself would not say what is wrong. */
const described = {
  title: 'EventFilter',
  type: 'object',
  description: meaning,
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 2,
  properties: {
    all: several('Filters that must all match'),
    any: several('Filters of which at least one must match'),
    not: { ...itself, description: 'A filter that must not match' },
    path: {
      type: 'string',
      description:
        'A JSON Pointer (RFC 6901) into `data`, such as `/items/0/sku`, with at most 20 steps. The schema of a chosen event type must know it',
    },
    // Generators cannot read a value of several types.
    equals: { description: 'The value: a text, a number, true, false or null. Numbers compare as binary64' },
    one_of: {
      type: 'array',
      items: { description: 'A value, as of `equals`' },
      minItems: 1,
      maxItems: limits.values,
      description: 'The possible values',
    },
    prefix: { type: 'string', description: 'How the text begins' },
    suffix: { type: 'string', description: 'How the text ends' },
    exists: { type: 'boolean', description: 'Whether there is a value, also null' },
    range: {
      title: 'NumberRange',
      type: 'object',
      description: 'Bounds of the number, one or two',
      additionalProperties: false,
      minProperties: 1,
      maxProperties: 2,
      properties: { gt: number, gte: number, lt: number, lte: number },
    },
  },
};

export const exampleFilter: EventFilter = {
  all: [
    { path: '/quantity', range: { lt: 10 } },
    { path: '/location', one_of: ['Oslo', 'Bergen'] },
  ],
};

export const EventFilter = Type.Unsafe<EventFilter>({
  type: 'object',
  additionalProperties: true,
  description: meaning,
  'x-published': described,
});

export const NullableEventFilter = Type.Unsafe<EventFilter | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: `${meaning}. null: every event of its types`,
  'x-published': { ...described, type: ['object', 'null'] },
});
