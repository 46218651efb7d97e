// PATCH of a user or a group (RFC 7644, section 3.5.2), also in the forms that Entra ID and Okta send: operations
// in any case, paths as names of members, and a remove with values.
import { isObject } from '../../../../base/http/schemas.ts';
import { ScimError } from '../../../../base/http/scim.ts';
import { type Attribute, findSub, isUnkept, type Kind, readPlace } from './attributes.ts';
import { complete, type Document, type Item, readOne, readValue, requireObject, set } from './document.ts';
import { countComparisons, createFold, type Filter, type Fold, passes, readValueFilter } from './filter.ts';

const schema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** In one request. */
export const maxOperations = 1_000;
/** Comparisons of items by the filters of one request. They block the process. */
const maxLooks = 1_000_000;

type Op = 'add' | 'replace' | 'remove';
type Target = { readonly attribute: Attribute; readonly filter?: Filter; readonly sub?: Attribute };
type Work = {
  readonly kind: Kind;
  readonly document: Document;
  /** In place of lists in the document, by the values of their items, since a list can be long. */
  readonly keyed: Map<Attribute, Map<unknown, Item>>;
  readonly fold: Fold;
  applied: number;
  looks: number;
};

const invalidPath = (problem: string) => new ScimError(400, 'invalidPath', problem);

/** The document after all operations. @throws ScimError, and then none has an effect */
export function applyPatch(kind: Kind, document: Document, body: unknown): Document {
  const work: Work = {
    kind,
    document: structuredClone(document),
    keyed: new Map(),
    fold: createFold(),
    applied: 0,
    looks: 0,
  };
  for (const { op, path, value } of readOperations(body)) {
    if (path !== undefined) apply(work, op, path, value);
    else if (op === 'remove') throw new ScimError(400, 'noTarget', 'remove must have a path.');
    else if (!isObject(value))
      throw new ScimError(
        400,
        'invalidValue',
        'An operation without a path must have an object as its value.',
      );
    else
      for (const [name, each] of Object.entries(value))
        if (!isIgnored(kind, name)) apply(work, op, name, each);
  }
  for (const attribute of work.keyed.keys()) setItems(work, attribute, itemsOf(work, attribute));
  const patched = complete(kind, work.document);
  // Without a value it gives no access: a missing `active` is true only in a POST or PUT.
  return kind.name === 'User' ? { ...patched, active: patched.active ?? false } : patched;
}

/** Okta sends the `id` of a group with its new name. */
const isIgnored = (kind: Kind, name: string) =>
  name.toLowerCase() === 'schemas' || readPlace(kind, name)?.attribute.mutability === 'readOnly';

function readOperations(body: unknown): { op: Op; path: string | undefined; value: unknown }[] {
  const { schemas, operations } = inLowerCase(requireObject(body));
  if (!Array.isArray(schemas) || !schemas.includes(schema))
    throw new ScimError(400, 'invalidSyntax', `schemas must include ${schema}.`);
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimError(400, 'invalidSyntax', 'Operations must be a list with an operation.');
  return operations.map((each) => {
    const { op: name, path, value } = inLowerCase(requireObject(each));
    const op = (['add', 'replace', 'remove'] as const).find(
      (one) => typeof name === 'string' && one === name.toLowerCase(),
    );
    if (op === undefined) throw new ScimError(400, 'invalidSyntax', 'op must be add, replace or remove.');
    if (path !== undefined && path !== null && (typeof path !== 'string' || path.length > 500))
      throw invalidPath('path must be a text with at most 500 characters.');
    return { op, path: path === '' || path === null ? undefined : path, value };
  });
}

const inLowerCase = (object: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name.toLowerCase(), value]));

/** Undefined: it is not kept. */
function readTarget(kind: Kind, path: string): Target | undefined {
  const open = path.indexOf('[');
  if (open < 0) {
    const place = readPlace(kind, path);
    if (place === undefined) throw invalidPath('The path names an attribute that does not exist.');
    return place ?? undefined;
  }
  const close = path.lastIndexOf(']');
  const name = path.slice(0, open);
  const place = readPlace(kind, name);
  if (place === null) return undefined;
  const attribute = place?.sub ? undefined : place?.attribute;
  if (attribute?.multiValued !== true || close < open)
    throw invalidPath('The path must have its filter after a multi-valued attribute.');
  const filter = readValueFilter(attribute, path.slice(open + 1, close));
  const rest = path.slice(close + 1);
  if (rest === '') return { attribute, filter };
  const sub = rest.startsWith('.') ? findSub(attribute, rest.slice(1)) : undefined;
  if (sub) return { attribute, filter, sub };
  if (isUnkept(rest.slice(1))) return undefined;
  throw invalidPath('The path names a part that does not exist.');
}

