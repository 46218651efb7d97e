// Endpoints that fail, or that do not receive, the worst first.
import {
  type EndpointStats,
  listWebhookEndpointStats,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/read.ts';
import { useAccess } from '../../../app/session.ts';
import { formatCount, formatShare } from '../../../format/numbers.ts';
import { endpointState, environments } from '../../../messages/webhooks.ts';
import { PageButton } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Faint, Status } from '../../../ui/text/text.tsx';

/** Endpoints that are looked at. A partner with more finds the others in the list of endpoints. */
const looked = 200;

/** The endpoints and, for those who may see them, their statistics: only both say which endpoint fails. */
export function useTroubled(partner: string) {
  const { can } = useAccess(partner);
  const path = { id: partner };
  const seesEndpoints = can('webhook_endpoints', 'query');
  const seesStats = seesEndpoints && can('deliveries', 'query');
  const endpoints = useRead(
    listWebhookEndpoints,
    { path, query: { page_size: looked } },
    { live: true, enabled: seesEndpoints },
  );
  const stats = useRead(
    listWebhookEndpointStats,
    { path, query: { step: '1d' } },
    { live: true, enabled: seesStats },
  );
  return {
    endpoints,
    stats,
    isWaiting: (seesEndpoints && endpoints.isPending) || (seesStats && stats.isPending),
  };
}

export function TroubledEndpoints({ partner }: { partner: string }) {
  const { can } = useAccess(partner);
  const { endpoints, stats } = useTroubled(partner);
  const statsOf = (id: string) => stats.data?.data.find(({ endpoint_id }) => endpoint_id === id);
  const stateOf = (endpoint: WebhookEndpoint) => endpointState(endpoint, statsOf(endpoint.id));
  return (
    <Section title="Endpoints that need attention">
      <Loaded query={endpoints}>
        {({ data, total }) => {
          if (data.length === 0) {
            return (
              <Empty
                action={
                  can('webhook_endpoints', 'post') && (
                    <PageButton to="/p/$partner/webhooks/endpoints" params={{ partner }}>
                      Go to the endpoints
                    </PageButton>
                  )
                }
              >
                This partner has no endpoint yet, so it receives no webhooks.
              </Empty>
            );
          }
          const troubled = data
            .filter((endpoint) => stateOf(endpoint).tone !== 'good')
            .toSorted((one, other) => badness(other, statsOf(other.id)) - badness(one, statsOf(one.id)));
          if (troubled.length === 0)
            return (
              <Faint>
                {total === 1
                  ? 'The endpoint works.'
                  : `All ${formatCount(data.length, 'endpoint', 'endpoints')} work.`}
              </Faint>
            );
          return (
            <Table
              label="Endpoints that need attention"
              rows={troubled}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Endpoint',
                  isWide: true,
                  cell: ({ id, url, description }) => (
                    <>
                      {can('webhook_endpoints', 'get') ? (
                        <Link
                          to="/p/$partner/webhooks/endpoints/$endpoint"
                          params={{ partner, endpoint: id }}
                        >
                          {url}
                        </Link>
                      ) : (
                        url
                      )}
                      {description !== null && (
                        <div>
                          <Faint>{description}</Faint>
                        </div>
                      )}
                    </>
                  ),
                },
                {
                  name: 'Environment',
                  cell: ({ environment }) => environments[environment],
                  isSecondary: true,
                },
                {
                  name: 'Status',
                  cell: (endpoint) => (
                    <Status tone={stateOf(endpoint).tone}>{stateOf(endpoint).label}</Status>
                  ),
                },
                {
                  name: 'Failed, 24 h',
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ id }) => {
                    const found = statsOf(id);
                    return found === undefined
                      ? '–'
                      : formatShare(found.attempts - found.delivered, found.attempts);
                  },
                },
              ]}
            />
          );
        }}
      </Loaded>
    </Section>
  );
}

/**
 * Disabled endpoints first, then by the share of failures of the last attempts. A paused one was paused by
 * somebody.
 */
function badness({ status }: WebhookEndpoint, stats: EndpointStats | undefined): number {
  if (status !== 'active') return status === 'disabled' ? 2 : -1;
  const { attempts = 0, delivered = 0 } = stats?.recent ?? {};
  return attempts === 0 ? 0 : 1 - delivered / attempts;
}
