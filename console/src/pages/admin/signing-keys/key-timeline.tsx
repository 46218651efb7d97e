// The life of each key as a bar over time, with the present moment. The table below it says the same.
import type { SigningKey } from '@concord/client';
import { formatDay } from '#format/time.ts';
import chart from '#ui/chart/chart.module.css';
import { classNames } from '#ui/class-names.ts';
import { Status } from '#ui/text/text.tsx';
import { keyStates } from '../messages.ts';
import css from './key-timeline.module.css';
import { phasesOf } from './key-times.ts';

const row = 44;
const bar = 10;
const head = 24;
const shownKid = 10;

export function KeyTimeline({ keys, label }: { keys: readonly SigningKey[]; label: string }) {
  const shown = keys
    .filter(({ state }) => state !== 'removed')
    .toSorted((one, two) => one.activates_at.localeCompare(two.activates_at));
  const times = shown.flatMap((key) => phasesOf(key).flatMap(({ from, to }) => [from, to]));
  if (times.length === 0) return null;
  const now = Date.now();
  const [start, end] = [Math.min(now, ...times), Math.max(now, ...times)];
  const share = (at: number) => (100 * (at - start)) / Math.max(1, end - start);
  const states = (['pending', 'active', 'retired', 'revoked'] as const).filter(
    (state) => state !== 'revoked' || shown.some((key) => key.state === state),
  );
  const height = head + shown.length * row;
  return (
    <figure className={classNames(chart.chart, css.timeline)}>
      <figcaption className={css.legend}>
        {states.map((state) => (
          <Status key={state} {...keyStates[state]} />
        ))}
      </figcaption>
      <svg
        width="100%"
        height={height + head}
        role="img"
        aria-label={`${label}. The table below says the same.`}
      >
        <text
          className={css.date}
          x={`${share(now)}%`}
          y={14}
          textAnchor={share(now) < 10 ? 'start' : share(now) > 90 ? 'end' : 'middle'}
        >
          Now
        </text>
        <line className={css.now} x1={`${share(now)}%`} x2={`${share(now)}%`} y1={head - 4} y2={height} />
        {shown.map((key, index) => {
          const phases = phasesOf(key);
          const y = head + index * row;
          const first = share(phases[0]?.from ?? now);
          return (
            <g key={key.kid}>
              <text className={css.kid} x={`${Math.min(first, 60)}%`} y={y + 16} dx={4}>
                {key.kid.slice(0, shownKid)}…
              </text>
              {phases.map(({ state, from, to }) => (
                <rect
                  key={state}
                  className={key.state === 'revoked' ? css.revoked : css[state]}
                  x={`${share(from)}%`}
                  y={y + 24}
                  width={`${share(to) - share(from)}%`}
                  height={bar}
                />
              ))}
            </g>
          );
        })}
        <text className={css.date} x="0" y={height + 16}>
          {formatDay(new Date(start))}
        </text>
        <text className={css.date} x="100%" y={height + 16} textAnchor="end">
          {formatDay(new Date(end))}
        </text>
      </svg>
    </figure>
  );
}
