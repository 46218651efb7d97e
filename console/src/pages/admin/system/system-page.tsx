// System: what runs here, whether its parts are well, and where its documents are.
import { getPlatformStatus, getReadiness, type PlatformStatus } from '@concord/client';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/read.ts';
import { formatBytes, formatCount, formatNumber } from '../../../format/numbers.ts';
import { formatDuration } from '../../../format/time.ts';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Page, Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Fact, Facts, Soft, Status } from '../../../ui/text/text.tsx';
import { Instances } from '../instances.tsx';
import type { StatusTone } from '../messages.ts';

export function SystemPage() {
  const status = useRead(getPlatformStatus, {}, { live: true });
  const ready = useRead(getReadiness, {}, { live: true });
  return (
    <Page title="System" about="What runs here, and whether its parts are well. It is read again every 10 seconds.">
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
              <Fact name="Instances that run">{formatNumber(data.instances.filter(({ alive }) => alive).length)}</Fact>
            </Facts>
            <Section title="Health">
              <Health status={data} isReady={ready.isError ? false : ready.data !== undefined} />
            </Section>
            <Section
              title="Instances"
              about="Each gives a sign of life every 5 seconds. One without a sign for 20 seconds counts as stopped."
            >
              <Instances instances={data.instances} />
            </Section>
          </>
        )}
      </Loaded>
      <Section title="Addresses">
        <Table label="Addresses" rows={addresses} keyOf={({ path }) => path} columns={addressColumns} />
      </Section>
      <Section title="Settings">
        <p>
          <Soft>
            Each instance takes its settings from environment variables when it starts. They hold secrets, so Concord does not
            show them here.
          </Soft>
        </p>
      </Section>
    </Page>
  );
}

type Part = { name: string; tone: StatusTone; state: string; about: ReactNode };

const clockWarningMs = 1_000;
const oldMailSeconds = 900;

function partsOf({ database, mail, instances, clock_difference_ms }: PlatformStatus, isReady: boolean): Part[] {
  const workers = instances.filter(({ alive, role }) => alive && role !== 'api').length;
  const mailAge = mail.oldest_age_seconds ?? 0;
  const isClockRight = Math.abs(clock_difference_ms) <= clockWarningMs;
  const isMailWell = mail.failing === 0 && mailAge <= oldMailSeconds;
  return [
    {
      name: 'API',
      tone: isReady ? 'good' : 'bad',
      state: isReady ? 'Ready' : 'Not ready',
      about: 'It answers, and can read the database.',
    },
    {
      name: 'Database',
      tone: database.writable ? 'good' : 'bad',
      state: database.writable ? 'Writable' : 'Read only',
      about: `${formatNumber(database.connections)} of ${formatNumber(database.max_connections)} connections are in use.`,
    },
    {
      name: 'Workers',
      tone: workers > 0 ? 'good' : 'bad',
      state: workers > 0 ? 'Running' : 'None runs',
      about:
        workers > 0 ? `${formatCount(workers, 'instance delivers', 'instances deliver')} webhooks.` : 'Nothing is delivered.',
    },
    {
      name: 'Mail',
      tone: isMailWell ? 'good' : 'warning',
      state: mail.failing > 0 ? 'Fails' : isMailWell ? 'Sends' : 'Waits',
      about:
        mail.waiting === 0
          ? 'No mail waits. Without a mail server, each mail becomes a file in the folder outbox of the data directory.'
          : `${formatCount(mail.waiting, 'mail waits', 'mails wait')}, the oldest for ${formatDuration(mailAge)}. ${formatNumber(mail.failing)} failed so far.`,
    },
    {
      name: 'Clock',
      tone: isClockRight ? 'good' : 'warning',
      state: isClockRight ? 'Right' : 'Differs',
      about: `${formatNumber(Math.round(clock_difference_ms))} ms from the clock of the database.`,
    },
  ];
}

function Health({ status, isReady }: { status: PlatformStatus; isReady: boolean }) {
  return (
    <Table
      label="Health"
      rows={partsOf(status, isReady)}
      keyOf={({ name }) => name}
      columns={[
        { name: 'Part', cell: ({ name }) => name },
        { name: 'State', cell: ({ tone, state }) => <Status tone={tone}>{state}</Status> },
        { name: 'What it means', cell: ({ about }) => about, isSecondary: true },
      ]}
    />
  );
}

const addresses: readonly { name: string; path: string }[] = [
  { name: 'API documentation', path: '/docs' },
  { name: 'OpenAPI document', path: '/openapi.json' },
  { name: 'Keys of live webhooks', path: '/.well-known/jwks.json' },
  { name: 'Keys of sandbox webhooks', path: '/sandbox/.well-known/jwks.json' },
];
type Address = (typeof addresses)[number];
const addressColumns = [
  { name: 'What', cell: ({ name, path }: Address) => <a href={path}>{name}</a> },
  { name: 'Address', cell: ({ path }: Address) => <code>{`${window.location.origin}${path}`}</code>, isSecondary: true },
];
