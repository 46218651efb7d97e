// One checkpoint: what it says, its signed statement, and the deliveries that it covers.
import { type Checkpoint, getCheckpoint, listCheckpointDeliveries } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { NotKept } from '#app/retention.tsx';
import { formatNumber } from '#format/numbers.ts';
import { formatExactTime } from '#format/time.ts';
import { deliveryStatus } from '#messages/webhooks.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { List, useListState } from '#ui/table/list.tsx';
import { Code } from '#ui/text/code.tsx';
import { Fact, Facts, Status, shortId } from '#ui/text/text.tsx';
import css from '../shared/shared.module.css';

type Path = { id: string; endpoint_id: string; checkpoint_id: string };

export function CheckpointPage() {
  const { partner, endpoint, checkpoint } = usePath();
  const path = { id: partner, endpoint_id: endpoint, checkpoint_id: checkpoint };
  const query = useRead(getCheckpoint, { path });
  return (
    <Page
      title="Checkpoint"
      documentTitle={`Checkpoint ${checkpoint}`}
      above={
        <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint }}>
          Endpoint
        </Link>
      }
    >
      <Loaded
        query={query}
        lines={12}
        denied={<Denied resource="deliveries" method="get" />}
        missing={<NotKept name="checkpoint" />}
      >
        {({ data }) => (
          <>
            <Statement path={path} checkpoint={data} />
            <Deliveries path={path} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Statement({ path, checkpoint }: { path: Path; checkpoint: Checkpoint }) {
  const { id, previous_id, covers_from, covers_until, count, delivered, pending, failed } = checkpoint;
  return (
    <>
      <Facts>
        <Fact name="Checkpoint" id={id} />
        <Fact name="Covers">
          {formatExactTime(covers_from)} to {formatExactTime(covers_until)}
        </Fact>
        <Fact name="Deliveries">{formatNumber(count)}</Fact>
        <Fact name="When it was made">
          {formatNumber(delivered)} delivered, {formatNumber(pending)} pending, {formatNumber(failed)} failed
        </Fact>
        <Fact name="The one before">
          {previous_id === null ? (
            'None'
          ) : (
            <Link
              to="/p/$partner/webhooks/endpoints/$endpoint/checkpoints/$checkpoint"
              params={{ partner: path.id, endpoint: path.endpoint_id, checkpoint: previous_id }}
            >
              <code>{shortId(previous_id)}</code>
            </Link>
          )}
        </Fact>
      </Facts>
      <Section title="Signed statement" about="Anyone can verify it with the public keys.">
        <Code label="Merkle root" text={checkpoint.root} />
        <Code label="JWS" text={checkpoint.jws} />
      </Section>
    </>
  );
}

function Deliveries({ path }: { path: Path }) {
  const state = useListState({ sort: { by: 'id', direction: 'asc' } });
  const query = useRead(listCheckpointDeliveries, { path, query: state.query }, { live: true });
  return (
    <Section title="Deliveries" about="In the order in which they are signed, with their present status.">
      <List
        label="Deliveries"
        query={query}
        state={state}
        denied={<Denied resource="deliveries" method="query" />}
        empty={<Empty>Nothing was published for the endpoint in this time.</Empty>}
        keyOf={({ event_id }) => event_id}
        columns={[
          {
            name: 'Event',
            cell: ({ event_id }) => (
              <Link
                to="/p/$partner/webhooks/events/$event"
                params={{ partner: path.id, event: event_id }}
                title={event_id}
              >
                <code className={css.whole}>{shortId(event_id)}</code>
              </Link>
            ),
          },
          {
            name: 'Status',
            cell: ({ delivery_id, status }) => (
              <Link
                to="/p/$partner/webhooks/deliveries/$delivery"
                params={{ partner: path.id, delivery: delivery_id }}
              >
                <Status {...deliveryStatus[status]} />
              </Link>
            ),
          },
        ]}
      />
    </Section>
  );
}
