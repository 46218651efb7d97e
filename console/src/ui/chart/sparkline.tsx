// A tiny chart beside a number: good and bad per step. The words beside it say the same.
import css from './chart.module.css';

const height = 24;
const width = 120;

/** `at`: when it begins. */
type Step = { readonly at: string; readonly good: number; readonly bad: number };

/** Each step is a bar: the good part below, the bad part on top. */
export function Sparkline({ steps, label }: { steps: readonly Step[]; label: string }) {
  const highest = Math.max(1, ...steps.map(({ good, bad }) => good + bad));
  const bar = width / Math.max(1, steps.length);
  const scale = (value: number) => (value === 0 ? 0 : Math.max(1.5, (value / highest) * height));
  return (
    <svg
      className={css.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {steps.map(({ at, good, bad }, index) => {
        const x = index * bar;
        const goodHeight = scale(good);
        const badHeight = scale(bad);
        return (
          <g key={at}>
            <rect className={css.good} x={x} width={bar * 0.8} y={height - goodHeight} height={goodHeight} />
            <rect
              className={css.bad}
              x={x}
              width={bar * 0.8}
              y={height - goodHeight - badHeight}
              height={badHeight}
            />
          </g>
        );
      })}
    </svg>
  );
}
