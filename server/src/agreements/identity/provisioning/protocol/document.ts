// What a directory sends about a user or a group, in the form that is stored: exact names, checked values, and
// only attributes that are kept.
import { isObject } from '../../../../base/http/schemas.ts';
import { ScimError } from '../../../../base/http/scim.ts';
import { type Attribute, findSub, type Kind, readPlace } from './attributes.ts';

export type Item = Record<string, unknown>;
export type Document = Record<string, unknown>;

const maxText = 256;
const maxItems: Readonly<Record<string, number>> = { emails: 20, members: 10_000 };

const invalid = (problem: string) => new ScimError(400, 'invalidValue', problem);

export function requireObject(body: unknown) {
  if (!isObject(body)) throw new ScimError(400, 'invalidSyntax', 'The body must be a JSON object.');
  return body;
}

/** Reads the body of a POST or PUT. Unknown and read-only attributes have no effect. */
export function readDocument(kind: Kind, body: unknown): Document {
  const { schemas, ...given } = requireObject(body);
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(kind.schema)))
    throw new ScimError(400, 'invalidSyntax', `schemas must include ${kind.schema}.`);
  const document: Document = {};
  for (const [name, value] of Object.entries(given)) {
    const place = readPlace(kind, name);
    if (!place || place.sub || place.attribute.mutability === 'readOnly') continue;
    set(document, place.attribute, readValue(place.attribute, value));
  }
  const checked = complete(kind, document);
  return kind.name === 'User' && checked.active === undefined ? { ...checked, active: true } : checked;
}

export function set(into: Item, { name }: Attribute, value: unknown) {
  if (value === undefined) delete into[name];
  else into[name] = value;
}

/** The value in its stored form. Undefined: null, or empty. @throws ScimError invalidValue */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (!attribute.multiValued) return readOne(attribute, value);
  const items = [value ?? []].flat().flatMap((item) => readOne(attribute, item) ?? []);
  return items.length === 0 ? undefined : items;
}

/** One item of a multi-valued attribute. */
export function readOne(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined;
  if (attribute.type === 'complex') return readParts(attribute, value);
  if (attribute.type === 'boolean') return readBoolean(attribute, value);
  if (typeof value !== 'string') throw invalid(`${attribute.name} must be a text.`);
  if (value.length > maxText) throw invalid(`${attribute.name} must have at most ${maxText} characters.`);
  if (value.includes('\0') || !value.isWellFormed())
    throw invalid(`${attribute.name} must not have the character NUL or half of a surrogate pair.`);
  return value;
}

/** Entra ID sends texts. */
function readBoolean({ name }: Attribute, value: unknown) {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw invalid(`${name} must be true or false.`);
}

/** Some directories send the value alone. */
function readParts(attribute: Attribute, value: unknown): Item | undefined {
  const given = isObject(value) ? value : { value };
  if (!isObject(value) && !findSub(attribute, 'value')) throw invalid(`${attribute.name} must be an object.`);
  const item: Item = {};
  for (const [name, part] of Object.entries(given)) {
    const sub = findSub(attribute, name);
    if (sub && sub.mutability !== 'readOnly') set(item, sub, readOne(sub, part));
  }
  return Object.keys(item).length === 0 ? undefined : item;
}

/** A user without `active` is active. */
export const isActive = (document: Document) => document.active !== false;

/** Checks the whole. Of several items with one value the last stays. */
export function complete(kind: Kind, document: Document): Document {
  for (const attribute of kind.attributes) {
    const { name, required, multiValued } = attribute;
    if (required && document[name] === undefined) throw invalid(`${name} is required.`);
    if (!multiValued || document[name] === undefined) continue;
    // Entra ID empties the value of an address that is gone. A member without one is an error.
    const items = (document[name] as Item[]).filter(({ value }) => value !== undefined || name === 'members');
    if (items.length > (maxItems[name] ?? 0))
      throw new ScimError(400, 'tooMany', `${name} can have at most ${maxItems[name]} items.`);
    if (items.some(({ value }) => value === undefined))
      throw invalid(`Each item of ${name} must have a value.`);
    if (items.filter(({ primary }) => primary === true).length > 1)
      throw invalid(`${name} can have one primary item.`);
    const unique = [...new Map(items.map((item) => [item.value, item])).values()];
    set(document, attribute, unique.length === 0 ? undefined : unique);
  }
  return document;
}
