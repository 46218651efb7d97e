// The outcomes and the answer times of attempts over time, side by side.
import type { Stats } from '@concord/client';
import { useMemo } from 'react';
import { formatMs, formatNumber } from '#format/numbers.ts';
import { Columns } from '../layout/page.tsx';
import { Chart } from './chart.tsx';
import { latenciesOf, outcomesOf } from './steps.ts';

export function OutcomeCharts({ stats }: { stats: Stats }) {
  const outcomes = useMemo(() => outcomesOf(stats), [stats]);
  const latencies = useMemo(() => latenciesOf(stats), [stats]);
  return (
    <Columns>
      <Chart label="Attempts" {...outcomes} format={formatNumber} isStacked />
      <Chart label="Answer time" {...latencies} format={formatMs} />
    </Columns>
  );
}
