// A chart over time, with the same data as a table for those who would rather read.
import { useState } from 'react';
import { formatExactTime } from '#format/time.ts';
import { Button } from '../button.tsx';
import { Table } from '../table/table.tsx';
import css from './chart.module.css';
import { Plot, type PlotProps } from './plot.tsx';

export function Chart(plot: PlotProps) {
  const { label, times, series, format } = plot;
  const [isTable, setTable] = useState(false);
  return (
    <figure className={css.chart}>
      <figcaption className={css.caption}>
        <span>{label}</span>
        <span className={css.legend}>
          {series.map(({ name, tone }) => (
            <span key={name} className={css.key} data-tone={tone}>
              {name}
            </span>
          ))}
        </span>
        <Button look="plain" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Show as a chart' : 'Show as a table'}
        </Button>
      </figcaption>
      {isTable ? (
        <Table
          label={label}
          rows={times.map((at, index) => ({ at, index }))}
          keyOf={({ at }) => at}
          columns={[
            { name: 'From', cell: ({ at }) => formatExactTime(at) },
            ...series.map(({ name, values }) => ({
              name,
              isNumber: true,
              cell: ({ index }: { index: number }) => {
                const value = values[index];
                return value === null || value === undefined ? '–' : format(value);
              },
            })),
          ]}
        />
      ) : (
        <Plot {...plot} />
      )}
    </figure>
  );
}
