// All deliveries of a partner, by filters that are in the URL. Some, or all that match, can be replayed.
import {
  ConcordError,
  type Delivery,
  listDeliveries,
  listWebhookEndpoints,
  replayDelivery,
  startSendNow,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { toast } from '#api/toasts.ts';
import { readAgain, useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { Retention } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { publishCommand } from '#format/command.ts';
import { formatCount } from '#format/numbers.ts';
import { errorText } from '#messages/errors.ts';
import { Button, PageButton } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page, Row } from '#ui/layout/page.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import { Soft } from '#ui/text/text.tsx';
import { Replays } from '../sending/replays.tsx';
import { SendAll } from '../sending/send-all.tsx';
import { deliveryColumns, isReplayable, isSendable } from '../shared/delivery-columns.tsx';
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
      {can('deliveries', 'query') && <Replays urlOf={urlOf} />}
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
            command={publishCommand(partner)}
          >
            Nothing was delivered yet. Each event that is published goes to each endpoint that wants its type.
          </Empty>
        }
        keyOf={({ id }) => id}
        {...(mayReplay && { selection: { selected, onChange: setSelected } })}
        columns={deliveryColumns({ partner, endpointOf: (id) => known.get(id) })}
      />
    </Page>
  );
}

type Props = { deliveries: readonly Delivery[]; onDone: () => void };

function SendSelected({ deliveries, onDone }: Props) {
  const partner = usePartner();
  const { run, isRunning } = useWrite();
  const [done, setDone] = useState<number | null>(null);
  const replayable = deliveries.filter(isReplayable);
  const sendable = deliveries.filter(isSendable);
  const rest = deliveries.length - replayable.length - sendable.length;

  async function sendNow() {
    const body = { delivery_ids: sendable.map(({ id }) => id) };
    const started = await run(
      startSendNow,
      { path: { id: partner }, body },
      { done: `${formatCount(sendable.length, 'delivery is', 'deliveries are')} sent now` },
    );
    if (started !== undefined) onDone();
  }

  async function replay() {
    let failures = 0;
    let last: ConcordError | null = null;
    for (const [index, { id }] of replayable.entries()) {
      setDone(index);
      try {
        await write(replayDelivery, { path: { id: partner, delivery_id: id } }, { keepsCache: true });
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        failures += 1;
        last = error;
      }
    }
    setDone(null);
    await readAgain();
    if (last === null) {
      toast({
        tone: 'good',
        text: `${formatCount(replayable.length, 'delivery is', 'deliveries are')} sent again`,
      });
      onDone();
    } else {
      toast({
        tone: 'bad',
        text: `${formatCount(failures, 'delivery was', 'deliveries were')} not sent: ${errorText(last)}`,
      });
    }
  }

  return (
    <Row>
      {sendable.length > 0 && (
        <Button look="primary" isBusy={isRunning} onClick={() => void sendNow()}>
          Send {formatCount(sendable.length, 'delivery', 'deliveries')} now
        </Button>
      )}
      {replayable.length > 0 && (
        <Button
          look={sendable.length > 0 ? 'secondary' : 'primary'}
          isBusy={done !== null}
          onClick={() => void replay()}
        >
          {done === null
            ? `Replay ${formatCount(replayable.length, 'delivery', 'deliveries')}`
            : `Replaying ${done + 1} of ${replayable.length}`}
        </Button>
      )}
      {rest > 0 && (
        <Soft>
          {formatCount(
            rest,
            'selected delivery stays as it is: it is',
            'selected deliveries stay as they are: they are',
          )}{' '}
          cancelled, or the endpoint is paused or disabled.
        </Soft>
      )}
    </Row>
  );
}