function apply(work: Work, op: Op, path: string, value: unknown) {
  if (++work.applied > maxOperations)
    throw new ScimError(400, 'tooMany', `A request can have at most ${maxOperations} operations.`);
  const target = readTarget(work.kind, path);
  if (target === undefined) return;
  const { attribute, sub } = target;
  if (attribute.mutability === 'readOnly' || (sub?.mutability !== undefined && op !== 'remove'))
    throw new ScimError(400, 'mutability', `${(sub ?? attribute).name} is read-only.`);
  if (attribute.multiValued) {
    if (target.filter || sub) setItems(work, attribute, newItems(work, op, target, value));
    else changeItems(work, op, attribute, value);
  } else if (sub) {
    const item = { ...(work.document[attribute.name] as Item | undefined) };
    set(item, sub, op === 'remove' ? undefined : readOne(sub, value));
    set(work.document, attribute, Object.keys(item).length === 0 ? undefined : item);
  } else if (op !== 'remove' && attribute.type === 'complex') {
    const parts = readValue(attribute, value) as Item | undefined;
    set(
      work.document,
      attribute,
      parts && { ...(work.document[attribute.name] as Item | undefined), ...parts },
    );
  } else set(work.document, attribute, op === 'remove' ? undefined : readValue(attribute, value));
}

function newItems(work: Work, op: Op, { attribute, filter, sub }: Target, value: unknown) {
  const items = itemsOf(work, attribute);
  look(work, items.length * (filter ? countComparisons(filter) : 1));
  const chosen = new Set(filter ? items.filter((item) => passes(item, filter, work.fold)) : items);
  if (op === 'remove')
    return items.flatMap((item) => {
      if (!chosen.has(item)) return [item];
      if (!sub) return [];
      const { [sub.name]: _removed, ...rest } = item;
      return [rest];
    });
  const parts = (sub ? { [sub.name]: readOne(sub, value) } : readOne(attribute, value)) as Item | undefined;
  if (chosen.size === 0) {
    if (op === 'replace' || !filter)
      throw new ScimError(400, 'noTarget', `The path selects no item of ${attribute.name}.`);
    const item = { ...equalities(filter), ...parts };
    preferOne([...items, item], [item]);
    return [...items, item];
  }
  for (const item of chosen) Object.assign(item, parts);
  preferOne(items, [...chosen]);
  return items;
}

/** Without a filter: it reads only the items of the operation. */
function changeItems(work: Work, op: Op, attribute: Attribute, value: unknown) {
  const given = (readValue(attribute, value) ?? []) as Item[];
  const keyed =
    work.keyed.get(attribute) ?? new Map(itemsOf(work, attribute).map((item) => [item.value, item]));
  work.keyed.set(attribute, keyed);
  // Without values, remove removes all (section 3.5.2.2).
  if (op === 'replace' || (op === 'remove' && (value === undefined || value === null))) keyed.clear();
  for (const item of given) {
    keyed.delete(item.value);
    if (op !== 'remove') keyed.set(item.value, item);
  }
  if (op !== 'add' || !given.some(isPrimary)) return;
  look(work, keyed.size);
  preferOne(keyed.values(), given);
}

const itemsOf = ({ keyed, document }: Work, attribute: Attribute) => [
  ...(keyed.get(attribute)?.values() ?? ((document[attribute.name] ?? []) as Item[])),
];

function setItems({ keyed, document }: Work, attribute: Attribute, items: Item[]) {
  keyed.delete(attribute);
  set(document, attribute, items.length === 0 ? undefined : items);
}

function look(work: Work, items: number) {
  work.looks += items;
  if (work.looks > maxLooks)
    throw new ScimError(400, 'tooMany', 'The filters of the operations compare too many items.');
}

const isPrimary = ({ primary }: Item) => primary === true;

/** Only one item is primary: one of those that were written, if there is one. */
function preferOne(items: Iterable<Item>, written: readonly Item[]) {
  const one = written.find(isPrimary);
  if (one) for (const item of items) if (item !== one) delete item.primary;
}

/** Entra ID adds `emails[type eq "work"].value` to a user without a work address. */
function equalities(filter: Filter): Item {
  if ('all' in filter) return Object.assign({}, ...filter.all.map(equalities));
  if (!('place' in filter && filter.place && filter.compare === 'eq')) return {};
  const { attribute } = filter.place;
  return { [attribute.name]: readOne(attribute, filter.value) };
}
