// Filters and orders of SCIM as SQL over the stored documents. Names come from the table of attributes, and values
// are parameters.
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { ScimError } from '../../../../base/http/scim.ts';
import { parseId } from '../../../../base/ids.ts';
import type { Attribute, Kind, Place } from '../protocol/attributes.ts';
import { type Filter, type Literal, valued } from '../protocol/filter.ts';

export const everything = sql`true`;

type Leaf = Exclude<Filter, { all: unknown } | { any: unknown } | { not: unknown }>;
type Compared = Extract<Filter, { compare: unknown }>;

/** A condition on rows of `resource`: of the table of the kind. */
export const toCondition = (kind: Kind, filter: Filter) =>
  combine(filter, (leaf) => {
    if ('within' in leaf)
      return sql`exists (select from ${items(kind, leaf.within)} where ${combine(leaf.filter, (part) => inItem(leaf.within, part))})`;
    const { place } = leaf;
    if (place === null) return leaf.compare === 'ne' ? sql`true` : sql`false`;
    if (!place.attribute.multiValued) return compare(leaf, valued(place), scalar(kind, place));
    const sub = place.sub ?? valued(place);
    return sql`exists (select from ${items(kind, place.attribute)}
      where ${compare(leaf, sub, partOf(place.attribute, sub))})`;
  });

function combine(filter: Filter, toSql: (leaf: Leaf) => Sql): Sql {
  const each = (filters: readonly Filter[]) => filters.map((one) => combine(one, toSql));
  if ('all' in filter) return sql`(${join(each(filter.all), ' and ')})`;
  if ('any' in filter) return sql`(${join(each(filter.any), ' or ')})`;
  if ('not' in filter) return sql`(${combine(filter.not, toSql)}) is not true`;
  return toSql(filter);
}

function inItem(attribute: Attribute, filter: Leaf) {
  if ('within' in filter || filter.place === null) return sql`false`;
  const sub = filter.place.attribute;
  return compare(filter, sub, partOf(attribute, sub));
}

/** The items of a multi-valued attribute, as `item`. */
function items(kind: Kind, { name }: Attribute) {
  if (name === 'emails') return sql`jsonb_array_elements(resource.document -> 'emails') item`;
  return kind.name === 'User'
    ? sql`(select provisioned_group_id as id from provisioned_member where provisioned_user_id = resource.id) item`
    : sql`(select provisioned_user_id as id from provisioned_member where provisioned_group_id = resource.id) item`;
}

const itemId = sql`item.id`;

/**
 * A reference is compared by its `value` only: its other parts would have to be made for each member of each group.
 * @throws ScimError invalidFilter
 */
function partOf({ name }: Attribute, sub: Attribute) {
  if (name === 'emails') return sql`(item ->> ${sub.name}::text)`;
  if (sub.name === 'value') return itemId;
  throw new ScimError(400, 'invalidFilter', `A filter can compare ${name} by value only.`);
}

const resourceId = sql`resource.id`;
/** What is not in the document, by path. Paths come from the table of attributes. */
const columns: Readonly<Record<string, Sql>> = {
  id: resourceId,
  externalId: sql`resource.external_id`,
  'meta.created': sql`resource.created_at`,
  'meta.lastModified': sql`resource.updated_at`,
};

function scalar(kind: Kind, { attribute, sub }: Place) {
  const path = sub ? `${attribute.name}.${sub.name}` : attribute.name;
  if (path === 'meta.resourceType') return sql`${kind.name}::text`;
  if (attribute.name === 'meta') return columns[path] ?? sql`null::text`;
  return columns[path] ?? sql`(resource.document #>> ${path.split('.')}::text[])`;
}

const operators = { gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function compare(filter: Compared, attribute: Attribute, column: Sql) {
  if (filter.compare === 'pr') return sql`${column} is not null`;
  const { compare: by, value } = filter;
  if (value === null)
    return by === 'eq' ? sql`${column} is null` : sql`${by === 'ne'} and ${column} is not null`;
  if (column === resourceId || column === itemId) return compareIds(by, value, column);
  if (attribute.type === 'dateTime')
    return compareAs(by, column, sql`${new Date(String(value))}::timestamptz`);
  if (attribute.type === 'boolean') {
    if (typeof value !== 'boolean') return sql`false`;
    return compareAs(by, sql`(${column})::boolean`, sql`${value}`);
  }
  if (attribute.name === 'userName' && by === 'eq')
    return sql`resource.user_name_key = lower(${String(value)}::text)`;
  return compareTexts(by, attribute, column, value);
}

/** Any text can be compared with an id. */
function compareIds(by: string, value: Literal, column: Sql) {
  const text = String(value);
  const id = parseId('provisioned_user', text) ?? parseId('provisioned_group', text);
  if (by === 'eq') return id === null ? sql`false` : sql`${column} = ${id}`;
  return by === 'ne' ? sql`${column} is distinct from ${id}` : sql`false`;
}

function compareAs(by: string, column: Sql, value: Sql) {
  if (by === 'eq') return sql`${column} = ${value}`;
  if (by === 'ne') return sql`${column} is distinct from ${value}`;
  const operator = operators[by as keyof typeof operators];
  return operator === undefined ? sql`false` : sql`${column} ${raw(operator)} ${value}`;
}

function compareTexts(by: string, { caseExact }: Attribute, column: Sql, value: Literal) {
  const fold = (text: Sql) => (caseExact ? text : sql`lower(${text})`);
  const [one, other] = [fold(column), fold(sql`${String(value)}::text`)];
  if (by === 'co') return sql`strpos(${one}, ${other}) > 0`;
  if (by === 'sw') return sql`starts_with(${one}, ${other})`;
  if (by === 'ew') return sql`right(${one}, char_length(${other})) = ${other}`;
  return compareAs(by, sql`${one} collate "C"`, other);
}

export function toOrder(kind: Kind, place: Place | null, direction: 'asc' | 'desc') {
  const way = raw(direction);
  if (place === null) return sql`resource.created_at ${way}, resource.id ${way}`;
  return sql`${sortKey(kind, place)} ${way} nulls last, resource.id ${way}`;
}

/** Addresses sort by the primary or first one, and `name` sorts by its family name. */
function sortKey(kind: Kind, place: Place) {
  const { attribute } = place;
  if (attribute.name === 'emails')
    return sql`(select item ->> 'value' from ${items(kind, attribute)} order by item ->> 'primary' desc nulls last limit 1)`;
  if (attribute.multiValued) return resourceId;
  const sub = place.sub ?? attribute.subAttributes?.find(({ name }) => name === 'familyName');
  const column = scalar(kind, sub ? { attribute, sub } : place);
  const { type, caseExact } = valued(place);
  return type === 'dateTime' || caseExact || column === resourceId ? column : sql`lower(${column})`;
}
