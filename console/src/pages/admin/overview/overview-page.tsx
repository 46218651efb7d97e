// Platform: the state of the whole installation, now and over a period.
import {
  getPlatformStats,
  getPlatformStatus,
  getPlatformTraffic,
  listFailingEndpoints,
  type PlatformStatus,
  type Stats,
} from '@concord/client';
import { useRead } from '#api/read.ts';
import { formatBytes, formatCount, formatNumber, formatShare } from '#format/numbers.ts';
import { formatDuration, formatOldest } from '#format/time.ts';
import { AnswerTime, OutcomeCharts } from '#ui/chart/outcome-charts.tsx';
import { PeriodTabs, usePeriod } from '#ui/chart/period.tsx';
import { Banner, Loaded, Skeleton } from '#ui/feedback/feedback.tsx';
import { Page, Section, Stack, Tile, Tiles } from '#ui/layout/page.tsx';
import { mostPending } from '../../webhooks/sending/words.ts';
import { Failures } from '../../webhooks/shared/failures.tsx';
import { lastHour, ManyFailures } from '../../webhooks/shared/many-failures.tsx';
import { Instances } from '../instances.tsx';
import { nameDifference } from '../messages.ts';
import { countWorkers, isClockWrong, isMailOld } from '../status.ts';
import { FailingEndpoints } from './failing-endpoints.tsx';
import { Held } from './held.tsx';
import { Traffic } from './traffic.tsx';

const about = 'The state of this installation, for all partners together.';

export function PlatformPage() {
  const query = usePeriod();
  const status = useRead(getPlatformStatus, {}, { live: true });
  const stats = useRead(getPlatformStats, { query }, { live: true });
  const hour = useRead(getPlatformStats, { query: lastHour() }, { live: true });
  const failing = useRead(listFailingEndpoints, {}, { live: true });
  const traffic = useRead(getPlatformTraffic, { query }, { live: true });
  // Trouble stands above everything else, so the page appears with it.
  if ([status, stats, hour, failing, traffic].some(({ isPending }) => isPending))
    return (
      <Page title="Platform" about={about}>
        <Skeleton lines={16} />
      </Page>
    );
  return (
    <Page title="Platform" about={about}>
      <Held />
      <Loaded query={status} lines={3}>
        {({ data }) => (
          <>
            <Troubles status={data} />
            <ManyFailures stats={hour.data?.data} />
            <FailingEndpoints />
            <Now status={data} />
          </>
        )}
      </Loaded>
      {/* Of both sections below. */}
      <PeriodTabs />
      <Traffic />
      <Section title="Deliveries">
        <Loaded query={stats} lines={8}>
          {({ data }) => <Deliveries stats={data} />}
        </Loaded>
      </Section>
      <Loaded query={status} lines={3}>
        {({ data }) => (
          <Section title="Instances">
            <Instances instances={data.instances} />
          </Section>
        )}
      </Loaded>
    </Page>
  );
}

function Now({ status }: { status: PlatformStatus }) {
  const { backlog, mail, database, instances } = status;
  const running = instances.filter(({ alive }) => alive);
  return (
    <Tiles>
      <Tile name="Pending deliveries" about={ageOf(backlog.oldest_pending_age_seconds)}>
        {formatNumber(backlog.pending)}
        {backlog.pending >= mostPending && '+'}
      </Tile>
      <Tile name="Instances" about={formatCount(countWorkers(status), 'worker', 'workers')}>
        {formatNumber(running.length)}
      </Tile>
      <Tile
        name="Database"
        about={`${formatNumber(database.connections)} of ${formatNumber(database.max_connections)} connections`}
      >
        {formatBytes(database.size_bytes)}
      </Tile>
      <Tile name="Mail waiting" about={ageOf(mail.oldest_age_seconds)}>
        {formatNumber(mail.waiting)}
      </Tile>
    </Tiles>
  );
}
const ageOf = (seconds: number | null): string =>
  seconds === null ? 'Nothing waits' : formatOldest(seconds);

function Deliveries({ stats }: { stats: Stats }) {
  const { attempts, delivered } = stats;
  const failed = attempts - delivered;
  const shareOf = (part: number) => attempts > 0 && `${formatShare(part, attempts)} of the attempts`;
  return (
    <Stack>
      <Tiles>
        <Tile name="Attempts">{formatNumber(attempts)}</Tile>
        <Tile name="Delivered" about={shareOf(delivered)}>
          {formatNumber(delivered)}
        </Tile>
        <Tile name="Failed" about={shareOf(failed)}>
          {formatNumber(failed)}
        </Tile>
        <AnswerTime stats={stats} />
      </Tiles>
      <OutcomeCharts stats={stats} />
      <Failures stats={stats} tells="about" />
    </Stack>
  );
}

/** A backlog can be as old as the longest delay between two tries, and nothing is wrong. Past this, look. */
const oldBacklogSeconds = 86_400;
const fullShare = 0.9;

function findTroubles(status: PlatformStatus): string[] {
  const { database, mail, clock_difference_ms, backlog } = status;
  const { connections, max_connections } = database;
  const backlogAge = backlog.oldest_pending_age_seconds ?? 0;
  const mailAge = mail.oldest_age_seconds ?? 0;
  const rules: readonly [boolean, string][] = [
    [!database.writable, 'The database can only be read. Nothing can be changed or delivered.'],
    [countWorkers(status) === 0, 'No worker runs, so nothing is delivered.'],
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
    [isMailOld(status) && mail.failing === 0, `A mail has waited for ${formatDuration(mailAge)}.`],
    [isClockWrong(status), nameDifference(clock_difference_ms)],
  ];
  return rules.filter(([applies]) => applies).map(([, text]) => text);
}

/** What an operator should look at now, in a sentence each. Nothing is shown when all is well. */
function Troubles({ status }: { status: PlatformStatus }) {
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
