// Filters (RFC 7644, section 3.4.2.2): reads them, and tests the values of an attribute. Reading takes linear time.
import { ScimError } from '../../../../base/http/scim.ts';
import { type Attribute, findSub, type Kind, type Place, readPlace } from './attributes.ts';

const maxLength = 2_000;
const maxDepth = 16;
const maxComparisons = 40;
/** Each reads all addresses of each user. */
const maxOfEmails = 5;
/** From 1970: 1,900 years, all of which the database knows. */
const maxDistanceMs = 6e13;

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
type Comparison = (typeof comparisons)[number];
export type Literal = string | number | boolean | null;

/** `place` null: an attribute that is not kept, so it has no value. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly place: Place | null; readonly compare: Comparison; readonly value: Literal }
  | { readonly place: Place | null; readonly compare: 'pr' }
  | { readonly within: Attribute; readonly filter: Filter };

const invalid = (problem: string) => new ScimError(400, 'invalidFilter', problem);

const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;

function tokensOf(text: string) {
  if (text.length > maxLength) throw invalid(`The filter must have at most ${maxLength} characters.`);
  const found: string[] = [];
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = token.lastIndex) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) throw invalid('The filter has a text without its closing quote.');
    found.push(match[1] ?? match[2] ?? match[3] ?? '');
  }
  return found;
}

/** What a name in a filter means: an attribute of a resource, or inside brackets a part of one. */
type Resolve = (path: string) => Place | null;

export const readFilter = (kind: Kind, text: string): Filter =>
  parse(tokensOf(text), (path) => {
    const place = readPlace(kind, path);
    if (place === undefined) throw invalid('The filter names an attribute that does not exist.');
    return place;
  });

/** The filter between the brackets of a path. */
export const readValueFilter = (attribute: Attribute, text: string): Filter =>
  parse(tokensOf(text), partsOf(attribute));

const partsOf =
  (attribute: Attribute): Resolve =>
  (path) => {
    const sub = findSub(attribute, path);
    if (sub === undefined) throw invalid(`The filter names a part that ${attribute.name} does not have.`);
    return { attribute: sub };
  };

function parse(tokens: readonly string[], resolve: Resolve): Filter {
  let at = 0;
  let compared = 0;
  let ofEmails = 0;
  const peek = () => tokens[at]?.toLowerCase();
  const take = () => tokens[at++] ?? '';
  const expect = (wanted: string) => {
    if (take() !== wanted) throw invalid(`The filter lacks ${wanted}.`);
  };

  /** Filters with the word between them. `many` joins several. */
  function joined(word: string, next: () => Filter, many: (filters: Filter[]) => Filter): Filter {
    const first = next();
    const filters = [first];
    while (peek() === word) {
      at++;
      filters.push(next());
    }
    return filters.length === 1 ? first : many(filters);
  }
  function some(names: Resolve, depth: number): Filter {
    const every = () =>
      joined(
        'and',
        () => one(names, depth),
        (all) => ({ all }),
      );
    return joined('or', every, (any) => ({ any }));
  }
  function group(names: Resolve, depth: number, end: string): Filter {
    if (depth >= maxDepth) throw invalid(`The filter is nested deeper than ${maxDepth} levels.`);
    const inner = some(names, depth + 1);
    expect(end);
    return inner;
  }
  function one(names: Resolve, depth: number): Filter {
    const first = take();
    if (first === '(') return group(names, depth, ')');
    if (first.toLowerCase() === 'not' && peek() === '(') {
      at++;
      return { not: group(names, depth, ')') };
    }
    if (!/^[A-Za-z$]/.test(first)) throw invalid('The filter lacks the name of an attribute.');
    const place = names(first);
    const before = compared;
    const filter = peek() === '[' ? within(place, depth) : comparison(place);
    if (place?.attribute.name === 'emails') ofEmails += compared - before;
    if (ofEmails > maxOfEmails)
      throw invalid(`The filter must have at most ${maxOfEmails} comparisons of emails.`);
    return filter;
  }
  function within(place: Place | null, depth: number): Filter {
    at++;
    if (!place?.attribute.subAttributes || place.sub)
      throw invalid('The filter has brackets after an attribute without parts.');
    const parts = partsOf(place.attribute);
    const inside = group(parts, depth, ']');
    // Entra ID sends `emails[type eq "work"].value eq "..."`.
    const isLonger = peek()?.startsWith('.');
    const filter = isLonger ? { all: [inside, comparison(parts(take().slice(1)))] } : inside;
    return { within: place.attribute, filter };
  }
  function comparison(place: Place | null): Filter {
    if (++compared > maxComparisons)
      throw invalid(`The filter must have at most ${maxComparisons} comparisons.`);
    const operator = take().toLowerCase();
    if (operator === 'pr') return { place, compare: 'pr' };
    const compare = comparisons.find((each) => each === operator);
    if (compare === undefined) throw invalid('The filter has an unknown operator.');
    return { place, compare, value: readLiteral(take(), place && valued(place)) };
  }

  const filter = some(resolve, 0);
  if (at < tokens.length) throw invalid('The filter has text after its end.');
  return filter;
}

