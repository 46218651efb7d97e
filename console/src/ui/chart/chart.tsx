// A chart over time, drawn by uPlot, with the same data as a table for those who would rather read.
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatExactTime } from '../../format/time.ts';
import { Button } from '../button/button.tsx';
import { Table } from '../table/table.tsx';
import css from './chart.module.css';

type Tone = 'good' | 'bad' | 'warning' | 'info' | 'accent';
export type Series = {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
};

type Props = {
  /** What it shows: "Deliveries by outcome". */
  label: string;
  /** The beginning of each step. */
  times: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Bars on top of each other, for counts. Otherwise lines. */
  isStacked?: boolean;
};

export function Chart({ label, times, series, format, isStacked = false }: Props) {
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
        <Plot {...{ label, times, series, format, isStacked }} />
      )}
    </figure>
  );
}

function Plot({ label, times, series, format, isStacked }: Required<Props>) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let plot: uPlot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        optionsOf({ element, series, format, isStacked }),
        dataOf(times, series, isStacked),
        element,
      );
    };
    draw();
    // The colours of a canvas do not follow the mode by themselves.
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    const resize = new ResizeObserver(() =>
      plot?.setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    resize.observe(element);
    return () => {
      dark.removeEventListener('change', draw);
      resize.disconnect();
      plot?.destroy();
    };
  }, [times, series, format, isStacked]);
  return (
    <div
      ref={box}
      className={css.plot}
      role="img"
      aria-label={`${label}. The button above shows it as a table.`}
    />
  );
}

type Values = readonly (number | null)[];
/** In a stack each series is drawn up to the sum of itself and those before it, the highest first. */
const sums = (series: readonly Series[]): Values[] =>
  series.map((_, index) =>
    (series[0]?.values ?? []).map((_value, step) =>
      series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[step] ?? 0), 0),
    ),
  );

function dataOf(times: readonly string[], series: readonly Series[], isStacked: boolean): uPlot.AlignedData {
  const values = isStacked ? sums(series).reverse() : series.map((one) => one.values);
  return [times.map((at) => Date.parse(at) / 1_000), ...values] as uPlot.AlignedData;
}

function optionsOf({
  element,
  series,
  format,
  isStacked,
}: Pick<Props, 'series' | 'format'> & { element: HTMLElement; isStacked: boolean }): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => resolve(element, style.getPropertyValue(`--${name}`));
  const axis = {
    stroke: colour('text-faint'),
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  const drawn = isStacked ? [...series].reverse() : series;
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    scales: {
      // A bar is as wide as its step, so the last one needs its room.
      ...(isStacked && {
        x: { range: ({ data: [times] }, min, max) => [min, max + (times[1] ?? max) - (times[0] ?? max)] },
      }),
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      { ...axis, size: 40, space: 64, values: formatTicks },
      // Half an attempt does not exist.
      {
        ...axis,
        size: 64,
        values: (_plot, ticks) => ticks.map(format),
        ...(isStacked && { incrs: wholeSteps }),
      },
    ],
    series: [
      {},
      ...drawn.map(({ name, tone }): uPlot.Series => {
        const stroke = colour(tone);
        if (!isStacked)
          return {
            label: name,
            stroke,
            width: 1.5,
            points: { show: true, size: 4, fill: stroke, filter: findAlone },
          };
        const paths = uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
        return { label: name, fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
      }),
    ],
  };
}

const wholeSteps = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** In the language of the browser, as on the rest of the page. The first tick of a day has the day. */
function formatTicks(_plot: uPlot, ticks: number[]): string[] {
  return ticks.map((tick, index) => {
    const at = new Date(tick * 1_000);
    const before = index === 0 ? null : new Date((ticks[index - 1] ?? tick) * 1_000);
    const isNewDay = before === null || at.getDate() !== before.getDate();
    const isWholeDay = at.getHours() === 0 && at.getMinutes() === 0;
    if (isWholeDay) return date.format(at);
    return isNewDay ? `${clock.format(at)}\n${date.format(at)}` : clock.format(at);
  });
}

/** A value between two gaps has no line, so it is a point. */
function findAlone(plot: uPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isGap = (at: number) => (values[at] ?? null) === null;
  return Array.from(values.keys()).filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
}

/** A canvas takes no `light-dark()`, so the browser resolves the colour for an element. */
function resolve(element: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
