// The last checkpoints of an endpoint: what was published for it, signed.
import { listCheckpoints, type WebhookEndpoint } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { formatNumber } from '#format/numbers.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Time } from '#ui/text/text.tsx';

const shown = 10;

export function Checkpoints({ endpoint }: { endpoint: WebhookEndpoint }) {
  const partner = usePartner();
  const query = useRead(
    listCheckpoints,
    {
      path: { id: partner, endpoint_id: endpoint.id },
      query: { page_size: shown, sort_by: 'id', sort_dir: 'desc' },
    },
    { live: true },
  );
  return (
    <Section
      title="Checkpoints"
      about="Signed statements of what was published for this endpoint. The receiver compares them with what it has."
    >
      <LoadedTable
        query={query}
        lines={4}
        empty={<Empty>The first one is made when the interval has passed.</Empty>}
        label="Checkpoints"
        keyOf={({ id }) => id}
        columns={[
          {
            name: 'Made',
            cell: ({ id, created_at }) => (
              <Link
                to="/p/$partner/webhooks/endpoints/$endpoint/checkpoints/$checkpoint"
                params={{ partner, endpoint: endpoint.id, checkpoint: id }}
              >
                <Time at={created_at} />
              </Link>
            ),
          },
          { name: 'Deliveries', cell: ({ count }) => formatNumber(count), isNumber: true },
          {
            name: 'Delivered',
            cell: ({ delivered }) => formatNumber(delivered),
            isNumber: true,
            isSecondary: true,
          },
          { name: 'Pending', cell: ({ pending }) => formatNumber(pending), isNumber: true },
          { name: 'Failed', cell: ({ failed }) => formatNumber(failed), isNumber: true, isSecondary: true },
        ]}
      />
    </Section>
  );
}
