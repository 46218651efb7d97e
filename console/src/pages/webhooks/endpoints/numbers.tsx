// The numbers of an endpoint in a period: outcomes, latency, and why attempts failed.
import { type EndpointStats, getWebhookEndpointStats } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { formatMs, formatNumber, formatShare } from '#format/numbers.ts';
import { formatOldest } from '#format/time.ts';
import { attemptReasons, filterOfReason, type Reason } from '#messages/webhooks.ts';
import { Chart } from '#ui/chart/chart.tsx';
import { AnswerTime } from '#ui/chart/outcome-charts.tsx';
import { PeriodTabs, usePeriod } from '#ui/chart/period.tsx';
import type { Series } from '#ui/chart/plot.tsx';
import { fillStats, latenciesOf } from '#ui/chart/steps.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Columns, Section, Tile, Tiles } from '#ui/layout/page.tsx';
import { Failures } from '../shared/failures.tsx';

export function Numbers({ endpoint }: { endpoint: string }) {
  const path = { id: usePartner(), endpoint_id: endpoint };
  const query = useRead(getWebhookEndpointStats, { path, query: usePeriod() }, { live: true });
  return (
    <Section title="Statistics">
      <PeriodTabs />
      <Loaded query={query} lines={10}>
        {({ data }) => <Shown stats={data} />}
      </Loaded>
    </Section>
  );
}

function Shown({ stats }: { stats: EndpointStats }) {
  const partner = usePartner();
  const { attempts, delivered, filtered, pending, oldest_pending_age_seconds: age } = stats;
  return (
    <>
      <Tiles>
        <Tile name="Attempts" about={`${formatNumber(delivered)} delivered`}>
          {formatNumber(attempts)}
        </Tile>
        {filtered > 0 && (
          <Tile name="Filtered" about="Events that the filter kept back">
            {formatNumber(filtered)}
          </Tile>
        )}
        <Tile name="Success rate">{formatShare(delivered, attempts)}</Tile>
        <AnswerTime stats={stats} />
        <Tile name="Pending now" about={age !== null && formatOldest(age)}>
          {formatNumber(pending)}
        </Tile>
      </Tiles>
      {attempts > 0 && <Charts stats={stats} />}
      <Failures
        stats={stats}
        tells="advice"
        nameOf={(reason) => (
          <Link
            to="/p/$partner/webhooks/deliveries"
            params={{ partner }}
            search={{ endpoint_id: stats.endpoint_id, ...filterOfReason(reason) }}
          >
            {attemptReasons[reason].label}
          </Link>
        )}
      />
    </>
  );
}

const kinds = [
  { name: '4xx', tone: 'warning', has: (reason: Reason) => reason === 'status_4xx' },
  { name: '5xx', tone: 'bad', has: (reason: Reason) => reason === 'status_5xx' },
  { name: 'Other', tone: 'info', has: (reason: Reason) => !reason.startsWith('status_') },
] as const;

function Charts({ stats }: { stats: EndpointStats }) {
  const steps = fillStats(stats);
  const times = steps.map(({ at }) => at);
  const failures = kinds.map(({ name, tone, has }) => ({
    name,
    tone,
    values: steps.map(({ failed }) =>
      failed.reduce((sum, { reason, count }) => sum + (has(reason) ? count : 0), 0),
    ),
  }));
  const outcomes: Series[] = [
    { name: 'Delivered', tone: 'good', values: steps.map(({ delivered }) => delivered) },
    ...failures.filter(({ values }) => values.some((value) => value > 0)),
  ];
  return (
    <Columns>
      <Chart label="Attempts by outcome" times={times} series={outcomes} format={formatNumber} isStacked />
      <Chart label="Answer time" times={times} series={latenciesOf(steps)} format={formatMs} />
    </Columns>
  );
}
