// The inspector: why a delivery failed, on one screen.
import {
  type DeliveryWithAttempts,
  getDelivery,
  getWebhookEndpoint,
  replayDelivery,
  sendDeliveryNow,
  type WebhookEndpoint,
} from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isCode, useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { useAsked, usePartner, usePath } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { NotKept } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { attemptOutcome, deliveryStates, environments } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Fact, Facts, Id, Status, shortId } from '#ui/text/text.tsx';
import { isNotDueSoon, isReplayable, isSendable, NextAttempt } from '../shared/delivery-columns.tsx';
import { AttemptDetail } from './attempt-detail.tsx';
import { Attempts } from './attempts.tsx';
import css from './inspector.module.css';

export function DeliveryPage() {
  const { partner, delivery } = usePath();
  const query = useRead(
    getDelivery,
    { path: { id: partner, delivery_id: delivery } },
    { live: true, until: isNotDueSoon },
  );
  const above = (
    <Link to="/p/$partner/webhooks/deliveries" params={{ partner }}>
      Deliveries
    </Link>
  );
  return (
    <Loaded
      query={query}
      lines={12}
      denied={<Denied resource="deliveries" method="get" />}
      missing={<NotKept name="delivery" />}
      frame={(shown) => (
        <Page title="Delivery" above={above}>
          {shown}
        </Page>
      )}
    >
      {({ data }) => <Inspector key={delivery} delivery={data} above={above} />}
    </Loaded>
  );
}

type Props = { delivery: DeliveryWithAttempts; above: React.ReactNode };

function Inspector({ delivery, above }: Props) {
  const { attempt } = useAsked();
  const navigate = useNavigate();
  const { can, partner } = useAccess();
  // The attempt that was the last one stays open when another one follows. After a replay the new one is
  // shown.
  const [opened, setOpened] = useState(() => delivery.attempts.at(-1)?.number);
  const endpoint = useRead(
    getWebhookEndpoint,
    { path: { id: partner, endpoint_id: delivery.endpoint_id } },
    { enabled: can('webhook_endpoints', 'get') },
  );
  const state = deliveryStates[delivery.state];
  const number = Number(attempt ?? opened);
  const chosen = delivery.attempts.find((attempt) => attempt.number === number) ?? delivery.attempts.at(-1);

  function showLast() {
    setOpened(undefined);
    void navigate({ to: '.', search: {}, replace: true });
  }

  return (
    <Page
      title={delivery.event_type}
      documentTitle={`Delivery ${delivery.id}`}
      above={above}
      beside={<Status {...state} />}
      about={state.about}
      action={
        can('deliveries', 'post') &&
        (isSendable(delivery) ? (
          <SendOne delivery={delivery} />
        ) : (
          isReplayable(delivery) && <Replay delivery={delivery} onReplayed={showLast} />
        ))
      }
    >
      <Why delivery={delivery} endpoint={endpoint.data?.data} />
      <Facts>
        <Fact name="Endpoint">
          <EndpointLink
            id={delivery.endpoint_id}
            url={endpoint.data?.data.url}
            isDeleted={isCode(endpoint.error, 'not_found')}
          />
        </Fact>
        <Fact name="Event">
          {can('events', 'get') ? (
            <Link to="/p/$partner/webhooks/events/$event" params={{ partner, event: delivery.event_id }}>
              <code title={delivery.event_id}>{shortId(delivery.event_id)}</code>
            </Link>
          ) : (
            <Id id={delivery.event_id} />
          )}
        </Fact>
        <Fact name="Delivery" id={delivery.id} />
        <Fact name="Environment">{environments[delivery.environment]}</Fact>
        <Fact name="Published" at={delivery.created_at} />
        {delivery.completed_at !== null && <Fact name={state.label} at={delivery.completed_at} />}
        {delivery.next_attempt_at !== null && (
          <Fact name="Next attempt">
            <NextAttempt at={delivery.next_attempt_at} />
          </Fact>
        )}
      </Facts>
      <div className={css.panes}>
        <Section
          title={delivery.attempts.length === 1 ? 'One attempt' : `${delivery.attempts.length} attempts`}
        >
          <Attempts delivery={delivery} chosen={chosen?.number} />
        </Section>
        {chosen && <AttemptDetail key={chosen.number} delivery={delivery} attempt={chosen} />}
      </div>
    </Page>
  );
}

/** In place of waiting for its next attempt. */
function SendOne({ delivery }: Pick<Props, 'delivery'>) {
  const partner = usePartner();
  const { run, isRunning } = useWrite();
  const path = { id: partner, delivery_id: delivery.id };
  return (
    <Button
      look="primary"
      isBusy={isRunning}
      onClick={() => void run(sendDeliveryNow, { path }, { done: 'The next attempt is made now' })}
    >
      Send now
    </Button>
  );
}

function Replay({ delivery, onReplayed }: Pick<Props, 'delivery'> & { onReplayed: () => void }) {
  const partner = usePartner();
  const { run, isRunning } = useWrite();
  const path = { id: partner, delivery_id: delivery.id };
  const replay = async () =>
    (await run(replayDelivery, { path }, { done: 'A new round of attempts has begun' })) && onReplayed();
  return (
    <Button
      look={delivery.status === 'failed' ? 'primary' : 'secondary'}
      isBusy={isRunning}
      onClick={() => void replay()}
    >
      Replay the delivery
    </Button>
  );
}

type LinkProps = { id: string; url: string | undefined; isDeleted: boolean };
function EndpointLink({ id, url, isDeleted }: LinkProps) {
  const partner = usePartner();
  if (isDeleted) return <>Deleted ({id})</>;
  return (
    <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint: id }}>
      {url ?? id}
    </Link>
  );
}

/** The reason of the last failure in words, and what to do about it. */
function Why({ delivery, endpoint }: Pick<Props, 'delivery'> & { endpoint: WebhookEndpoint | undefined }) {
  const partner = usePartner();
  const last = delivery.attempts.at(-1);
  if (delivery.status === 'delivered' || delivery.status === 'cancelled' || last === undefined) return null;
  const outcome = attemptOutcome(last);
  if (outcome.reason === null) return null;
  return (
    <Banner
      tone={delivery.status === 'failed' ? 'bad' : 'warning'}
      title={`Attempt ${last.number} failed: ${outcome.label}`}
    >
      <p>
        {outcome.about} {outcome.advice}
      </p>
      {last.error !== null && (
        <p>
          <code>{last.error}</code>
        </p>
      )}
      {endpoint !== undefined && endpoint.status !== 'active' && (
        <p>
          The endpoint is {endpoint.status}, so nothing is sent.{' '}
          <Link to="/p/$partner/webhooks/endpoints/$endpoint" params={{ partner, endpoint: endpoint.id }}>
            Open the endpoint to resume it
          </Link>
        </p>
      )}
    </Banner>
  );
}
