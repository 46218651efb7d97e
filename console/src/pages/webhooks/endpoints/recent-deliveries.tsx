// The last deliveries to an endpoint, and a replay of those that failed in a period.
import { listDeliveries, type WebhookEndpoint } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { PageButton } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { ReplayPeriod } from '../sending/replay-period.tsx';
import { deliveryColumns, isNotDueSoon } from '../shared/delivery-columns.tsx';

const shown = 10;

type Props = { endpoint: WebhookEndpoint; maySend: boolean };

export function RecentDeliveries({ endpoint, maySend }: Props) {
  const partner = usePartner();
  const query = useRead(
    listDeliveries,
    {
      path: { id: partner },
      query: { page_size: shown, sort_by: 'id', sort_dir: 'desc', 'filter[endpoint_id]': endpoint.id },
    },
    { live: true, until: (deliveries) => deliveries.every(isNotDueSoon) },
  );
  return (
    <Section
      title="Recent deliveries"
      action={
        <Row>
          {maySend && <ReplayPeriod endpoint={endpoint}>Replay a period…</ReplayPeriod>}
          <PageButton
            to="/p/$partner/webhooks/deliveries"
            params={{ partner }}
            search={{ endpoint_id: endpoint.id }}
          >
            All deliveries
          </PageButton>
        </Row>
      }
    >
      <LoadedTable
        query={query}
        lines={8}
        empty={<Empty>Nothing was sent to this endpoint yet.</Empty>}
        label="Recent deliveries"
        keyOf={({ id }) => id}
        columns={deliveryColumns({ partner })}
      />
    </Section>
  );
}
