// A receiver to copy, with its URL, the partner and the keys filled in, and webhooks to try it with.
import {
  getAttempt,
  listDeliveries,
  listWebhookEndpoints,
  testWebhookEndpoint,
  type WebhookEndpoint,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { useAsked, usePartner } from '#app/address.ts';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { environments } from '#messages/webhooks.ts';
import { Button } from '#ui/button.tsx';
import { Banner, Loaded, Skeleton } from '#ui/feedback/feedback.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { Columns, Page, Section, Stack } from '#ui/layout/page.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Time } from '#ui/text/text.tsx';
import { toCurl } from '../shared/http-text.ts';

/** The port of the receivers. As Concord writes it, since it is signed. */
const here = 'http://localhost:8080/';

const Receiver = lazy(async () => ({ default: (await import('./receiver.tsx')).Receiver }));

export function QuickstartPage() {
  const partner = usePartner();
  const query = useRead(listWebhookEndpoints, { path: { id: partner }, query: { page_size: 100 } });
  return (
    <Page
      title="Quickstart"
      about="A receiver that verifies webhooks: choose where it runs and the language, copy, run."
    >
      <Loaded query={query} lines={12} denied={<Denied resource="webhook_endpoints" method="query" />}>
        {({ data }) => <Chosen endpoints={data.filter(({ listener }) => !listener)} />}
      </Loaded>
    </Page>
  );
}

function Chosen({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const { endpoint: asked, language } = useAsked();
  const navigate = useNavigate();
  const { can, partner } = useAccess();
  const endpoint = endpoints.find(({ id }) => id === asked);
  const { url, environment } = endpoint ?? { url: here, environment: 'sandbox' };
  const jwks = `${window.location.origin}${environment === 'sandbox' ? '/sandbox' : ''}/.well-known/jwks.json`;
  const change = (next: object) =>
    void navigate({
      to: '.',
      search: (old) => ({ ...old, ...next }),
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <Columns>
        <SelectField
          name="endpoint"
          label="Endpoint"
          value={endpoint?.id ?? ''}
          onChange={({ target }) => change({ endpoint: target.value || undefined })}
          options={[
            { value: '', label: 'This computer, by the command line (sandbox)' },
            ...endpoints.map((one) => ({
              value: one.id,
              label: `${one.url} (${environments[one.environment]})`,
            })),
          ]}
          help="Its URL is signed, so the receiver must know it exactly."
        />
        <Code label={`Public keys, ${environment}`} text={jwks} />
      </Columns>
      {endpoint && <Content endpoint={endpoint} />}
      <Suspense fallback={<Skeleton lines={12} />}>
        <Receiver
          language={language}
          place={{ url, partner, jwks }}
          onChoose={(language) => change({ language })}
        />
      </Suspense>
      {endpoint === undefined ? (
        <CommandLine here={here} />
      ) : (
        can('deliveries', 'get') && can('deliveries', 'query') && <Sample endpoint={endpoint} />
      )}
    </>
  );
}

/** What the receiver of this endpoint gets that is not one whole event. */
function Content({ endpoint: { batch, payload } }: { endpoint: WebhookEndpoint }) {
  return (
    <>
      {batch && (
        <Banner tone="info">
          This endpoint gets arrays of up to {batch.max_events} events. The JavaScript receivers call the
          handler for each event. In another language, read the array after the verification, and check the
          partner of each event.
        </Banner>
      )}
      {payload === 'thin' && (
        <Banner tone="info">
          This endpoint gets events without their data. Fetch it with GET /partners/{'{id}'}/events/
          {'{event_id}'}.
        </Banner>
      )}
    </>
  );
}

/** `here`: where the receiver listens. */
function CommandLine({ here }: { here: string }) {
  const partner = usePartner();
  const { origin } = window.location;
  return (
    <Section
      title="The command line"
      about={`It fetches sandbox webhooks and forwards them to the receiver. You need Node 20 or later. If you may not install, write npx ${origin}/packages/cli.tgz in place of concord.`}
    >
      <Stack>
        <Code
          label="Once"
          text={`npm install --global ${origin}/packages/cli.tgz\nconcord login --url ${origin} --partner ${partner}`}
        />
        <Code label="While the receiver runs" text={`concord listen --forward-to ${here}`} />
        <Code label="In another terminal: send an event" text="concord trigger inventory.updated" />
      </Stack>
    </Section>
  );
}

const listening = 'http://127.0.0.1:8080/';

/** A signed request for a receiver on this computer: the last one that the endpoint got. */
function Sample({ endpoint }: { endpoint: WebhookEndpoint }) {
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
          <Code label="Run it beside the receiver" text={toCurl({ ...attempt.request, url: listening })} />
        </>
      ) : (
        <Soft>Nothing was sent to this endpoint yet.</Soft>
      )}
    </Section>
  );
}
