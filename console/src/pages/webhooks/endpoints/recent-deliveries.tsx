// The last deliveries to an endpoint.
import { listDeliveries } from '@concord/client';
import { useRead } from '../../../api/read.ts';
import { PageButton } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import {
  answerColumn,
  attemptsColumn,
  deliveryColumn,
  nextColumn,
  publishedColumn,
  statusColumn,
  typeColumn,
} from '../shared/delivery-columns.tsx';
import { isNotDueSoon } from '../shared/due-soon.ts';

const shown = 10;

export function RecentDeliveries({ partner, endpoint }: { partner: string; endpoint: string }) {
  const query = useRead(
    listDeliveries,
    {
      path: { id: partner },
      query: { page_size: shown, sort_by: 'id', sort_dir: 'desc', 'filter[endpoint_id]': endpoint },
    },
    { live: true, until: (deliveries) => deliveries.every(isNotDueSoon) },
  );
  return (
    <Section
      title="Recent deliveries"
      action={
        <PageButton
          to="/p/$partner/webhooks/deliveries"
          params={{ partner }}
          search={{ endpoint_id: endpoint } as never}
        >
          All deliveries
        </PageButton>
      }
    >
      <Loaded query={query} lines={8}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>Nothing was sent to this endpoint yet.</Empty>
          ) : (
            <Table
              label="Recent deliveries"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                deliveryColumn(partner),
                statusColumn(partner),
                answerColumn,
                typeColumn,
                attemptsColumn,
                nextColumn,
                publishedColumn,
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
