// The outcomes and the answer times of attempts over time, side by side.
import type { Stats } from '@concord/client';
import { formatMs, formatNumber } from '#format/numbers.ts';
import { Columns } from '../layout/page.tsx';
import { Chart } from './chart.tsx';
import type { Series } from './plot.tsx';
import { fillStats, latenciesOf } from './steps.ts';

export function OutcomeCharts({ stats }: { stats: Stats }) {
  const steps = fillStats(stats);
  const times = steps.map(({ at }) => at);
  const outcomes: Series[] = [
    { name: 'Delivered', tone: 'good', values: steps.map(({ delivered }) => delivered) },
    { name: 'Failed', tone: 'bad', values: steps.map(({ attempts, delivered }) => attempts - delivered) },
  ];
  return (
    <Columns>
      <Chart label="Attempts" times={times} series={outcomes} format={formatNumber} isStacked />
      <Chart label="Answer time" times={times} series={latenciesOf(steps)} format={formatMs} />
    </Columns>
  );
}
