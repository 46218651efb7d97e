// One event: its data, and where it went.
import {
  type EventWithDeliveries,
  getEvent,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { NotKept } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { publishCommand } from '#format/command.ts';
import { environments } from '#messages/webhooks.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Code } from '#ui/text/code.tsx';
import { Fact, Facts, Soft } from '#ui/text/text.tsx';
import { deliveryColumns } from '../shared/delivery-columns.tsx';

export function EventPage() {
  const { partner, event } = usePath();
  const query = useRead(getEvent, { path: { id: partner, event_id: event } }, { live: true });
  return (
    <Page
      title={query.data?.data.type ?? 'Event'}
      documentTitle={`Event ${event}`}
      above={
        <Link to="/p/$partner/webhooks/events" params={{ partner }}>
          Events
        </Link>
      }
    >
      <Loaded
        query={query}
        lines={12}
        denied={<Denied resource="events" method="get" />}
        missing={<NotKept name="event" />}
      >
        {({ data }) => <Shown event={data} />}
      </Loaded>
    </Page>
  );
}

function Shown({ event }: { event: EventWithDeliveries }) {
  const partner = usePartner();
  const { id, type, environment, producer_id, created_at, data, deliveries } = event;
  return (
    <>
      <Facts>
        <Fact name="Event" id={id} />
        <Fact name="Type">
          <Link to="/p/$partner/webhooks/event-types/$name" params={{ partner, name: type }}>
            {type}
          </Link>
        </Fact>
        <Fact name="Environment">{environments[environment]}</Fact>
        <Fact name="Producer id">{producer_id ?? 'None'}</Fact>
        <Fact name="Published" at={created_at} />
      </Facts>
      <Section title="Deliveries">
        {deliveries === null ? (
          <Denied resource="deliveries" method="query" />
        ) : (
          <Deliveries deliveries={deliveries} filteredIds={event.filtered_endpoint_ids ?? []} />
        )}
      </Section>
      <Section title="Data">
        <Code label="Data of the event" text={JSON.stringify(data, null, 2)} isJson />
        <details>
          <summary>Publish an event like this</summary>
          <Code label="Command" text={publishCommand(partner, { type, environment, data })} />
        </details>
      </Section>
    </>
  );
}

function Deliveries({
  deliveries,
  filteredIds,
}: {
  deliveries: NonNullable<EventWithDeliveries['deliveries']>;
  /** Endpoints whose filters it does not match. */
  filteredIds: readonly string[];
}) {
  const { can, partner } = useAccess();
  const endpoints = useRead(
    listWebhookEndpoints,
    { path: { id: partner }, query: { page_size: 100 } },
    { enabled: can('webhook_endpoints', 'query') },
  );
  const known = new Map(endpoints.data?.data.map((endpoint) => [endpoint.id, endpoint]));
  if (deliveries.length === 0 && filteredIds.length === 0)
    return <Soft>No endpoint wanted this type when it was published.</Soft>;
  return (
    <>
      {deliveries.length > 0 && <DeliveryTable deliveries={deliveries} known={known} />}
      {filteredIds.length > 0 && (
        <Table
          label="Endpoints that filtered it"
          rows={filteredIds}
          keyOf={(id) => id}
          columns={[
            {
              name: 'Endpoint',
              cell: (id) => (
                <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint: id }}>
                  {known.get(id)?.url ?? id}
                </Link>
              ),
            },
            { name: 'Status', cell: () => 'Filtered: its filter did not match the data' },
          ]}
        />
      )}
    </>
  );
}

type TableProps = {
  deliveries: NonNullable<EventWithDeliveries['deliveries']>;
  known: ReadonlyMap<string, WebhookEndpoint>;
};
function DeliveryTable({ deliveries, known }: TableProps) {
  const partner = usePartner();
  return (
    <Table
      label="Deliveries"
      rows={deliveries}
      keyOf={({ id }) => id}
      columns={deliveryColumns({ partner, endpointOf: (id) => known.get(id), isOfOneEvent: true })}
    />
  );
}
