// A signed request for a receiver on this computer: the last one that the endpoint got.
import { getAttempt, listDeliveries, testWebhookEndpoint, type WebhookEndpoint } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { Button } from '#ui/button/button.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Time } from '#ui/text/text.tsx';
import { toCurl } from '../shared/http-text.ts';

const here = 'http://127.0.0.1:8080/';

export function Sample({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { can, partner } = useAccess();
  const { run, isRunning } = useWrite();
  const path = { id: partner, endpoint_id: endpoint.id };
  const isTestable =
    endpoint.environment === 'sandbox' && endpoint.status === 'active' && can('webhook_endpoints', 'post');
  const last = useRead(
    listDeliveries,
    {
      path: { id: partner },
      query: { page_size: 1, sort_by: 'id', sort_dir: 'desc', 'filter[endpoint_id]': endpoint.id },
    },
    { live: true },
  ).data?.data[0];
  const attempt = useRead(
    getAttempt,
    { path: { id: partner, delivery_id: last?.id ?? '', number: String(last?.attempt_count ?? 0) } },
    { enabled: last !== undefined && last.attempt_count > 0 },
  ).data?.data;
  return (
    <Section
      title="A signed sample"
      about="The last request to this endpoint, sent to this computer. Its signature is valid for five minutes."
      action={
        isTestable && (
          <Button
            isBusy={isRunning}
            onClick={() => void run(testWebhookEndpoint, { path }, { done: 'A test event is on its way' })}
          >
            Send a test event
          </Button>
        )
      }
    >
      {attempt?.request ? (
        <>
          <Soft>
            Signed <Time at={attempt.started_at} />
          </Soft>
          <Code label="Run it beside the receiver" text={toCurl({ ...attempt.request, url: here })} />
        </>
      ) : (
        <Soft>Nothing was sent to this endpoint yet.</Soft>
      )}
    </Section>
  );
}
