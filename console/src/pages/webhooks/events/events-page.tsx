// The events of a partner, as the feed shows them.
import { listEvents } from '@concord/client';
import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/read.ts';
import { Denied } from '../../../app/denied.tsx';
import { Retention } from '../../../app/retention.tsx';
import { toCommand } from '../../../format/command.ts';
import { environments } from '../../../messages/webhooks.ts';
import { PageButton } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Page } from '../../../ui/layout/page.tsx';
import { Filters, List } from '../../../ui/table/list.tsx';
import { useListState } from '../../../ui/table/list-state.ts';
import { Faint, shortId, Time } from '../../../ui/text/text.tsx';
import { EnvironmentFilter } from '../shared/environment-filter.tsx';
import css from '../shared/shared.module.css';

export function EventsPage() {
  const { partner } = useParams({ strict: false }) as { partner: string };
  const state = useListState({ filters: ['environment'], sort: { by: 'id', direction: 'desc' } });
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
        <EnvironmentFilter state={state} />
      </Filters>
      <List
        label="Events"
        query={query}
        state={state}
        denied={<Denied partner={partner} resource="events" method="query" />}
        empty={
          <Empty
            action={
              <PageButton to="/p/$partner/webhooks/event-types" params={{ partner }}>
                Open the event types
              </PageButton>
            }
            command={toCommand({
              method: 'POST',
              path: `/partners/${partner}/events`,
              body: { type: 'inventory.updated', environment: 'sandbox', data: { sku: 'NX-1', quantity: 12 } },
            })}
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
          },
          { name: 'Type', cell: ({ type }) => <code className={css.whole}>{type}</code> },
          { name: 'Data', cell: ({ data }) => <Preview data={data} />, isSecondary: true },
          { name: 'Producer id', cell: ({ producer_id }) => producer_id ?? <Faint>–</Faint>, isSecondary: true },
          { name: 'Environment', cell: ({ environment }) => environments[environment], isSecondary: true },
          { name: 'Published', cell: ({ created_at }) => <Time at={created_at} />, sortBy: 'id' },
        ]}
      />
    </Page>
  );
}

const shown = 120;
const Preview = ({ data }: { data: unknown }) => (
  <code className={css.url}>
    <Faint>{JSON.stringify(data).slice(0, shown)}</Faint>
  </code>
);
