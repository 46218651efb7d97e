// The members that a schema names, as a table.
import { Table } from '#ui/table/table.tsx';
import { Faint, Soft } from '#ui/text/text.tsx';
import { isJsonObject, type Schema } from './schema.ts';

type Member = {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
};

export function Members({ schema }: { schema: Schema }) {
  const members = membersOf(schema, '', 0);
  if (members.length === 0) return <Soft>The schema names no members. The JSON Schema is below.</Soft>;
  return (
    <Table
      label="Members of the data"
      rows={members}
      keyOf={({ path }) => path}
      columns={[
        { name: 'Member', cell: ({ path }) => <code>{path}</code> },
        { name: 'Type', cell: ({ type }) => type },
        { name: 'Required', cell: ({ isRequired }) => (isRequired ? 'Yes' : <Faint>No</Faint>) },
        { name: 'Meaning and limits', cell: ({ about }) => about || <Faint>–</Faint>, isSecondary: true },
      ]}
    />
  );
}

/** Deeper members are in the JSON Schema. */
const maxDepth = 3;

function membersOf(schema: Schema, prefix: string, depth: number): Member[] {
  if (!isJsonObject(schema) || !isJsonObject(schema.properties) || depth === maxDepth) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties).flatMap(([name, member]) => {
    if (!isJsonObject(member)) return [];
    const path = `${prefix}${name}`;
    const inside = isJsonObject(member.items) ? membersOf(member.items, `${path}[].`, depth + 1) : [];
    return [
      { path, type: typeOf(member), isRequired: required.includes(name), about: aboutOf(member) },
      ...membersOf(member, `${path}.`, depth + 1),
      ...inside,
    ];
  });
}

function typeOf({ type, enum: values, const: only, format, items }: Record<string, unknown>): string {
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(', ');
  if (only !== undefined) return JSON.stringify(only);
  const name = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  if (name === 'array' && isJsonObject(items)) return `array of ${typeOf(items)}`;
  return typeof format === 'string' ? `${name} (${format})` : name;
}

const shownElsewhere = [
  'type',
  'enum',
  'const',
  'format',
  'properties',
  'required',
  'description',
  'title',
  'items',
];
function aboutOf(member: Record<string, unknown>): string {
  const limits = Object.entries(member)
    .filter(([keyword]) => !shownElsewhere.includes(keyword))
    .map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`);
  return [typeof member.description === 'string' ? member.description : '', limits.join(', ')]
    .filter(Boolean)
    .join(' – ');
}
