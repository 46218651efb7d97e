// One endpoint: how it is doing, what it got, and what can be done about it.
import { type EndpointStats, getWebhookEndpoint, getWebhookEndpointStats, type WebhookEndpoint } from '@concord/client';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/read.ts';
import { Denied } from '../../../app/denied.tsx';
import { useAccess } from '../../../app/session.ts';
import { attemptReasons, endpointState, environments } from '../../../messages/webhooks.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Page, Section } from '../../../ui/layout/page.tsx';
import { Fact, Facts, Id, Status, Time } from '../../../ui/text/text.tsx';
import { Replays } from '../sending/replays.tsx';
import { SendWaiting } from '../sending/send-waiting.tsx';
import { filterOfReason } from '../shared/filter-of-reason.ts';
import { EndpointActions } from './endpoint-actions.tsx';
import { Numbers } from './numbers.tsx';
import { Received } from './received.tsx';
import { RecentDeliveries } from './recent-deliveries.tsx';
import { Recoveries } from './recoveries.tsx';

export function EndpointPage() {
  const { partner, endpoint } = useParams({ strict: false }) as { partner: string; endpoint: string };
  const query = useRead(getWebhookEndpoint, { path: { id: partner, endpoint_id: endpoint } }, { live: true });
  const above = (
    <Link to="/p/$partner/webhooks/endpoints" params={{ partner }}>
      Endpoints
    </Link>
  );
  if (query.data === undefined || query.isError) {
    return (
      <Page title="Endpoint" above={above}>
        <Loaded query={query} lines={12} denied={<Denied partner={partner} resource="webhook_endpoints" method="get" />}>
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <Endpoint key={endpoint} partner={partner} endpoint={query.data.data} etag={query.data.etag} above={above} />;
}

type Props = { partner: string; endpoint: WebhookEndpoint; etag: string; above: ReactNode };

function Endpoint({ partner, endpoint, etag, above }: Props) {
  const { can } = useAccess(partner);
  const seesDeliveries = can('deliveries', 'query');
  const lastDay = useRead(
    getWebhookEndpointStats,
    { path: { id: partner, endpoint_id: endpoint.id } },
    { live: true, enabled: seesDeliveries },
  );
  const stats = lastDay.data?.data;
  const state = endpointState(endpoint, stats);
  return (
    <Page
      title={endpoint.url}
      documentTitle={`${endpoint.url} – Endpoint`}
      above={above}
      beside={<Status tone={state.tone}>{state.label}</Status>}
      {...(endpoint.description !== null && { about: endpoint.description })}
      action={<EndpointActions partner={partner} endpoint={endpoint} etag={etag} pending={stats?.pending} />}
    >
      <Trouble partner={partner} endpoint={endpoint} stats={stats} />
      {seesDeliveries && can('deliveries', 'post') && (
        <>
          {endpoint.status === 'active' && <SendWaiting partner={partner} endpoint={endpoint} />}
          <Replays partner={partner} endpoint={endpoint.id} urlOf={() => endpoint.url} />
        </>
      )}
      <Settings partner={partner} endpoint={endpoint} />
      {seesDeliveries ? (
        <>
          <Numbers partner={partner} endpoint={endpoint.id} />
          {endpoint.environment === 'sandbox' && <Received partner={partner} url={endpoint.url} />}
          <RecentDeliveries partner={partner} endpoint={endpoint.id} />
          <Recoveries partner={partner} endpoint={endpoint} />
        </>
      ) : (
        <Section title="Deliveries">
          <Denied partner={partner} resource="deliveries" method="query" />
        </Section>
      )}
    </Page>
  );
}

type TroubleProps = { partner: string; endpoint: WebhookEndpoint; stats: EndpointStats | undefined };
/** What is wrong, and where to look. */
function Trouble({ partner, endpoint, stats }: TroubleProps) {
  const { tone, label, about } = endpointState(endpoint, stats);
  if (tone === 'good') return null;
  const worst = [...(stats?.failed ?? [])].sort((one, other) => other.count - one.count)[0];
  return (
    <Banner tone={tone === 'bad' ? 'bad' : 'warning'} title={label}>
      <p>
        {about} {endpoint.disabled_reason}
      </p>
      {worst && (
        <>
          <p>
            Most often: {attemptReasons[worst.reason].label}. {attemptReasons[worst.reason].about}{' '}
            {attemptReasons[worst.reason].advice}
          </p>
          <p>
            <Link
              to="/p/$partner/webhooks/deliveries"
              params={{ partner }}
              search={{ endpoint_id: endpoint.id, ...filterOfReason(worst.reason) } as never}
            >
              Show the deliveries that failed this way
            </Link>
          </p>
        </>
      )}
    </Banner>
  );
}

function Settings({ partner, endpoint }: { partner: string; endpoint: WebhookEndpoint }) {
  const { event_types, ordering, max_concurrency, rate_limit_per_second, header_names } = endpoint;
  return (
    <Facts>
      <Fact name="Endpoint">
        <Id id={endpoint.id} />
      </Fact>
      <Fact name="Environment">{environments[endpoint.environment]}</Fact>
      <Fact name="Event types">{event_types === null ? 'All' : event_types.join(', ')}</Fact>
      <Fact name="Order">{ordering === 'strict' ? 'One after the other' : 'None'}</Fact>
      <Fact name="Limits">
        {max_concurrency} at the same time{rate_limit_per_second !== null && `, ${rate_limit_per_second} in a second`}
      </Fact>
      <Fact name="Headers">{header_names.length === 0 ? 'None' : header_names.join(', ')}</Fact>
      <Fact name="Changed">
        <Time at={endpoint.updated_at} />
      </Fact>
      <Fact name="Receiver">
        <Link to="/p/$partner/webhooks/quickstart" params={{ partner }} search={{ endpoint: endpoint.id } as never}>
          Code for this endpoint
        </Link>
      </Fact>
    </Facts>
  );
}
