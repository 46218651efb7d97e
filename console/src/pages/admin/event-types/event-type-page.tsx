// One event type: read a built-in one, or write the schema and the example of an own one.
import { type EventType, listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft } from '#ui/text/text.tsx';
import { builtInEventTypes } from '../built-in.gen.ts';
import { EventTypeForm } from './event-type-form.tsx';

export function AdminEventTypePage() {
  const { name } = usePath();
  const types = useRead(listEventTypes, {});
  const archived = useRead(listEventTypes, { query: { 'filter[archived]': 'true' } });
  const all = types.data && archived.data && [...types.data.data, ...archived.data.data];
  const type = all?.find((each) => each.name === name) ?? null;
  const isNew = all !== undefined && type === null;
  return (
    <Page
      title={name}
      documentTitle={`${name} – Event type`}
      above={<Link to="/admin/event-types">Event types</Link>}
      about={
        isNew ? 'This event type does not exist yet. It is created when you save it.' : type?.description
      }
      beside={<Soft>{builtInEventTypes.includes(name) ? 'Built in' : isNew && 'New'}</Soft>}
    >
      <Loaded query={types.data === undefined ? types : archived} lines={8}>
        {() =>
          type !== null && builtInEventTypes.includes(name) ? (
            <BuiltIn type={type} />
          ) : (
            <EventTypeForm key={name} name={name} type={type} />
          )
        }
      </Loaded>
    </Page>
  );
}

function BuiltIn({ type: { schema, example } }: { type: EventType }) {
  return (
    <Stack>
      <Banner tone="info">
        Receivers rely on the built-in types, so they cannot be changed. Create a type with another name.
      </Banner>
      <Code label="Schema of the data" text={JSON.stringify(schema, null, 2)} isJson isTall />
      <Code label="Example" text={JSON.stringify(example, null, 2)} isJson isTall />
    </Stack>
  );
}
