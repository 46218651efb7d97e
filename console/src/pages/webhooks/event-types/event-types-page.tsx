// The types of events that integrators can get.
import { listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/loaded-table.tsx';
import { Deprecated } from './deprecated.tsx';
import { ExportTypes } from './export-types.tsx';

export function EventTypesPage() {
  const partner = usePartner();
  const query = useRead(listEventTypes, {});
  return (
    <Page
      title="Event types"
      about="The events that webhooks can carry, and the structure of their data."
      action={<ExportTypes />}
    >
      <LoadedTable
        query={query}
        empty={<Empty>There is no event type.</Empty>}
        label="Event types"
        keyOf={({ name }) => name}
        columns={[
          {
            name: 'Type',
            cell: ({ name }) => (
              <Link to="/p/$partner/webhooks/event-types/$name" params={{ partner, name }}>
                {name}
              </Link>
            ),
          },
          { name: 'Meaning', cell: ({ description }) => description },
          { name: 'State', cell: ({ deprecated }) => <Deprecated deprecated={deprecated} /> },
        ]}
      />
    </Page>
  );
}