/** The attribute that has the value: of a complex one its part `value`. */
export const valued = ({ attribute, sub }: Place): Attribute =>
  sub ?? (attribute.subAttributes ? (findSub(attribute, 'value') ?? attribute) : attribute);

function readLiteral(text: string, attribute: Attribute | null): Literal {
  let value: unknown;
  try {
    value = JSON.parse(/^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text);
  } catch {
    throw invalid('The filter compares with a value that is not a JSON string, number, true, false or null.');
  }
  if (typeof value === 'string' && value.includes('\0')) throw invalid('The filter has the character NUL.');
  if (attribute?.type === 'complex') throw invalid(`The filter must name a part of ${attribute.name}.`);
  if (attribute?.type === 'boolean' && typeof value === 'string' && /^(?:true|false)$/i.test(value))
    return value.toLowerCase() === 'true';
  if (attribute?.type === 'dateTime' && !(Math.abs(Date.parse(String(value))) < maxDistanceMs))
    throw invalid(`The filter must compare ${attribute.name} with a date and time.`);
  return value as Literal;
}

export function countComparisons(filter: Filter): number {
  if ('not' in filter) return countComparisons(filter.not);
  const parts = 'all' in filter ? filter.all : 'any' in filter ? filter.any : [];
  return parts.reduce((sum, part) => sum + countComparisons(part), parts.length === 0 ? 1 : 0);
}

export type Fold = (text: string) => string;

/** Lower case. Each text is folded once, since that takes up to 20 microseconds. */
export function createFold(): Fold {
  const folded = new Map<string, string>();
  return (text) => {
    const known = folded.get(text) ?? text.toLowerCase();
    folded.set(text, known);
    return known;
  };
}

/** Whether an item of a multi-valued attribute passes. Names are those of its parts. */
export function passes(item: Readonly<Record<string, unknown>>, filter: Filter, fold: Fold): boolean {
  if ('all' in filter) return filter.all.every((each) => passes(item, each, fold));
  if ('any' in filter) return filter.any.some((each) => passes(item, each, fold));
  if ('not' in filter) return !passes(item, filter.not, fold);
  if ('within' in filter) return false;
  const { place } = filter;
  const value = place === null ? undefined : item[place.attribute.name];
  if (filter.compare === 'pr') return value !== undefined;
  const read = (given: unknown) =>
    typeof given === 'string' && place?.attribute.caseExact !== true ? fold(given) : (given ?? null);
  return compares(read(value), filter.compare, read(filter.value));
}

function compares(one: unknown, compare: Comparison, other: unknown) {
  if (compare === 'eq') return one === other;
  if (compare === 'ne') return one !== other;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (compare === 'co') return one.includes(other);
  if (compare === 'sw') return one.startsWith(other);
  if (compare === 'ew') return one.endsWith(other);
  if (compare === 'gt') return one > other;
  if (compare === 'ge') return one >= other;
  return compare === 'lt' ? one < other : one <= other;
}
