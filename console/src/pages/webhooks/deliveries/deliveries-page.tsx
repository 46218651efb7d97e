// All deliveries of a partner, by filters that are in the URL. Some, or all that match, can be replayed.
import { listDeliveries, listWebhookEndpoints } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { Denied } from '#app/denied.tsx';
import { Retention } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { toCommand } from '#format/command.ts';
import { PageButton } from '#ui/button/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { List } from '#ui/table/list.tsx';
import { useListState } from '#ui/table/list-state.ts';
import { Replays } from '../sending/replays.tsx';
import { SendAll } from '../sending/send-all.tsx';
import { SendSelected } from '../sending/send-selected.tsx';
import {
  answerColumn,
  attemptsColumn,
  deliveryColumn,
  endpointColumn,
  nextColumn,
  publishedColumn,
  statusColumn,
  typeColumn,
} from '../shared/delivery-columns.tsx';
import { DeliveryFilters, filterNames } from './delivery-filters.tsx';

export function DeliveriesPage() {
  const { can, partner } = useAccess();
  const state = useListState({ filters: filterNames, sort: { by: 'id', direction: 'desc' } });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const query = useRead(listDeliveries, { path: { id: partner }, query: state.query }, { live: true });
  const endpoints = useRead(
    listWebhookEndpoints,
    { path: { id: partner }, query: { page_size: 100 } },
    { enabled: can('webhook_endpoints', 'query') },
  );
  const known = new Map(endpoints.data?.data.map((endpoint) => [endpoint.id, endpoint]));
  const urlOf = (id: string) => known.get(id)?.url;
  const mayReplay = can('deliveries', 'post');
  // What was selected on another page is not sent with this one.
  const shown = query.data?.data.filter(({ id }) => selected.has(id)) ?? [];
  const isCountable = state.isFiltered && state.filters.attempt_outcome === '';

  return (
    <Page
      title="Deliveries"
      about={
        <>
          Each event on its way to each endpoint. The last <Retention /> are kept.
        </>
      }
      action={
        mayReplay &&
        // Beside the title, so that choosing a row moves no row.
        (shown.length > 0 ? (
          <SendSelected deliveries={shown} onDone={() => setSelected(new Set())} />
        ) : (
          isCountable && <SendAll filters={state.filters} urlOf={urlOf} />
        ))
      }
    >
      <DeliveryFilters state={state} endpoints={endpoints.data?.data ?? []} />
      {mayReplay && <Replays urlOf={urlOf} />}
      <List
        label="Deliveries"
        query={query}
        state={state}
        denied={<Denied resource="deliveries" method="query" />}
        empty={
          <Empty
            action={
              <PageButton to="/p/$partner/webhooks/endpoints" params={{ partner }}>
                Open the endpoints
              </PageButton>
            }
            command={toCommand({
              method: 'POST',
              path: `/partners/${partner}/events`,
              body: {
                type: 'inventory.updated',
                environment: 'sandbox',
                data: { sku: 'NX-1', quantity: 12 },
              },
            })}
          >
            Nothing was delivered yet. Each event that is published goes to each endpoint that wants its type.
          </Empty>
        }
        keyOf={({ id }) => id}
        {...(mayReplay && { selection: { selected, onChange: setSelected } })}
        columns={[
          deliveryColumn(partner),
          statusColumn(partner),
          endpointColumn(partner, (id) => known.get(id)),
          answerColumn,
          typeColumn,
          attemptsColumn,
          nextColumn,
          publishedColumn,
        ]}
      />
    </Page>
  );
}
