// Requests to the API and published events, of all instances, over the period.
import { type Traffic as Counts, getPlatformTraffic } from '@concord/client';
import { useMemo } from 'react';
import { useRead } from '#api/read.ts';
import { formatNumber, formatShare } from '#format/numbers.ts';
import { Chart } from '#ui/chart/chart.tsx';
import { PeriodTabs, usePeriod } from '#ui/chart/period.tsx';
import type { Series } from '#ui/chart/plot.tsx';
import { timesOf } from '#ui/chart/steps.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Columns, Section, Stack, Tile, Tiles } from '#ui/layout/page.tsx';

export function Traffic() {
  const query = useRead(getPlatformTraffic, { query: usePeriod().query }, { live: true });
  return (
    <Section title="Requests and events">
      <PeriodTabs />
      <Loaded query={query} lines={8}>
        {({ data }) => <Shown counts={data} />}
      </Loaded>
    </Section>
  );
}

function Shown({ counts }: { counts: Counts }) {
  const { requests, client_errors, server_errors, events } = counts;
  const charts = useMemo(() => chartsOf(counts), [counts]);
  return (
    <Stack>
      <Tiles>
        <Tile name="Requests">{formatNumber(requests)}</Tile>
        <Tile name="Refused (4xx)" about={`${formatShare(client_errors, requests)} of the requests`}>
          {formatNumber(client_errors)}
        </Tile>
        <Tile name="Server errors (5xx)" about={`${formatShare(server_errors, requests)} of the requests`}>
          {formatNumber(server_errors)}
        </Tile>
        <Tile name="Published events">{formatNumber(events)}</Tile>
      </Tiles>
      <Columns>
        <Chart
          label="Requests"
          times={charts.times}
          series={charts.requests}
          format={formatNumber}
          isStacked
        />
        <Chart
          label="Published events"
          times={charts.times}
          series={charts.events}
          format={formatNumber}
          isStacked
        />
      </Columns>
    </Stack>
  );
}

function chartsOf(counts: Counts): {
  times: readonly string[];
  requests: readonly Series[];
  events: readonly Series[];
} {
  const times = timesOf(counts);
  const known = new Map(counts.steps.map((step) => [Date.parse(step.at), step]));
  const steps = times.map((at) => known.get(Date.parse(at)));
  const values = (read: (step: Counts['steps'][number]) => number) =>
    steps.map((step) => (step === undefined ? 0 : read(step)));
  return {
    times,
    requests: [
      {
        name: 'Answered',
        tone: 'good',
        values: values((step) => step.requests - step.client_errors - step.server_errors),
      },
      { name: '4xx', tone: 'warning', values: values((step) => step.client_errors) },
      { name: '5xx', tone: 'bad', values: values((step) => step.server_errors) },
    ],
    events: [{ name: 'Events', tone: 'accent', values: values((step) => step.events) }],
  };
}
