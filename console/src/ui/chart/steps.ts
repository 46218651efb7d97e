// Statistics over time as the series of a chart. The API leaves out the steps without an attempt.
import type { Stats } from '@concord/client';
import type { Series } from './chart.tsx';

type Step = Stats['steps'][number];
const minuteMs = 60_000;
const widthsMs: Readonly<Record<Stats['step'], number>> = {
  '1m': minuteMs,
  '5m': 5 * minuteMs,
  '15m': 15 * minuteMs,
  '1h': 60 * minuteMs,
  '6h': 360 * minuteMs,
  '1d': 1_440 * minuteMs,
};

type Period = Pick<Stats, 'from' | 'to' | 'step' | 'steps'>;

/** Every step of the period. Undefined: nothing was sent. */
function allSteps({ from, to, step, steps }: Period): { at: string; found: Step | undefined }[] {
  const known = new Map(steps.map((each) => [Date.parse(each.at), each]));
  const all: { at: string; found: Step | undefined }[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += widthsMs[step]) {
    all.push({ at: new Date(at).toISOString(), found: known.get(at) });
  }
  return all;
}

type Plotted = { readonly times: readonly string[]; readonly series: readonly Series[] };

/** Attempts that were delivered, and those that failed. */
export function outcomesOf(period: Period): Plotted {
  const all = allSteps(period);
  return {
    times: all.map(({ at }) => at),
    series: [
      { name: 'Delivered', tone: 'good', values: all.map(({ found }) => found?.delivered ?? 0) },
      {
        name: 'Failed',
        tone: 'bad',
        values: all.map(({ found }) => (found === undefined ? 0 : found.attempts - found.delivered)),
      },
    ],
  };
}

/** How long half of the answers took, and 95 %. */
export function latenciesOf(period: Period): Plotted {
  const all = allSteps(period);
  return {
    times: all.map(({ at }) => at),
    series: [
      { name: 'Median', tone: 'accent', values: all.map(({ found }) => found?.p50_ms ?? null) },
      { name: '95th percentile', tone: 'info', values: all.map(({ found }) => found?.p95_ms ?? null) },
    ],
  };
}
