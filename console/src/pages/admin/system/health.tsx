// Whether each part of the installation is well, in words.
import type { ConsoleSettings, PlatformStatus } from '@concord/client';
import type { ReactNode } from 'react';
import { useSettings } from '#app/settings.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { formatDuration } from '#format/time.ts';
import type { State } from '#messages/state.ts';
import { Table } from '#ui/table/table.tsx';
import { Faint, Status } from '#ui/text/text.tsx';
import { nameDifference } from '../messages.ts';

type Part = State & { name: string; about: ReactNode };

const clockWarningMs = 1_000;
const oldMailSeconds = 900;

function partsOf(
  { database, mail, instances, clock_difference_ms }: PlatformStatus,
  isReady: boolean,
  settings: ConsoleSettings | null,
): Part[] {
  const isFiles = settings?.mail.kind === 'files';
  const place = isFiles
    ? `There is no mail server: each mail becomes a file in ${settings.mail.folder ?? 'the folder outbox of the data directory'}.`
    : '';
  const workers = instances.filter(({ alive, role }) => alive && role !== 'api').length;
  const mailAge = mail.oldest_age_seconds ?? 0;
  const isClockRight = Math.abs(clock_difference_ms) <= clockWarningMs;
  const isMailWell = mail.failing === 0 && mailAge <= oldMailSeconds;
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

export function Health({ status, isReady }: { status: PlatformStatus; isReady: boolean }) {
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
