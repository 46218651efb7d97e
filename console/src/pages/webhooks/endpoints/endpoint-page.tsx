// One endpoint: its statistics, its settings, its deliveries, and what can be done with it.
import {
  type EndpointStats,
  getWebhookEndpoint,
  getWebhookEndpointStats,
  type WebhookEndpoint,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { attemptReasons, endpointState, environments, filterOfReason } from '#messages/webhooks.ts';
import { Banner, Loaded, Skeleton } from '#ui/feedback/feedback.tsx';
import { Page, Row, Section } from '#ui/layout/page.tsx';
import { Fact, Facts, Status } from '#ui/text/text.tsx';
import { ReplayFailed } from '../sending/replay-period.tsx';
import { Replays } from '../sending/replays.tsx';
import { SendWaiting, titleOf, useWaiting } from '../sending/send-waiting.tsx';
import { Check } from './check.tsx';
import { Checkpoints } from './checkpoints.tsx';
import { CertificateEnd, ClientCertificate } from './client-certificate.tsx';
import { EndpointActions } from './endpoint-actions.tsx';
import { inWords } from './filter/rows.ts';
import { Numbers } from './numbers.tsx';
import { Received } from './received.tsx';
import { RecentDeliveries } from './recent-deliveries.tsx';
import { SigningSecret } from './signing-secret.tsx';

export function EndpointPage() {
  const { partner, endpoint } = usePath();
  const { can, isLoading } = useAccess();
  const seesDeliveries = can('deliveries', 'query');
  const path = { id: partner, endpoint_id: endpoint };
  const query = useRead(getWebhookEndpoint, { path }, { live: true });
  const lastDay = useRead(getWebhookEndpointStats, { path }, { live: true, enabled: seesDeliveries });
  const above = (
    <Link to="/p/$partner/webhooks/endpoints" params={{ partner }}>
      Endpoints
    </Link>
  );
  // What is wrong stands above everything else, so the page appears with it.
  const isWaiting = isLoading || (seesDeliveries && lastDay.isPending);
  const frame = (shown: ReactNode) => (
    <Page title="Endpoint" above={above}>
      {shown}
    </Page>
  );
  return (
    <Loaded
      query={query}
      lines={12}
      denied={<Denied resource="webhook_endpoints" method="get" />}
      frame={frame}
    >
      {({ data, etag }) =>
        isWaiting ? (
          frame(<Skeleton lines={12} />)
        ) : (
          <Endpoint
            key={endpoint}
            etag={etag}
            above={above}
            seesDeliveries={seesDeliveries}
            maySend={seesDeliveries && can('deliveries', 'post')}
            endpoint={data}
            stats={seesDeliveries ? lastDay.data?.data : null}
          />
        )
      }
    </Loaded>
  );
}

type Props = {
  endpoint: WebhookEndpoint;
  etag: string;
  above: ReactNode;
  seesDeliveries: boolean;
  maySend: boolean;
  /** For the last 24 hours. Null: the caller may not see them. Undefined: they could not be read. */
  stats: EndpointStats | null | undefined;
};

function Endpoint({ endpoint, etag, above, seesDeliveries, maySend, stats }: Props) {
  // Its check is what to do next, and keeps its place when it passes.
  const [isHeld] = useState(endpoint.check.blocks_deliveries);
  return (
    <Page
      title={endpoint.url}
      documentTitle={`${endpoint.url} – Endpoint`}
      above={above}
      beside={<Status {...endpointState(endpoint, stats)} />}
      {...(endpoint.description !== null && { about: endpoint.description })}
      action={<EndpointActions endpoint={endpoint} etag={etag} pending={stats?.pending} />}
    >
      <Trouble endpoint={endpoint} stats={stats} maySend={maySend} />
      {seesDeliveries && <Replays endpoint={endpoint.id} urlOf={() => endpoint.url} />}
      <CertificateEnd endpoint={endpoint} />
      {isHeld && <Check endpoint={endpoint} />}
      {seesDeliveries ? (
        <>
          <Numbers endpoint={endpoint.id} />
          {endpoint.environment === 'sandbox' && <Received url={endpoint.url} />}
          <RecentDeliveries endpoint={endpoint} maySend={maySend} />
          {endpoint.checkpoint_minutes !== null && <Checkpoints endpoint={endpoint} />}
        </>
      ) : (
        <Section title="Deliveries">
          <Denied resource="deliveries" method="query" />
        </Section>
      )}
      <Settings endpoint={endpoint} />
      {!endpoint.listener && !isHeld && <Check endpoint={endpoint} />}
      <SigningSecret endpoint={endpoint} />
      {!endpoint.listener && <ClientCertificate endpoint={endpoint} />}
    </Page>
  );
}

type TroubleProps = Pick<Props, 'endpoint' | 'stats' | 'maySend'>;
/** What is wrong, where to look, and what can be sent when it is repaired. */
function Trouble({ endpoint, stats, maySend }: TroubleProps) {
  const partner = usePartner();
  const { tone, label, about } = endpointState(endpoint, stats);
  const isActive = endpoint.status === 'active' && !endpoint.check.blocks_deliveries;
  const isEnabled = maySend && isActive;
  const waiting = useWaiting({
    endpoint,
    isEnabled,
    isFailing: tone !== 'good',
    pending: stats?.pending,
  });
  const send = waiting && <SendWaiting endpoint={endpoint} counts={waiting} />;
  if (tone === 'good') {
    return (
      waiting && (
        <Banner tone="info" title={titleOf(waiting)}>
          <p>{whenSent}</p>
          <Row>{send}</Row>
        </Banner>
      )
    );
  }
  const worst = stats?.failed.toSorted((one, other) => other.count - one.count)[0];
  return (
    <Banner tone={tone === 'bad' ? 'bad' : 'warning'} title={label}>
      <p>
        {about} {endpoint.disabled_reason}
      </p>
      {worst && (
        <>
          <p>
            Most failures: {attemptReasons[worst.reason].label}. {attemptReasons[worst.reason].about}{' '}
            {attemptReasons[worst.reason].advice}
          </p>
          <p>
            <Link
              to="/p/$partner/webhooks/deliveries"
              params={{ partner }}
              search={{ endpoint_id: endpoint.id, ...filterOfReason(worst.reason) }}
            >
              Show the deliveries whose last attempt failed this way
            </Link>
          </p>
        </>
      )}
      {waiting && (
        <p>
          {titleOf(waiting)}. {whenSent}
        </p>
      )}
      {isEnabled && (
        <Row>
          {send}
          <ReplayFailed endpoint={endpoint} />
        </Row>
      )}
    </Banner>
  );
}
const whenSent =
  'Concord sends them by the schedule of retries, which can be hours away. If the receiver works again, send them now.';

function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const partner = usePartner();
  const { event_types, ordering, max_concurrency, rate_limit_per_second, header_names } = endpoint;
  const { batch, retry_schedule: delays, timeout_seconds: timeout, disable_after_hours: patience } = endpoint;
  return (
    <Section title="Settings">
      <Facts>
        <Fact name="Endpoint" id={endpoint.id} />
        <Fact name="Environment">{environments[endpoint.environment]}</Fact>
        {endpoint.listener && <Fact name="Goes to">The command that listens, for this URL</Fact>}
        <Fact name="Event types">{event_types === null ? 'All' : event_types.join(', ')}</Fact>
        {endpoint.filter !== null && <Fact name="Filter">{inWords(endpoint.filter)}</Fact>}
        <Fact name="Order">{ordering === 'strict' ? 'One after the other' : 'None'}</Fact>
        <Fact name="Limits">
          {max_concurrency} at the same time
          {rate_limit_per_second !== null && `, ${rate_limit_per_second} in a second`}
        </Fact>
        {batch !== null && (
          <Fact name="Events in a request">
            Up to {batch.max_events}, after {batch.max_wait_seconds} seconds at the latest
          </Fact>
        )}
        {delays !== null && (
          <Fact name="Retries">{delays.length === 0 ? 'None' : `After ${delays.join(', ')} seconds`}</Fact>
        )}
        {timeout !== null && <Fact name="Longest attempt">{timeout} seconds</Fact>}
        {patience !== null && <Fact name="Disabled after">{patience} hours of failures</Fact>}
        {endpoint.payload === 'thin' && <Fact name="Content">Thin: events without their data</Fact>}
        {endpoint.checkpoint_minutes !== null && (
          <Fact name="Checkpoints">
            Every {formatCount(endpoint.checkpoint_minutes, 'minute', 'minutes')}
          </Fact>
        )}
        <Fact name="Headers">{header_names.length === 0 ? 'None' : header_names.join(', ')}</Fact>
        {endpoint.authentication && (
          <Fact name="Access token">
            For {endpoint.authentication.client_id}, from {endpoint.authentication.token_url}
          </Fact>
        )}
        <Fact name="Changed" at={endpoint.updated_at} />
        <Fact name="Receiver">
          <Link to="/p/$partner/webhooks/quickstart" params={{ partner }} search={{ endpoint: endpoint.id }}>
            Code for this endpoint
          </Link>
        </Fact>
      </Facts>
    </Section>
  );
}
