// Draws series over time: bars on top of each other, or lines.
import { useLayoutEffect, useRef, useState } from 'react';
import css from './chart.module.css';
import { formatTicks, timeTicks, valueTicks } from './ticks.ts';

type Tone = 'good' | 'bad' | 'warning' | 'info' | 'accent';
export type Series = {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
};

export type PlotProps = {
  /** What it shows: "Deliveries by outcome". */
  label: string;
  /** The beginning of each step. */
  times: readonly string[];
  series: readonly Series[];
  format: (value: number) => string;
  /** Bars on top of each other, for counts. Otherwise lines. */
  isStacked?: boolean;
};

/** In pixels: the room of the labels. */
const left = 64;
const bottom = 40;
const top = 8;
const right = 28;

type Size = { readonly width: number; readonly height: number };
type Place = (value: number) => number;
type Drawing = { readonly times: readonly number[]; readonly x: Place; readonly y: Place };

export function Plot({ label, ...chart }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    const resize = new ResizeObserver(measure);
    measure();
    resize.observe(element);
    return () => resize.disconnect();
  }, []);
  return (
    <div
      ref={box}
      className={css.plot}
      role="img"
      aria-label={`${label}. The button above shows it as a table.`}
    >
      {size !== null && size.width > left + right && <Drawn {...chart} size={size} />}
    </div>
  );
}

function Drawn({
  times: given,
  series,
  format,
  isStacked = false,
  size: { width, height },
}: Omit<PlotProps, 'label'> & { size: Size }) {
  const times = given.map((at) => Date.parse(at));
  const [first = 0, second = first] = times;
  // A bar is as wide as its step, so the last one needs its room.
  const step = isStacked ? second - first : 0;
  const until = Math.max(first + 1, (times.at(-1) ?? first) + step);
  const sums = stack(series);
  const highest = Math.max(1, ...(isStacked ? sums : series.map(({ values }) => values)).flat().map(Number));
  const most = Math.max(1, highest * 1.1);
  const inner = { width: width - left - right, height: height - top - bottom };
  const x: Place = (at) => left + ((at - first) / (until - first)) * inner.width;
  const y: Place = (value) => top + (1 - value / most) * inner.height;
  const ticks = timeTicks(first, until, inner.width / 64);
  return (
    <svg width={width} height={height} aria-hidden="true">
      {valueTicks(most, inner.height / 30).map((value) => (
        <g key={value}>
          <line className={css.grid} x1={left} x2={width - right} y1={y(value)} y2={y(value)} />
          <text className={css.tick} x={left - 8} y={y(value) + 4} textAnchor="end">
            {format(value)}
          </text>
        </g>
      ))}
      {formatTicks(ticks).map((lines, index) => (
        <text key={ticks[index]} className={css.tick} y={height - bottom} textAnchor="middle">
          {lines.map((line) => (
            <tspan key={line} x={x(ticks[index] ?? 0)} dy={16}>
              {line}
            </tspan>
          ))}
        </text>
      ))}
      {series.map(({ name, tone, values }, index) => (
        <path
          key={name}
          className={isStacked ? css.bars : css.line}
          data-tone={tone}
          d={
            isStacked
              ? barsOf({ times, x, y }, step, values, sums[index] ?? [])
              : lineOf({ times, x, y }, values)
          }
        />
      ))}
    </svg>
  );
}

/** Each series is drawn up to the sum of itself and those before it. */
const stack = (series: readonly Series[]): number[][] =>
  series.map((_, index) =>
    (series[0]?.values ?? []).map((_value, step) =>
      series.slice(0, index + 1).reduce((sum, { values }) => sum + (values[step] ?? 0), 0),
    ),
  );

function barsOf(
  { times, x, y }: Drawing,
  step: number,
  values: Series['values'],
  sums: readonly number[],
): string {
  return times
    .map((at, index) => {
      const value = values[index] ?? 0;
      if (value === 0) return '';
      const upper = sums[index] ?? 0;
      const width = Math.max(1, Math.min(40, 0.8 * (x(at + step) - x(at))));
      return `M${x(at)} ${y(upper - value)}V${y(upper)}h${width}V${y(upper - value)}Z`;
    })
    .join('');
}

const point = 'm-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0';

/** A null is a gap. A value between two gaps has no line, so it is a point. */
function lineOf({ times, x, y }: Drawing, values: Series['values']): string {
  const isGap = (index: number) => (values[index] ?? null) === null;
  return times
    .map((at, index) => {
      if (isGap(index)) return '';
      const isLone = isGap(index - 1) && isGap(index + 1);
      return `${isGap(index - 1) ? 'M' : 'L'}${x(at)} ${y(values[index] ?? 0)}${isLone ? point : ''}`;
    })
    .join('');
}
