// System: what runs here, whether its parts are well, and where its documents are.
import { getPlatformStatus, getReadiness } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useSettings } from '#app/settings.ts';
import { formatBytes, formatNumber } from '#format/numbers.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { Instances } from '../instances.tsx';
import { Health } from './health.tsx';

export function SystemPage() {
  const status = useRead(getPlatformStatus, {}, { live: true });
  const ready = useRead(getReadiness, {}, { live: true });
  return (
    <Page
      title="System"
      about="What runs here, and whether its parts are well. It is read again every 10 seconds."
    >
      <Loaded query={status} lines={8}>
        {({ data }) => (
          <>
            <Facts>
              <Fact name="Version of Concord">
                <code>{data.version}</code>
              </Fact>
              <Fact name="PostgreSQL">
                <code>{data.database.server_version}</code>
              </Fact>
              <Fact name="Size of the database">{formatBytes(data.database.size_bytes)}</Fact>
              <Fact name="Instances that run">
                {formatNumber(data.instances.filter(({ alive }) => alive).length)}
              </Fact>
            </Facts>
            <Section title="Health">
              <Health status={data} isReady={ready.isError ? false : ready.data !== undefined} />
            </Section>
            <Section
              title="Instances"
              about="Each has a heartbeat every 5 seconds. One without a heartbeat for 20 seconds counts as stopped."
            >
              <Instances instances={data.instances} />
            </Section>
          </>
        )}
      </Loaded>
      {/* Below what has another height before it is read. */}
      {!status.isPending && <Settings />}
    </Page>
  );
}

/** What every instance is started with. Secrets are in none of it. */
function Settings() {
  const settings = useSettings();
  if (settings === null) return null;
  const { base_url, mail, providers } = settings;
  return (
    <>
      <Section
        title="Settings"
        about="Each instance takes them from environment variables when it starts. Secrets are not shown."
      >
        <Facts>
          <Fact name="Base URL">{base_url}</Fact>
          <Fact name="Mail">
            {mail.kind === 'smtp' ? 'By a mail server' : 'As files, without a mail server'}
          </Fact>
          <Fact name="Sign-in with">{['Password', ...providers.map(({ name }) => name)].join(', ')}</Fact>
        </Facts>
      </Section>
      <Section title="Addresses">
        <Table
          label="Addresses"
          rows={addresses}
          keyOf={({ path }) => path}
          columns={[
            { name: 'What', cell: ({ name, path }) => <a href={path}>{name}</a> },
            { name: 'Address', cell: ({ path }) => <code>{`${base_url}${path}`}</code>, isSecondary: true },
          ]}
        />
      </Section>
    </>
  );
}

const addresses: readonly { name: string; path: string }[] = [
  { name: 'API documentation', path: '/docs' },
  { name: 'OpenAPI document', path: '/openapi.json' },
  { name: 'Keys of live webhooks', path: '/.well-known/jwks.json' },
  { name: 'Keys of sandbox webhooks', path: '/sandbox/.well-known/jwks.json' },
  { name: 'Packages for npm', path: '/packages' },
];
