// One event type: what it means, what its data looks like, and a type for a program.
import { type EventType, listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { publishCommand } from '#format/command.ts';
import { PageButton } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Columns, Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Code } from '#ui/text/code.tsx';
import { Faint, Soft } from '#ui/text/text.tsx';
import { Deprecated } from './deprecated.tsx';
import { isJsonObject, type Schema } from './schema.ts';
import { schemaToType, typeName } from './schema-to-type.ts';

export function EventTypePage() {
  const { partner, name } = usePath();
  const query = useRead(listEventTypes, {});
  const type = query.data?.data.find((one) => one.name === name);
  return (
    <Page
      title={name}
      above={
        <Link to="/p/$partner/webhooks/event-types" params={{ partner }}>
          Event types
        </Link>
      }
      {...(type && { about: type.description, beside: <Deprecated deprecated={type.deprecated} /> })}
    >
      <Loaded query={query} lines={12}>
        {() =>
          type === undefined ? (
            <Empty
              action={
                <PageButton to="/p/$partner/webhooks/event-types" params={{ partner }}>
                  Open the event types
                </PageButton>
              }
            >
              There is no event type with this name.
            </Empty>
          ) : (
            <Shown type={type} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Shown({ type: { name, schema, example } }: { type: EventType }) {
  const partner = usePartner();
  return (
    <>
      <Section title="Members of the data">
        <Members schema={schema} />
      </Section>
      <Columns>
        <Section title="Example">
          <Code label="The data of a test event" text={JSON.stringify(example, null, 2)} isJson />
        </Section>
        <Section title="TypeScript">
          <Code
            label="A type of the data. Comments say what a type cannot."
            text={schemaToType(typeName(name), schema)}
          />
        </Section>
      </Columns>
      <Section title="Publish one">
        <Code
          label="Command"
          text={publishCommand(partner, { type: name, environment: 'sandbox', data: example })}
        />
      </Section>
      <details>
        <summary>The JSON Schema</summary>
        <Code label="JSON Schema (draft 2020-12)" text={JSON.stringify(schema, null, 2)} isJson />
      </details>
    </>
  );
}

type Member = {
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
};

function Members({ schema }: { schema: Schema }) {
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
