// Endpoints that fail, that Concord disabled, that are paused while deliveries wait, or that get deliveries faster than
// they take them. The worst come first.
import {
  type EndpointStats,
  listWebhookEndpointStats,
  listWebhookEndpoints,
  type WebhookEndpoint,
} from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRead } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { formatCount, formatShare } from '#format/numbers.ts';
import { endpointState } from '#messages/webhooks.ts';
import { PageButton } from '#ui/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Faint } from '#ui/text/text.tsx';
import { EndpointName, EndpointStatus } from '../../webhooks/shared/endpoint-cells.tsx';

/** A few wait for a moment at any busy endpoint, or for a retry. */
const [longQueue, longWaitSeconds] = [1_000, 300];

/** Endpoints that are looked at. A partner with more finds the others in the list of endpoints. */
const looked = 200;

/** The endpoints and, for those who may see them, their statistics: only both say which endpoint fails. */
export function useTroubled() {
  const { can, partner } = useAccess();
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
    isWaiting: (seesEndpoints && isFirst(endpoints)) || (seesStats && isFirst(stats)),
  };
}

/**
 * Nothing was answered yet. What was refused is asked again when more of the page appears, which must not make it
 * disappear.
 */
export const isFirst = ({ isPending, errorUpdateCount }: UseQueryResult): boolean =>
  isPending && errorUpdateCount === 0;

export function TroubledEndpoints() {
  const { can, partner } = useAccess();
  const { endpoints, stats } = useTroubled();
  const statsOf = (id: string) => stats.data?.data.find(({ endpoint_id }) => endpoint_id === id);
  const waitingAt = (id: string) => statsOf(id)?.pending ?? 0;
  const isBehind = ({ id, status }: WebhookEndpoint): boolean =>
    status === 'active' &&
    waitingAt(id) >= longQueue &&
    (statsOf(id)?.oldest_pending_age_seconds ?? 0) >= longWaitSeconds;
  // Only what is known to fail is listed.
  const stateOf = (endpoint: WebhookEndpoint) => endpointState(endpoint, statsOf(endpoint.id) ?? null);
  return (
    <Section title="Endpoints that need attention">
      <Loaded query={endpoints}>
        {({ data }) => {
          if (data.length === 0) return <NoEndpoint />;
          const troubled = data
            .filter((endpoint) =>
              endpoint.status === 'paused'
                ? waitingAt(endpoint.id) > 0
                : stateOf(endpoint).tone !== 'good' || isBehind(endpoint),
            )
            .toSorted((one, other) => badness(other, statsOf(other.id)) - badness(one, statsOf(one.id)));
          const none = <Faint>No endpoint needs attention.</Faint>;
          if (troubled.length === 0)
            return stats.isError ? <Loaded query={stats}>{() => none}</Loaded> : none;
          return (
            <Table
              label="Endpoints that need attention"
              rows={troubled}
              keyOf={({ id }) => id}
              columns={[
                {
                  name: 'Endpoint',
                  isWide: true,
                  cell: (endpoint) => (
                    <EndpointName
                      partner={partner}
                      id={endpoint.id}
                      endpoint={endpoint}
                      isLink={can('webhook_endpoints', 'get')}
                    />
                  ),
                },
                {
                  name: 'Status',
                  cell: (endpoint) => (
                    <EndpointStatus
                      state={stateOf(endpoint)}
                      environment={endpoint.environment}
                      waiting={
                        waitingAt(endpoint.id) > 0 &&
                        formatCount(waitingAt(endpoint.id), 'delivery waits', 'deliveries wait')
                      }
                    />
                  ),
                },
                {
                  name: 'Failed lately',
                  isNumber: true,
                  isSecondary: true,
                  cell: ({ id }) => {
                    const { attempts = 0, delivered = 0 } = statsOf(id)?.recent ?? {};
                    return formatShare(attempts - delivered, attempts);
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

function NoEndpoint() {
  const { can, partner } = useAccess();
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

/**
 * Disabled endpoints first, then by the share of failures of the last attempts. A paused one was paused by
 * somebody.
 */
function badness({ status }: WebhookEndpoint, stats: EndpointStats | undefined): number {
  if (status !== 'active') return status === 'disabled' ? 2 : -1;
  const { attempts = 0, delivered = 0 } = stats?.recent ?? {};
  return attempts === 0 ? 0 : 1 - delivered / attempts;
}
