// Requests to the API and published events, of all instances, over the period.
import { type Traffic as Counts, getPlatformTraffic } from '@concord/client';
import { useRead } from '#api/read.ts';
import { formatNumber, formatShare } from '#format/numbers.ts';
import { Chart } from '#ui/chart/chart.tsx';
import { usePeriod } from '#ui/chart/period.tsx';
import type { Series } from '#ui/chart/plot.tsx';
import { fillSteps } from '#ui/chart/steps.ts';
import { Loaded } from '#ui/feedback/feedback.tsx';
import { Columns, Section, Stack, Tile, Tiles } from '#ui/layout/page.tsx';

export function Traffic() {
  const query = useRead(getPlatformTraffic, { query: usePeriod() }, { live: true });
  return (
    <Section title="Requests and events">
      <Loaded query={query} lines={8}>
        {({ data }) => <Shown counts={data} />}
      </Loaded>
    </Section>
  );
}

const nothing = { requests: 0, client_errors: 0, server_errors: 0, events: 0 };

function Shown({ counts }: { counts: Counts }) {
  const { requests, client_errors, server_errors, events } = counts;
  const steps = fillSteps(counts, nothing);
  const times = steps.map(({ at }) => at);
  const answers: Series[] = [
    {
      name: 'Answered',
      tone: 'good',
      values: steps.map((step) => step.requests - step.client_errors - step.server_errors),
    },
    { name: '4xx', tone: 'warning', values: steps.map((step) => step.client_errors) },
    { name: '5xx', tone: 'bad', values: steps.map((step) => step.server_errors) },
  ];
  const published: Series[] = [{ name: 'Events', tone: 'accent', values: steps.map((step) => step.events) }];
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
        <Chart label="Requests" times={times} series={answers} format={formatNumber} isStacked />
        <Chart label="Published events" times={times} series={published} format={formatNumber} isStacked />
      </Columns>
    </Stack>
  );
}
