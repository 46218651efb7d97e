// The outcomes and the answer times of attempts over time, side by side.
import type { Stats } from '@concord/client';
import { formatMs, formatNumber } from '#format/numbers.ts';
import { Columns, Tile } from '../layout/page.tsx';
import { Chart } from './chart.tsx';
import type { Series } from './plot.tsx';
import { fillStats, latenciesOf } from './steps.ts';

type Props = { stats: Pick<Stats, 'p50_ms' | 'p95_ms'> };

export const AnswerTime = ({ stats: { p50_ms, p95_ms } }: Props) => (
  <Tile name="Answer time" about={p95_ms !== null && `95% within ${formatMs(p95_ms)}`}>
    {formatMs(p50_ms)}
  </Tile>
);

/** Nothing without attempts. */
export function OutcomeCharts({ stats }: { stats: Stats }) {
  if (stats.attempts === 0) return null;
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
