// Step 6: a test event, and what became of it.
import {
  type Delivery,
  listDeliveries,
  listSandboxReceiverRequests,
  testWebhookEndpoint,
} from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { formatJson } from '#format/json.ts';
import { deliveryStates } from '#messages/webhooks.ts';
import { Button, PageButton } from '#ui/button.tsx';
import { Unread } from '#ui/feedback/feedback.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Status } from '#ui/text/text.tsx';
import { Next } from './next-button.tsx';
import { useProgress } from './steps.ts';

export function TestStep() {
  const { partner, endpoint, event } = useProgress().made;
  if (partner === undefined || endpoint === undefined) {
    return (
      <Section
        title="You can start"
        about="You skipped the partner or its endpoint, so there is nothing to send a test event to."
      >
        <Row>
          <PageButton to="/" look="primary">
            Go to Concord
          </PageButton>
        </Row>
        <Next look="secondary" to={partner === undefined ? 'partner' : 'endpoint'}>
          Go back to what you skipped
        </Next>
      </Section>
    );
  }
  return (
    <Section title="Send a test event" about="Concord signs an example event and sends it to the endpoint.">
      {event !== undefined && <Outcome partner={partner} event={event} />}
      <Send partner={partner} endpoint={endpoint} isFirst={event === undefined} />
    </Section>
  );
}

function Send({ partner, endpoint, isFirst }: { partner: string; endpoint: string; isFirst: boolean }) {
  const progress = useProgress();
  const { isRunning, run } = useWrite();
  return (
    <Row>
      {!isFirst && (
        <PageButton to="/p/$partner" params={{ partner }} look="primary">
          Open the partner
        </PageButton>
      )}
      <Button
        look={isFirst ? 'primary' : 'secondary'}
        isBusy={isRunning}
        onClick={async () => {
          const sent = await run(testWebhookEndpoint, { path: { id: partner, endpoint_id: endpoint } });
          if (sent !== undefined) progress.to('test', { event: sent.id });
        }}
      >
        {isFirst ? 'Send a test event' : 'Send another one'}
      </Button>
      {isFirst && <PageButton to="/">Finish without it</PageButton>}
    </Row>
  );
}

const isOver = (deliveries: readonly Delivery[]): boolean =>
  deliveries.length > 0 && deliveries.every(({ status }) => status !== 'pending');

function Outcome({ partner, event }: { partner: string; event: string }) {
  const path = { id: partner };
  const deliveries = useRead(
    listDeliveries,
    { path, query: { 'filter[event_id]': event, page_size: 5 } },
    { until: isOver },
  );
  const delivery = deliveries.data?.data[0];
  if (delivery === undefined) return <Unread query={deliveries} lines={3} />;
  const state = deliveryStates[delivery.state];
  return (
    <>
      <div aria-live="polite">
        <Status {...state} />
        <p>{state.about}</p>
      </div>
      {delivery.status === 'delivered' && <Received partner={partner} event={event} />}
      <p>
        <Link to="/p/$partner/webhooks/deliveries/$delivery" params={{ partner, delivery: delivery.id }}>
          See the request and the response
        </Link>
      </p>
      {delivery.status === 'delivered' && (
        <p>
          Concord works. Next,{' '}
          <Link to="/p/$partner/people" params={{ partner }}>
            invite the partner's people
          </Link>
          , or connect a receiver of your own with the{' '}
          <Link to="/p/$partner/webhooks/quickstart" params={{ partner }}>
            quickstart
          </Link>
          .
        </p>
      )}
    </>
  );
}

/** What the sandbox receiver kept. An endpoint of one's own has it instead. */
function Received({ partner, event }: { partner: string; event: string }) {
  const requests = useRead(listSandboxReceiverRequests, { path: { id: partner } });
  const request = requests.data?.data.find(({ verification }) => verification.event_id === event);
  if (request === undefined) return null;
  return (
    <>
      {request.verification.verified ? (
        <Status tone="good">The signature is valid</Status>
      ) : (
        <p>The signature is not valid: {request.verification.reason}</p>
      )}
      <Code label="What the receiver got" text={formatJson(request.body)} isJson />
    </>
  );
}
