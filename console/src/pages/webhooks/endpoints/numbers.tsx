// The numbers of an endpoint in a period: outcomes, latency, and why attempts failed.
import { type EndpointStats, getWebhookEndpointStats } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useAsked, usePartner } from '#app/address.ts';
import { formatMs, formatNumber, formatShare } from '#format/numbers.ts';
import { formatOldest } from '#format/time.ts';
import { attemptReasons, filterOfReason, type Reason } from '#messages/webhooks.ts';
import { Chart } from '#ui/chart/chart.tsx';
import type { Series } from '#ui/chart/plot.tsx';
import { fillStats, latenciesOf, queryOf } from '#ui/chart/steps.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { Columns, Section, Tile, Tiles } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';

const hourMs = 3_600_000;
const ranges = {
  '1h': { label: 'Last hour', lengthMs: hourMs, step: '1m' },
  '24h': { label: 'Last 24 hours', lengthMs: 24 * hourMs, step: '1h' },
  '7d': { label: 'Last 7 days', lengthMs: 168 * hourMs, step: '6h' },
  '30d': { label: 'Last 30 days', lengthMs: 720 * hourMs, step: '1d' },
  '90d': { label: 'Last 90 days', lengthMs: 2_160 * hourMs, step: '1d' },
} as const;
type Range = keyof typeof ranges;
const isRange = (text: string | undefined): text is Range => text !== undefined && text in ranges;

export function Numbers({ endpoint }: { endpoint: string }) {
  const partner = usePartner();
  const { range } = useAsked();
  const navigate = useNavigate();
  const name: Range = isRange(range) ? range : '24h';
  const query = useRead(
    getWebhookEndpointStats,
    { path: { id: partner, endpoint_id: endpoint }, query: queryOf(ranges[name]) },
    { live: true },
  );
  return (
    <Section
      title="Statistics"
      action={
        <SelectField
          name="range"
          label="Period"
          hidesLabel
          value={name}
          onChange={({ target }) =>
            void navigate({
              to: '.',
              search: (old) => ({ ...old, range: target.value === '24h' ? undefined : target.value }),
              replace: true,
              resetScroll: false,
            })
          }
          options={ranges}
        />
      }
    >
      <Loaded query={query} lines={10}>
        {({ data }) => <Shown stats={data} />}
      </Loaded>
    </Section>
  );
}

function Shown({ stats }: { stats: EndpointStats }) {
  const { attempts, delivered, filtered, p50_ms, p95_ms, pending, oldest_pending_age_seconds } = stats;
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
        <Tile name="Answer time" about={`95% within ${formatMs(p95_ms)}`}>
          {formatMs(p50_ms)}
        </Tile>
        <Tile
          name="Pending now"
          {...(oldest_pending_age_seconds !== null && {
            about: formatOldest(oldest_pending_age_seconds),
          })}
        >
          {formatNumber(pending)}
        </Tile>
      </Tiles>
      {attempts > 0 && <Charts stats={stats} />}
      {stats.failed.length > 0 && <Failures stats={stats} />}
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
      <Chart label="Time to answer" times={times} series={latenciesOf(steps)} format={formatMs} />
    </Columns>
  );
}

function Failures({ stats }: { stats: EndpointStats }) {
  const partner = usePartner();
  return (
    <Table
      label="Why attempts failed"
      rows={stats.failed.toSorted((one, other) => other.count - one.count)}
      keyOf={({ reason }) => reason}
      columns={[
        {
          name: 'Why attempts failed',
          cell: ({ reason }) => (
            <Link
              to="/p/$partner/webhooks/deliveries"
              params={{ partner }}
              search={{ endpoint_id: stats.endpoint_id, ...filterOfReason(reason) }}
            >
              {attemptReasons[reason].label}
            </Link>
          ),
        },
        { name: 'What to do', cell: ({ reason }) => attemptReasons[reason].advice, isSecondary: true },
        { name: 'Attempts', cell: ({ count }) => formatNumber(count), isNumber: true },
        { name: 'Share', cell: ({ count }) => formatShare(count, stats.attempts), isNumber: true },
      ]}
    />
  );
}
