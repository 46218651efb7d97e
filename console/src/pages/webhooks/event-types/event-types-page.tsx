// The types of events that integrators can get.
import { exportEventTypes, listEventTypes } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { download } from '#api/download.ts';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Lines } from '#ui/text/text.tsx';
import { Deprecated } from './deprecated.tsx';

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
          {
            name: 'Meaning',
            cell: ({ description, deprecated }) => (
              <Lines>
                {description}
                <Deprecated deprecated={deprecated} />
              </Lines>
            ),
          },
        ]}
      />
    </Page>
  );
}

const formats = [
  { format: 'openapi', label: 'Download as OpenAPI' },
  { format: 'asyncapi', label: 'Download as AsyncAPI' },
] as const;

function ExportTypes() {
  const { isRunning, run } = useWrite();
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      isBusy={isRunning}
      onClick={async () => {
        const data = await run(exportEventTypes, { query: { format } }, { keepsCache: true });
        if (data !== undefined)
          download(`concord-${format}.json`, JSON.stringify(data, null, 2), 'application/json');
      }}
    >
      {label}
    </Button>
  ));
}
