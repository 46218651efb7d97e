// Event types: what can be published, with the schema of its data.
import { type EventType, listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { Button } from '#ui/button/button.tsx';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { builtInEventTypes } from '../built-in.gen.ts';
import { ImportDialog } from './import-dialog.tsx';
import { NewEventTypeDialog } from './new-event-type-dialog.tsx';

export function AdminEventTypesPage() {
  const types = useRead(listEventTypes, {});
  const archived = useRead(listEventTypes, { query: { 'filter[archived]': 'true' } });
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create an event type
    </Button>
  );
  return (
    <Page
      title="Event types"
      about="What partners can publish. The data of an event must fit the schema of its type."
      action={
        <>
          <DialogButton dialog={(onClose) => <ImportDialog onClose={onClose} />}>Import</DialogButton>
          {create}
        </>
      }
    >
      <LoadedTable
        query={types}
        empty={<Empty action={create}>There is no event type.</Empty>}
        rows={(data) => [...data, ...(archived.data?.data ?? [])]}
        label="Event types"
        keyOf={({ name }) => name}
        columns={[
          {
            name: 'Name',
            cell: ({ name }) => (
              <Link to="/admin/event-types/$name" params={{ name }}>
                <code>{name}</code>
              </Link>
            ),
          },
          { name: 'Description', cell: ({ description }) => description, isSecondary: true },
          { name: 'Kind', cell: (type) => kindOf(type) },
        ]}
      />
      {isCreating && <NewEventTypeDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function kindOf({ name, partner_ids, deprecated, archived_at }: EventType): string {
  if (builtInEventTypes.includes(name)) return 'Built in';
  const traits = [
    partner_ids !== null && 'private',
    deprecated !== null && 'deprecated',
    archived_at !== null && 'archived',
  ];
  return ['Own', ...traits.filter((trait) => trait !== false)].join(', ');
}
