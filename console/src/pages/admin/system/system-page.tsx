// System: what runs here, whether its parts are well, and where its documents are.
import { type ConsoleSettings, getPlatformStatus, getReadiness, type PlatformStatus } from '@concord/client';
import type { ReactNode } from 'react';
import { useRead } from '#api/read.ts';
import { useSettings } from '#app/settings.ts';
import { formatBytes, formatCount, formatNumber } from '#format/numbers.ts';
import { formatDuration } from '#format/time.ts';
import type { State } from '#messages/state.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Fact, Facts, Faint, Status } from '#ui/text/text.tsx';
import { Instances } from '../instances.tsx';
import { nameDifference } from '../messages.ts';
import { countWorkers, isClockWrong, isMailOld } from '../status.ts';

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

type Part = State & { name: string; about: ReactNode };

function partsOf(status: PlatformStatus, isReady: boolean, settings: ConsoleSettings | null): Part[] {
  const { database, mail, clock_difference_ms } = status;
  const isFiles = settings?.mail.kind === 'files';
  const place = isFiles
    ? `There is no mail server: each mail becomes a file in ${settings.mail.folder ?? 'the folder outbox of the data directory'}.`
    : '';
  const workers = countWorkers(status);
  const mailAge = mail.oldest_age_seconds ?? 0;
  const isClockRight = !isClockWrong(status);
  const isMailWell = mail.failing === 0 && !isMailOld(status);
  return [
    {
      name: 'API',
      tone: isReady ? 'good' : 'bad',
      label: isReady ? 'Ready' : 'Not ready',
      about: 'It answers, and can read the database.',
    },
    {
      name: 'Database',
      tone: database.writable ? 'good' : 'bad',
      label: database.writable ? 'Writable' : 'Read only',
      about: `${formatNumber(database.connections)} of ${formatNumber(database.max_connections)} connections are in use.`,
    },
    {
      name: 'Workers',
      tone: workers > 0 ? 'good' : 'bad',
      label: workers > 0 ? 'Running' : 'None runs',
      about:
        workers > 0
          ? `${formatCount(workers, 'instance delivers', 'instances deliver')} webhooks.`
          : 'Nothing is delivered.',
    },
    {
      name: 'Mail',
      tone: isMailWell && !isFiles ? 'good' : 'warning',
      label: mail.failing > 0 ? 'Fails' : !isMailWell ? 'Waits' : isFiles ? 'No mail server' : 'Works',
      about: `${mail.waiting === 0 ? 'No mail waits.' : `${formatCount(mail.waiting, 'mail waits', 'mails wait')}, the oldest for ${formatDuration(mailAge)}. ${formatNumber(mail.failing)} failed so far.`} ${place}`,
    },
    {
      name: 'Clock',
      tone: isClockRight ? 'good' : 'warning',
      label: isClockRight ? 'Right' : 'Differs',
      about: nameDifference(clock_difference_ms),
    },
  ];
}

function Health({ status, isReady }: { status: PlatformStatus; isReady: boolean }) {
  const settings = useSettings();
  return (
    <Table
      label="Health"
      rows={partsOf(status, isReady, settings)}
      keyOf={({ name }) => name}
      columns={[
        {
          name: 'Part',
          cell: ({ name, about }) => (
            <>
              {name}
              <br />
              <Faint>{about}</Faint>
            </>
          ),
        },
        { name: 'State', cell: (part) => <Status {...part} /> },
      ]}
    />
  );
}
