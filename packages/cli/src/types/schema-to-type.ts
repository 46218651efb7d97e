// A JSON Schema as a TypeScript type. Schemas are of other people: no text of theirs can leave its string or comment.
import { visible, visibleJson } from '../visible.ts';

type Schema = { readonly [keyword: string]: unknown };

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** Deeper types are `unknown`. */
const maxDepth = 20;

/** `InventoryUpdated` for `inventory.updated`. */
export function toTypeName(eventType: string): string {
  const words = eventType.split(/[^a-zA-Z0-9]+/).filter(Boolean);
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) ? name : `Event${name}`;
}

/** On one line, and without an end of the comment. */
export const toComment = (text: string, indent = ''): string =>
  text.trim() === ''
    ? ''
    : `${indent}/** ${visible(text.replaceAll(/\s+/g, ' ')).replaceAll('*/', '*\\/')} */\n`;

export const toLiteral = (text: string): string => visibleJson(text);

export function toType(schema: unknown, depth = 0): string {
  if (schema === false) return 'never';
  if (!isSchema(schema) || depth > maxDepth || '$ref' in schema) return 'unknown';
  if ('const' in schema) return toValue(schema.const);
  if (Array.isArray(schema.enum)) return join(schema.enum.map(toValue), ' | ', 'never');
  const parts = [
    toOwnType(schema, schema.type, depth),
    ...schemasOf(schema.allOf).map((part) => toType(part, depth + 1)),
    ...[schema.anyOf, schema.oneOf].filter(Array.isArray).map((choices: unknown[]) =>
      join(
        choices.map((choice) => toType(choice, depth + 1)),
        ' | ',
        'never',
      ),
    ),
  ].filter((part) => part !== 'unknown');
  return join(parts, ' & ', 'unknown');
}

const toValue = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'unknown' : visibleJson(value);

/** Each part in parentheses, where there are several. */
function join(parts: readonly string[], operator: string, none: string): string {
  const different = [...new Set(parts)];
  if (different.length <= 1) return different[0] ?? none;
  return different.map((part) => (/^[\w"[\]{}.-]*$/.test(part) ? part : `(${part})`)).join(operator);
}

function toOwnType(schema: Schema, type: unknown, depth: number): string {
  if (Array.isArray(type))
    return join(
      type.map((one) => toOwnType(schema, one, depth)),
      ' | ',
      'unknown',
    );
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean' || type === 'null') return type;
  if (type === 'array') return `(${toType(schema.items, depth + 1)})[]`;
  if (type === 'object' || (type === undefined && isSchema(schema.properties)))
    return toObject(schema, depth);
  return 'unknown';
}

function toObject(schema: Schema, depth: number): string {
  const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {});
  const required = new Set(schemasOf(schema.required));
  const isClosed = schema.additionalProperties === false;
  if (properties.length === 0) return isClosed ? 'Record<string, never>' : 'Record<string, unknown>';
  const indent = '  '.repeat(depth + 1);
  const lines = properties.map(([name, member]) => {
    const comment = isSchema(member) && typeof member.description === 'string' ? member.description : '';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : toLiteral(name);
    const type = toType(member, depth + 1);
    return `${toComment(comment, indent)}${indent}${key}${required.has(name) ? '' : '?'}: ${type};\n`;
  });
  return `{\n${lines.join('')}${'  '.repeat(depth)}}`;
}
