// Estimates what a JSON Schema costs, so that an expensive one is not run where it would block requests.
import { invalidRequest } from '../../base/errors.ts';
import { escapePointer } from '../../base/http/faults.ts';
import { isObject } from '../../base/http/schemas.ts';
import { linearPattern } from './compile.ts';

const maxPatterns = 100;
const maxPatternLength = 500;
/** These formats do not take linear time. */
const slowFormats = new Set<unknown>(['url', 'regex']);
/** What stands here is no schema. `compile` refuses a pattern below a property with such a name. */
const isData = new Set(['const', 'enum', 'default', 'examples']);
const references = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * The work of checking one byte of data: about one for each object of the schema. Infinity: the work can grow
 * faster than the data.
 */
export function weighSchema(schema: unknown): number {
  if (Array.isArray(schema)) return schema.reduce((sum: number, each) => sum + 0.25 + weighSchema(each), 0);
  if (!isObject(schema)) return 0;
  if (references.some((name) => typeof schema[name] === 'string')) return Infinity;
  if (schema.uniqueItems === true || slowFormats.has(schema.format)) return Infinity;
  const patterns = patternsOf(schema).reduce((sum, { pattern }) => sum + weighPattern(pattern), 0);
  return Object.values(schema).reduce((sum: number, each) => sum + weighSchema(each), 1 + patterns);
}

/** @throws ServiceError invalid_request: a pattern does not take linear time, or there are too many */
export function requireLinearPatterns(schema: object): void {
  let count = 0;
  function visit(value: unknown, pointer: string): void {
    if (typeof value !== 'object' || value === null) return;
    for (const { pattern, at } of patternsOf(value as Record<string, unknown>)) {
      const where = `${pointer}/${at}`;
      if (++count > maxPatterns)
        throw invalidRequest('/schema', `must have at most ${maxPatterns} patterns`, 'too_long');
      if (pattern.length > maxPatternLength)
        throw invalidRequest(
          where,
          `must be a pattern of at most ${maxPatternLength} characters`,
          'too_long',
        );
      try {
        linearPattern(pattern);
      } catch (cause) {
        const reason = String((cause as Error).message).slice(0, 150);
        throw invalidRequest(
          where,
          `must be a pattern without look-around and back-references (RE2): ${reason}`,
        );
      }
    }
    for (const [name, each] of Object.entries(value))
      if (!isData.has(name)) visit(each, `${pointer}/${escapePointer(name)}`);
  }
  visit(schema, '/schema');
}

const patternsOf = ({ pattern, patternProperties }: Record<string, unknown>) => [
  ...(typeof pattern === 'string' ? [{ pattern, at: 'pattern' }] : []),
  ...(isObject(patternProperties) ? Object.keys(patternProperties) : []).map((name) => ({
    pattern: name,
    at: `patternProperties/${escapePointer(name)}`,
  })),
];

/** By its length, its counted repetitions, which multiply its states, and its classes, which take long to compile. */
function weighPattern(pattern: string): number {
  // It is data. Looking for repetitions takes quadratic time.
  if (pattern.length > maxPatternLength) return Infinity;
  const counts = [...pattern.matchAll(/\{(\d+),?(\d*)\}/g)].map(([, least, most]) =>
    Math.max(1, Number(most || least)),
  );
  const classes = pattern.split(/\\p/i).length - 1;
  const states = (pattern.length * counts.reduce((product, count) => product * count, 1)) / 50;
  return Math.max(1, states) + 2 * classes;
}
