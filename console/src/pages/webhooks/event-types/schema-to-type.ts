// A JSON Schema as a TypeScript type. What a type cannot say becomes a comment, so nothing is lost without a
// word.
import { follow, isJsonObject, type Schema } from './schema.ts';

type Path = readonly string[];

/** Keywords that change the type. */
const typed = new Set([
  ...[
    'type',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'prefixItems',
    'enum',
    'const',
    'anyOf',
    'oneOf',
    'allOf',
  ],
  ...['$ref', '$defs', 'definitions'],
]);
/** Keywords that say something to people only. */
const silent = new Set([
  'title',
  'description',
  '$schema',
  '$id',
  '$comment',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** `InventoryUpdated` for `inventory.updated`. */
export const typeName = (eventType: string): string => {
  const name = eventType
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return /^[A-Za-z]/.test(name) ? name : `Event${name}`;
};

export function schemaToType(name: string, schema: Schema): string {
  const notes = notesOf(schema);
  const text = toType(schema, '', { root: schema, path: [], followed: { count: 0 } });
  return `${commentOf(describe(schema), notes, '')}export type ${name} = ${text};\n`;
}

type Place = {
  readonly root: Schema;
  /** The references that led here, so that a circle ends. */
  readonly path: Path;
  readonly followed: { count: number };
};

/** What refers twice to what refers twice again would double with each step. */
const maxFollowed = 500;

function toType(schema: Schema, indent: string, place: Place): string {
  if (schema === true) return 'unknown';
  if (schema === false) return 'never';
  if (typeof schema.$ref === 'string') return toReferenced(schema.$ref, indent, place);
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
  const own = toOwnType(schema, indent, place);
  const choices = [schema.anyOf, schema.oneOf].filter((list) => Array.isArray(list));
  const parts = [
    ...listOf(schema.allOf).map((part) => toType(part, indent, place)),
    ...choices.map((list) => union(listOf(list).map((choice) => toType(choice, indent, place)))),
  ];
  const all = own === 'unknown' && parts.length > 0 ? parts : [own, ...parts];
  return all.length === 1 ? (all[0] ?? 'unknown') : all.map(group).join(' & ');
}

function toOwnType(schema: Exclude<Schema, boolean>, indent: string, place: Place): string {
  const { type } = schema;
  if (Array.isArray(type))
    return union(type.map((one) => toOwnType({ ...schema, type: one }, indent, place)));
  if (type === undefined) {
    if ('properties' in schema) return toObject(schema, indent, place);
    return 'items' in schema || 'prefixItems' in schema ? toArray(schema, indent, place) : 'unknown';
  }
  if (type === 'object') return toObject(schema, indent, place);
  if (type === 'array') return toArray(schema, indent, place);
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown';
}

function toObject(schema: Exclude<Schema, boolean>, indent: string, place: Place): string {
  const properties = Object.entries(isJsonObject(schema.properties) ? schema.properties : {}) as [
    string,
    Schema,
  ][];
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const inner = `${indent}  `;
  const lines = properties.map(([name, member]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const text = toType(member, inner, place);
    return `${commentOf(describe(member), notesOf(member), inner)}${inner}${key}${required.has(name) ? '' : '?'}: ${text};\n`;
  });
  const others = schema.additionalProperties;
  // An index signature must fit all members, so the type of the others is only sure when there are none.
  if (others !== undefined && others !== false && lines.length === 0) {
    return `Record<string, ${toType(others as Schema, indent, place)}>`;
  }
  if (lines.length === 0) return others === false ? 'Record<string, never>' : 'Record<string, unknown>';
  return `{\n${lines.join('')}${indent}}`;
}

function toArray(schema: Exclude<Schema, boolean>, indent: string, place: Place): string {
  const rest = isSchema(schema.items) ? toType(schema.items, indent, place) : 'unknown';
  if (!Array.isArray(schema.prefixItems)) return `${group(rest)}[]`;
  const first = listOf(schema.prefixItems).map((item) => `${group(toType(item, indent, place))}?`);
  return `[${[...first, ...(schema.items === false ? [] : [`...${group(rest)}[]`])].join(', ')}]`;
}

function toReferenced(reference: string, indent: string, { root, path, followed }: Place): string {
  if (path.includes(reference)) return `unknown /* ${inComment(reference)} refers to itself */`;
  const found = follow(root, reference);
  if (!isSchema(found) || followed.count === maxFollowed) return `unknown /* ${inComment(reference)} */`;
  followed.count++;
  return toType(found, indent, { root, path: [...path, reference], followed });
}

const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isJsonObject(value);
const listOf = (value: unknown): Schema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const literal = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
const union = (types: readonly string[]): string =>
  types.length === 0 ? 'never' : [...new Set(types)].join(' | ');
/** Parentheses around a type that has an operator outside its own brackets. */
function group(type: string): string {
  let depth = 0;
  for (const [token] of type.replaceAll(/"(?:\\.|[^"\\])*"/g, '').matchAll(/[({[<>\]})]| [|&] /g)) {
    if (token.length === 3 && depth === 0) return `(${type})`;
    if (token.length === 1) depth += '({[<'.includes(token) ? 1 : -1;
  }
  return type;
}

const describe = (schema: Schema): string =>
  typeof schema === 'object' && typeof schema.description === 'string' ? schema.description : '';

/** What the schema asks for beyond the type: `minimum: 0`. */
function notesOf(schema: Schema): string[] {
  if (typeof schema === 'boolean') return [];
  const notes = Object.entries(schema)
    .filter(([keyword]) => !typed.has(keyword) && !silent.has(keyword))
    .map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  const isInteger =
    schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'));
  const hasOthers = isJsonObject(schema.properties) && isJsonObject(schema.additionalProperties);
  return [
    ...(isInteger ? ['an integer'] : []),
    ...notes,
    ...(schema.oneOf === undefined ? [] : ['exactly one of the types']),
    ...(hasOthers ? [`other members: ${JSON.stringify(schema.additionalProperties)}`] : []),
  ];
}

function commentOf(description: string, notes: readonly string[], indent: string): string {
  const text = [description, notes.join(', ')].filter(Boolean).join(' – ');
  return text === '' ? '' : `${indent}/** ${inComment(text)} */\n`;
}

/** A schema is somebody else's text: it must not end the comment. */
const inComment = (text: string): string => text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ');
