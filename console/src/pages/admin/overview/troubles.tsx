// What an operator should look at now, in a sentence each. Nothing is shown when all is well.
import type { PlatformStatus } from '@concord/client';
import { formatCount } from '#format/numbers.ts';
import { formatDuration } from '#format/time.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { nameDifference } from '../messages.ts';

/** A backlog can be as old as the longest delay between two tries, and nothing is wrong. Past this, look. */
const oldBacklogSeconds = 86_400;
const oldMailSeconds = 900;
const worstClockMs = 1_000;
const fullShare = 0.9;

function findTroubles({ database, instances, mail, clock_difference_ms, backlog }: PlatformStatus): string[] {
  const { connections, max_connections } = database;
  const backlogAge = backlog.oldest_pending_age_seconds ?? 0;
  const mailAge = mail.oldest_age_seconds ?? 0;
  const rules: readonly [boolean, string][] = [
    [!database.writable, 'The database can only be read. Nothing can be changed or delivered.'],
    [
      !instances.some(({ alive, role }) => alive && role !== 'api'),
      'No worker runs, so nothing is delivered.',
    ],
    [
      connections >= max_connections * fullShare,
      `The database has ${connections} of ${max_connections} possible connections.`,
    ],
    [
      backlogAge > oldBacklogSeconds,
      `The oldest pending delivery was published ${formatDuration(backlogAge)} ago.`,
    ],
    [
      mail.failing > 0,
      `${formatCount(mail.failing, 'mail', 'mails')} could not be sent yet. Check the mail server.`,
    ],
    [mailAge > oldMailSeconds && mail.failing === 0, `A mail has waited for ${formatDuration(mailAge)}.`],
    [Math.abs(clock_difference_ms) > worstClockMs, nameDifference(clock_difference_ms)],
  ];
  return rules.filter(([applies]) => applies).map(([, text]) => text);
}

export function Troubles({ status }: { status: PlatformStatus }) {
  const troubles = findTroubles(status);
  if (troubles.length === 0) return null;
  return (
    <Banner tone="warning">
      {troubles.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Banner>
  );
}
