// A receiver to copy, with the URL, the partner and the keys of one endpoint, and a signed request to try it
// with.
import { listWebhookEndpoints, type WebhookEndpoint } from '@concord/client';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useRead } from '../../../api/read.ts';
import { Denied } from '../../../app/denied.tsx';
import { useAccess } from '../../../app/session.ts';
import { toCommand } from '../../../format/command.ts';
import { environments } from '../../../messages/webhooks.ts';
import { PageButton } from '../../../ui/button/button.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded, Skeleton } from '../../../ui/feedback/loaded.tsx';
import { SelectField } from '../../../ui/form/field.tsx';
import { Columns, Page } from '../../../ui/layout/page.tsx';
import { Code } from '../../../ui/text/code.tsx';
import { Sample } from './sample.tsx';

const Receiver = lazy(async () => ({ default: (await import('./receiver.tsx')).Receiver }));

export function QuickstartPage() {
  const { partner } = useParams({ strict: false }) as { partner: string };
  const query = useRead(listWebhookEndpoints, { path: { id: partner }, query: { page_size: 100 } });
  return (
    <Page
      title="Quickstart"
      about="A receiver for one of your endpoints: choose the endpoint and the language, copy, run."
    >
      <Loaded
        query={query}
        lines={12}
        denied={<Denied partner={partner} resource="webhook_endpoints" method="query" />}
      >
        {({ data }) =>
          data.length === 0 ? (
            <Empty
              action={
                <PageButton
                  look="primary"
                  to="/p/$partner/webhooks/endpoints"
                  params={{ partner }}
                  search={{ create: 'yes' } as never}
                >
                  Create an endpoint
                </PageButton>
              }
              command={toCommand({
                method: 'POST',
                path: `/partners/${partner}/webhook-endpoints`,
                body: { url: 'https://hooks.example.com/concord', environment: 'sandbox' },
              })}
            >
              Create an endpoint first: its URL is part of what is signed.
            </Empty>
          ) : (
            <Chosen partner={partner} endpoints={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Chosen({ partner, endpoints }: { partner: string; endpoints: readonly WebhookEndpoint[] }) {
  const search = useSearch({ strict: false }) as { endpoint?: string; language?: string };
  const navigate = useNavigate();
  const { can } = useAccess(partner);
  const endpoint = endpoints.find(({ id }) => id === search.endpoint) ?? endpoints[0];
  if (endpoint === undefined) return null;
  const { id, url, environment } = endpoint;
  const jwks = `${window.location.origin}${environment === 'sandbox' ? '/sandbox' : ''}/.well-known/jwks.json`;
  const change = (next: object) =>
    void navigate({
      to: '.',
      search: (old: object) => ({ ...old, ...next }) as never,
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      <Columns>
        <SelectField
          name="endpoint"
          label="Endpoint"
          value={id}
          onChange={({ target }) => change({ endpoint: target.value })}
          options={endpoints.map((one) => ({
            value: one.id,
            label: `${one.url} (${environments[one.environment]})`,
          }))}
          help="Its URL is signed, so the receiver must know it exactly."
        />
        <Code label={`Public keys, ${environment}`} text={jwks} isJson />
      </Columns>
      <Suspense fallback={<Skeleton lines={12} />}>
        <Receiver
          language={search.language}
          place={{ url, partner, jwks }}
          onChoose={(language) => change({ language })}
        />
      </Suspense>
      {can('deliveries', 'get') && can('deliveries', 'query') && (
        <Sample partner={partner} endpoint={endpoint} />
      )}
    </>
  );
}
