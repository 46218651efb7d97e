// The endpoints of all partners that need attention, the worst first.
import { type FailingEndpoint, listFailingEndpoints } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { formatShare } from '#format/numbers.ts';
import { endpointState } from '#messages/webhooks.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Faint } from '#ui/text/text.tsx';
import { EndpointName, EndpointStatus } from '../../webhooks/shared/endpoint-cells.tsx';

/** One that failed a day ago and had no attempt since has no counts. */
const stateOf = (endpoint: FailingEndpoint) =>
  endpointState(endpoint, {
    recent: endpoint.recent.attempts > 0 ? endpoint.recent : { attempts: 1, delivered: 0 },
  });

export function FailingEndpoints() {
  const query = useRead(listFailingEndpoints, {}, { live: true });
  return (
    <Section title="Endpoints that need attention">
      <LoadedTable
        query={query}
        lines={2}
        empty={<Faint>No endpoint fails.</Faint>}
        label="Endpoints that need attention"
        keyOf={({ endpoint_id }) => endpoint_id}
        columns={[
          {
            name: 'Endpoint',
            isWide: true,
            cell: ({ partner, endpoint_id, ...endpoint }) => (
              <EndpointName partner={partner.id} id={endpoint_id} endpoint={endpoint} />
            ),
          },
          {
            name: 'Partner',
            cell: ({ partner }) => (
              <Link to="/p/$partner" params={{ partner: partner.id }}>
                {partner.name}
              </Link>
            ),
          },
          {
            name: 'Status',
            cell: (endpoint) => (
              <EndpointStatus state={stateOf(endpoint)} environment={endpoint.environment} />
            ),
          },
          { name: 'Since', at: 'since', isSecondary: true },
          {
            name: 'Failed lately',
            cell: ({ recent: { attempts, delivered } }) => formatShare(attempts - delivered, attempts),
            isNumber: true,
            isSecondary: true,
          },
        ]}
      />
    </Section>
  );
}
