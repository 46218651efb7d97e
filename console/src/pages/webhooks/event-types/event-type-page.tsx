// One event type: what it means, what its data looks like, and a type for a program.
import { type EventType, listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { toCommand } from '#format/command.ts';
import { PageButton } from '#ui/button/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Columns, Page, Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Deprecated } from './deprecated.tsx';
import { Members } from './members.tsx';
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
          text={toCommand({
            method: 'POST',
            path: `/partners/${partner}/events`,
            body: { type: name, environment: 'sandbox', data: example },
          })}
        />
      </Section>
      <details>
        <summary>The JSON Schema</summary>
        <Code label="JSON Schema (draft 2020-12)" text={JSON.stringify(schema, null, 2)} isJson />
      </details>
    </>
  );
}
