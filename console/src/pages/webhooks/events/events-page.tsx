// The events of a partner, as the feed shows them.
import { listEvents } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { Retention } from '#app/retention.tsx';
import { publishCommand } from '#format/command.ts';
import { environments } from '#messages/webhooks.ts';
import { Button, PageButton } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { clearFilters, Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import { Faint, shortId } from '#ui/text/text.tsx';
import { CreatedFilter, EnvironmentFilter, EventTypeFilter } from '../deliveries/delivery-filters.tsx';
import css from '../shared/shared.module.css';

export function EventsPage() {
  const partner = usePartner();
  const state = useListState({
    filters: ['type', 'text', 'id', 'producer_id', 'environment', 'created_at'],
    sort: { by: 'id', direction: 'desc' },
  });
  const query = useRead(listEvents, { path: { id: partner }, query: state.query }, { live: true });
  return (
    <Page
      title="Events"
      about={
        <>
          What was published for this partner. The last <Retention /> are kept.
        </>
      }
    >
      <Filters>
        <FilterText state={state} name="text" label="Text in the data" placeholder="2 letters or more" />
        <EventTypeFilter state={state} name="type" />
        <CreatedFilter state={state} />
        <FilterText state={state} name="id" label="Event" placeholder="evt_…" />
        <FilterText state={state} name="producer_id" label="Producer id" placeholder="stock-4711" />
        <EnvironmentFilter state={state} />
        {state.isFiltered && (
          <Button look="plain" onClick={() => clearFilters(state)}>
            Clear
          </Button>
        )}
      </Filters>
      <List
        label="Events"
        query={query}
        state={state}
        denied={<Denied resource="events" method="query" />}
        empty={
          <Empty
            action={
              <PageButton to="/p/$partner/webhooks/event-types" params={{ partner }}>
                Open the event types
              </PageButton>
            }
            command={publishCommand(partner)}
          >
            Nothing was published for this partner yet. A program publishes events with the API.
          </Empty>
        }
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Event',
            cell: ({ id }) => (
              <Link to="/p/$partner/webhooks/events/$event" params={{ partner, event: id }} title={id}>
                <code className={css.whole}>{shortId(id)}</code>
              </Link>
            ),
            isSecondary: true,
          },
          {
            name: 'Type',
            cell: ({ id, type }) => (
              <Link to="/p/$partner/webhooks/events/$event" params={{ partner, event: id }}>
                <code className={css.whole}>{type}</code>
              </Link>
            ),
          },
          { name: 'Data', cell: ({ data }) => <Preview data={data} />, isWide: true, isSpare: true },
          {
            name: 'Producer id',
            cell: ({ producer_id }) => producer_id ?? <Faint>–</Faint>,
            isSecondary: true,
          },
          { name: 'Environment', cell: ({ environment }) => environments[environment], isSecondary: true },
          { name: 'Published', at: 'created_at', sortBy: 'id' },
        ]}
      />
    </Page>
  );
}

const shown = 120;
/** One line, as long as there is room. */
const Preview = ({ data }: { data: unknown }) => (
  <code className={css.preview}>
    <Faint>{JSON.stringify(data).slice(0, shown)}</Faint>
  </code>
);
