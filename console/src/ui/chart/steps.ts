// Statistics over time as the series of a chart. The API leaves out empty steps.
import type { Stats } from '@concord/client';
import type { Series } from './plot.tsx';

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

/**
 * The query of a period that ends now. It begins with a whole step, so that it stays the same within one and is
 * not read twice.
 */
export function queryOf({ lengthMs, step }: { lengthMs: number; step: Stats['step'] }) {
  const stepMs = widthsMs[step];
  const from = Math.floor((Date.now() - lengthMs) / stepMs) * stepMs + stepMs;
  return { from: new Date(from).toISOString(), step };
}

type Period = Pick<Stats, 'from' | 'to' | 'step' | 'steps'>;

/** The beginning of every step of the period. */
export function timesOf({ from, to, step }: Omit<Period, 'steps'>): string[] {
  const all: string[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += widthsMs[step])
    all.push(new Date(at).toISOString());
  return all;
}

const nothing = { attempts: 0, delivered: 0, failed: [], p50_ms: null, p95_ms: null, filtered: 0 };

/** Every step of the period. */
export function fillSteps({ steps, ...period }: Period): Step[] {
  const known = new Map(steps.map((each) => [Date.parse(each.at), each]));
  return timesOf(period).map((at) => known.get(Date.parse(at)) ?? { at, ...nothing });
}

type Plotted = { readonly times: readonly string[]; readonly series: readonly Series[] };

/** Attempts that were delivered, and those that failed. */
export function outcomesOf(period: Period): Plotted {
  const steps = fillSteps(period);
  return {
    times: steps.map(({ at }) => at),
    series: [
      { name: 'Delivered', tone: 'good', values: steps.map(({ delivered }) => delivered) },
      { name: 'Failed', tone: 'bad', values: steps.map(({ attempts, delivered }) => attempts - delivered) },
    ],
  };
}

/** How long half of the answers took, and 95%. */
export function latenciesOf(period: Period): Plotted {
  const steps = fillSteps(period);
  return {
    times: steps.map(({ at }) => at),
    series: [
      { name: 'Median', tone: 'accent', values: steps.map(({ p50_ms }) => p50_ms) },
      { name: '95th percentile', tone: 'info', values: steps.map(({ p95_ms }) => p95_ms) },
    ],
  };
}
